"""Where the addresses of Kafka's brokers go in a call of `KafkaUtils.createStream`."""

from __future__ import annotations

import ast
import re

from migrator.collect.chunk_edits import offset_in, replacement
from migrator.model.report import Confidence, TextEdit
from migrator.source.python import Chunk, Unit

# the receiver's parameters before kafkaParams
_BEFORE = 4
# between the last argument and the closing parenthesis
_REST = re.compile(r"(?:\s|#[^\r\n]*)*,?(?:\s|#[^\r\n]*)*\Z")


def brokers_edit(unit: Unit, call: ast.Call, confidence: Confidence) -> TextEdit | None:
    """The edit that names the brokers, a null character standing for them; None if none is proven.

    Parameters
    ----------
    unit
        The parsed source.
    call
        The call, which names no brokers yet.
    confidence
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
    if given:
        return _into_dict(chunk, given[0])
    last = max(
        (*call.args, *(k.value for k in call.keywords)),
        key=lambda a: (a.end_lineno or 0, a.end_col_offset or 0),
    )
    start = offset_in(chunk, last.end_lineno or 0, last.end_col_offset or 0)
    end = offset_in(chunk, call.end_lineno or 0, call.end_col_offset or 0)
    if chunk.text[end - 1 : end] != ")" or _REST.match(chunk.text[start : end - 1]) is None:
        return None
    return replacement(chunk, start, start, ', kafkaParams={"bootstrap.servers": "\0"}')


def _into_dict(chunk: Chunk, params: ast.expr) -> TextEdit | None:
    """The edit of parameters that are a literal without `**`."""
    if not isinstance(params, ast.Dict) or any(key is None for key in params.keys):
        return None
    start = offset_in(chunk, params.lineno, params.col_offset)
    if chunk.text[start : start + 1] != "{":
        return None
    if not params.keys:
        return replacement(chunk, start + 1, start + 1, '"bootstrap.servers": "\0"')
    first = params.keys[0]
    assert first is not None
    at = offset_in(chunk, first.lineno, first.col_offset)
    # a key in parentheses starts behind them
    if chunk.text[at - 1 : at] == "(":
        return None
    return replacement(chunk, at, at, '"bootstrap.servers": "\0", ')
