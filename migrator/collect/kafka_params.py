"""Where the addresses of Kafka's brokers go in a call of `KafkaUtils.createStream`."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

from migrator.model.report import Confidence, TextEdit
from migrator.source.python import Chunk, Unit
from migrator.spark.connectors import BROKERS

# the receiver's parameters before kafkaParams
_BEFORE = 4
# between the last argument and the closing parenthesis
_REST = re.compile(r"(?:\s|#[^\r\n]*)*,?(?:\s|#[^\r\n]*)*\Z")


def brokers_edit(unit: Unit, call: ast.Call, confidence: Confidence) -> TextEdit | None:
    """Return the edit that names the brokers, a null character
    standing for them; None if none is proven.

    Parameters
    ----------
    call : Call
        The call, which names no brokers yet.
    confidence : Confidence
        Whether its receiver is proven.
    """
    chunk = unit.chunk_at(call.lineno)
    if confidence is not Confidence.PROVEN or not chunk.is_edited:
        return None
    given = [k.value for k in call.keywords if k.arg == "kafkaParams"]
    given += call.args[_BEFORE : _BEFORE + 1]
    spread = any(isinstance(a, ast.Starred) for a in call.args)
    spread = spread or any(k.arg is None for k in call.keywords)
    if spread or len(given) > 1 or len(call.args) + len(call.keywords) < _BEFORE:
        return None
    if given and isinstance(given[0], ast.Name):
        return _from_variable(unit, chunk, given[0])
    if given:
        return _into_dict(chunk, given[0])
    last = max(
        (*call.args, *(k.value for k in call.keywords)),
        key=lambda a: (a.end_lineno or 0, a.end_col_offset or 0),
    )
    start = chunk.span(last)[1]
    end = chunk.span(call)[1]
    if chunk.text[end - 1 : end] != ")" or _REST.match(chunk.text[start : end - 1]) is None:
        return None
    return chunk.edit(start, start, ', kafkaParams={"bootstrap.servers": "\0"}')


def _into_dict(chunk: Chunk, params: ast.expr) -> TextEdit | None:
    """Return the edit of parameters that are a literal without `**`."""
    if not isinstance(params, ast.Dict) or any(key is None for key in params.keys):
        return None
    start = chunk.span(params)[0]
    if chunk.text[start : start + 1] != "{":
        return None
    if not params.keys:
        return chunk.edit(start + 1, start + 1, '"bootstrap.servers": "\0"')
    first = params.keys[0]
    assert first is not None
    at = chunk.span(first)[0]
    # a key in parentheses starts behind them
    if chunk.text[at - 1 : at] == "(":
        return None
    return chunk.edit(at, at, '"bootstrap.servers": "\0", ')


def _from_variable(unit: Unit, chunk: Chunk, params: ast.Name) -> TextEdit | None:
    """Return the edit of parameters in a variable that only holds a literal without brokers."""
    if unit.unread or not _holds_literal(unit, params.id):
        return None
    start = chunk.span(params)[0]
    end = start + len(params.id)
    # parentheses would not be those of the argument
    if chunk.text[start:end] != params.id or chunk.text[start - 1 : start] == "(":
        return None
    text = f'{{**{params.id}, "bootstrap.servers": "\0"}}'
    return chunk.edit(start, end, text)


def _holds_literal(unit: Unit, name: str) -> bool:
    """Return whether a name is bound once, to a dict without brokers for receivers only."""
    literal = only_literal(unit, name, ("createStream",))
    return literal is not None and all(
        isinstance(key, ast.Constant) and key.value not in BROKERS for key in literal.keys
    )


def only_literal(unit: Unit, name: str, methods: Collection[str] | None) -> ast.Dict | None:
    """Return the dict that a name is bound to, if that is the only thing it is ever bound to.

    Parameters
    ----------
    methods : collection of str, optional
        Nothing but calls of methods of these names may get it; without them it may be used in
        any way.
    """
    literals: list[ast.Dict] = []
    given: set[ast.AST] = set()
    uses: list[ast.Name] = []
    for node in unit.nodes():
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Dict() as literal):
                literals += [literal] if target == name else []
            case ast.Call(func=ast.Attribute(attr=method)) if methods and method in methods:
                given.update(node.args, (keyword.value for keyword in node.keywords))
            case ast.Name(id=used):
                uses += [node] if used == name else []
            case ast.arg(arg=other) | ast.alias(asname=str(other)) | ast.alias(name=other):
                if other == name:
                    return None
    bound = [use for use in uses if not isinstance(use.ctx, ast.Load)]
    if len(bound) != 1 or len(literals) != 1:
        return None
    alone = methods is None or given.issuperset({*uses} - {*bound})
    return literals[0] if alone else None
