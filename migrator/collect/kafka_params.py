"""Parameters of Kafka in calls of `KafkaUtils`: where the addresses of brokers go, and values that
are no texts.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Collection, Iterator
from typing import cast

from dstream_compat.source.kafka.texts import text_for
from migrator.collect.arguments import type_of, type_of_value
from migrator.collect.path_values import PathValues
from migrator.infer.program import Facts
from migrator.infer.values import Map
from migrator.model.events import KafkaValue, Use
from migrator.model.report import Confidence, TextEdit
from migrator.source.child_nodes import enclosing_functions
from migrator.source.python import Chunk, Unit
from migrator.spark.connectors import BROKERS
from migrator.spark.signatures import KAFKA

# the receiver's parameters before kafkaParams
_BEFORE = 4
# between the last argument and the closing parenthesis
_REST = re.compile(r"(?:\s|#[^\r\n]*)*,?(?:\s|#[^\r\n]*)*\Z")
_METHODS = frozenset(key.rpartition(".")[2] for key in KAFKA)
# what may get parameters and changes none
_READERS = frozenset({"dict", "len", "print", "repr", "sorted", "str"})
_READING_METHODS = frozenset({"copy", "get", "items", "keys", "values"})


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
    params = [k.value for k in call.keywords if k.arg == "kafkaParams"]
    params += call.args[_BEFORE : _BEFORE + 1]
    spread = any(isinstance(a, ast.Starred) for a in call.args)
    spread = spread or any(k.arg is None for k in call.keywords)
    if spread or len(params) > 1 or len(call.args) + len(call.keywords) < _BEFORE:
        return None
    if params and isinstance(params[0], ast.Name):
        return _brokers_in_variable(unit, chunk, params[0])
    if params:
        return _into_dict(chunk, params[0])
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


def _brokers_in_variable(unit: Unit, chunk: Chunk, params: ast.Name) -> TextEdit | None:
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
    values = PathValues(unit).names.get(name) or ()
    if len(values) != 1 or not isinstance(values[0], ast.Dict):
        return None
    literals: set[ast.AST] = set()
    uses: set[ast.AST] = set()
    for node in unit.nodes():
        match node:
            case ast.Call(func=ast.Attribute(attr=method)) if methods and method in methods:
                literals.update(node.args, (keyword.value for keyword in node.keywords))
            case ast.Name(id=used, ctx=ast.Load()) if used == name:
                uses.add(node)
    return values[0] if methods is None or uses <= literals else None


class KafkaValues:
    """Finds the values in the parameters of calls of `KafkaUtils` that cannot be texts."""

    def __init__(self, unit: Unit, facts: Facts) -> None:
        self.unit = unit
        self.facts = facts
        # what several calls get is reported once
        self._reported: set[tuple[object, ...]] = set()

    def of(self, use: Use) -> Iterator[KafkaValue]:
        """Yield the values of one call."""
        if use.key not in KAFKA or use.confidence is not Confidence.PROVEN:
            return
        params = use.argument("kafkaParams")
        if params is None:
            return
        values, hidden = _entries(_literal(self.unit, params))
        for name, value in values.items():
            value_text, text = _meaning(value, self.facts)
            if value_text not in ("str", None) and self._is_new(value):
                edit = None if text is None else _edit(self.unit, value, text)
                at = self.unit.spot_of(value)
                yield KafkaValue(at, name, str(value_text), text, edit)
        for name, value_text in self._in_variables(params):
            if name not in values and name not in hidden and self._is_new(params, name):
                yield KafkaValue(use.at, name, value_text, None, None)

    def _is_new(self, node: ast.expr, *key: str) -> bool:
        place: tuple[object, ...] = (node, *key)
        if isinstance(node, ast.Name | ast.Attribute):
            place = (enclosing_functions(self.unit.tree).get(node), ast.unparse(node), *key)
        if place in self._reported:
            return False
        self._reported.add(place)
        return True

    def _in_variables(self, params: ast.expr) -> Iterator[tuple[str, str]]:
        """Yield the names under which inference knows a list or a dict when the call is made."""
        value = self.facts.values.get(params)
        if value is None or value.unknown or not self.facts.converged or len(value.atoms) != 1:
            return
        (atom,) = value.atoms
        kinds_by_key = {
            key: kind
            for key, item in (atom.known if isinstance(atom, Map) else ())
            if isinstance(key, str) and (kind := type_of_value(item)) is not None
        }
        if kinds_by_key and all(
            _only_set_by_name(self.unit, source) for source in _sources(params)
        ):
            yield from kinds_by_key.items()


def _literal(unit: Unit, params: ast.expr) -> ast.Dict | None:
    """Return the dict that parameters are, if nothing but Kafka's streams gets it."""
    match params:
        case ast.Dict() | ast.Call(func=ast.Name(id="dict"), args=[ast.Dict()]):
            return params if isinstance(params, ast.Dict) else cast(ast.Dict, params.args[0])
        case ast.Name(id=name):
            return only_literal(unit, name, _METHODS)
    return None


def _entries(literal: ast.Dict | None) -> tuple[dict[str, ast.expr], set[str]]:
    """Return the values by their names, of which the last one counts,
    and the names that something unknown may give another value.
    """
    entries: dict[str, ast.expr] = {}
    hidden: set[str] = set()
    for key, value in zip(literal.keys, literal.values, strict=True) if literal else ():
        if key is None:
            inner, unknown = _entries(value if isinstance(value, ast.Dict) else None)
            if unknown or not isinstance(value, ast.Dict):
                hidden |= {*entries, *unknown}
                entries.clear()
            entries |= inner
        elif isinstance(key, ast.Constant) and isinstance(key.value, str):
            entries[key.value] = value
    return entries, hidden


def _sources(params: ast.expr) -> list[ast.expr]:
    """Return the variables that parameters are made of."""
    match params:
        case ast.Dict(keys=keys, values=values):
            parts = [value for key, value in zip(keys, values, strict=True) if key is None]
        case ast.Call(func=ast.Name(id="dict"), args=args, keywords=keywords):
            parts = [*args, *(k.value for k in keywords if k.arg is None)]
        case _:
            return [params]
    return [source for part in parts for source in _sources(part)]


def _only_set_by_name(unit: Unit, variable: ast.expr) -> bool:
    """Return whether nothing that inference does not follow may change the dict in a variable."""
    if not isinstance(variable, ast.Name | ast.Attribute):
        return True
    text = ast.unparse(variable)
    uses: set[ast.AST] = set()
    plain: set[ast.AST] = set()
    for node in unit.nodes():
        match node:
            case ast.Name() | ast.Attribute() if ast.unparse(node) == text:
                if isinstance(node.ctx, ast.Load):
                    uses.add(node)
            case ast.arg(arg=name) if name == text:
                return False
            case ast.Call(func=ast.Attribute(attr=method)) if method in _METHODS:
                plain.update(node.args, (keyword.value for keyword in node.keywords))
            case ast.Call(func=ast.Name(id=function)) if function in _READERS:
                plain.update(node.args, (keyword.value for keyword in node.keywords))
            case ast.Dict():
                spread = zip(node.keys, node.values, strict=True)
                plain.update(value for key, value in spread if key is None)
            case ast.Subscript(slice=ast.Constant(), ctx=ast.Load() | ast.Store()):
                plain.add(node.value)
        if isinstance(node, ast.Attribute) and node.attr in _READING_METHODS:
            plain.add(node.value)
    return uses <= plain


def _meaning(value: ast.expr, facts: Facts) -> tuple[str | None, str | None]:
    """Return the type of a value, if it is known, and the text that it means to Kafka."""
    try:
        constant = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return type_of(value, facts), None
    return type(constant).__name__, text_for(constant)


def _edit(unit: Unit, value: ast.expr, text: str) -> TextEdit | None:
    chunk = unit.chunk_at(value.lineno)
    if not chunk.is_edited:
        return None
    start = chunk.span(value)[0]
    end = chunk.span(value)[1]
    return chunk.edit(start, end, json.dumps(text, ensure_ascii=False))
