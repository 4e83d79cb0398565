"""Values of `kafkaParams` that are no texts."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator

from dstream_compat.source.kafka.texts import text_for
from migrator.collect.argument_types import type_of, type_of_value
from migrator.collect.chunk_edits import offset_in, replacement
from migrator.collect.kafka_params import only_literal
from migrator.infer.program import Facts
from migrator.infer.values import Map
from migrator.model.events import KafkaValue, Use
from migrator.model.report import Confidence, TextEdit
from migrator.source.python import Unit

_POSITIONS = {"createDirectStream": 2, "createStream": 4, "createRDD": 1}


def kafka_values(unit: Unit, use: Use, facts: Facts) -> Iterator[KafkaValue]:
    """Yield the values in the parameters of a call of `KafkaUtils` that cannot be texts."""
    position = _POSITIONS.get(use.name)
    proven = use.confidence is Confidence.PROVEN
    if use.receiver != "KafkaUtils" or position is None or use.call is None or not proven:
        return
    params = use.argument(position, "kafkaParams")
    if params is None:
        return
    literal, alone = _literal(unit, params)
    seen = set()
    for name, value in _entries(literal):
        seen.add(name)
        given, text = _meaning(value, facts)
        if given != "str" and given is not None:
            edit = _edit(unit, value, text) if alone and text is not None else None
            at = unit.spot(value.lineno, value.col_offset)
            yield KafkaValue(at, name, given, text, edit)
    for name, given in _in_variables(params, facts):
        if name not in seen:
            yield KafkaValue(use.at, name, given, None, None)


def _literal(unit: Unit, params: ast.expr) -> tuple[ast.Dict | None, bool]:
    """Return the dict that parameters are, and whether nothing but Kafka's streams gets it."""
    match params:
        case ast.Dict():
            return params, True
        case ast.Call(func=ast.Name(id="dict"), args=[ast.Dict() as literal]):
            return literal, True
        case ast.Name(id=name):
            alone = only_literal(unit, name, _POSITIONS)
            return alone or only_literal(unit, name, None), alone is not None
    return None, False


def _entries(literal: ast.Dict | None) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names with their values; of a name that is there twice, the last one counts."""
    found: dict[str, ast.expr] = {}
    for key, value in zip(literal.keys, literal.values, strict=True) if literal else ():
        if key is None:
            found.clear()  # what is spread here may have the names before it
        elif isinstance(key, ast.Constant) and isinstance(key.value, str):
            found[key.value] = value
    yield from found.items()


def _meaning(value: ast.expr, facts: Facts) -> tuple[str | None, str | None]:
    """Return the type of a value, if it is known, and the text that it means to Kafka."""
    try:
        constant = ast.literal_eval(value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return type_of(value, facts), None
    return type(constant).__name__, text_for(constant)


def _in_variables(params: ast.expr, facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the names under which inference knows a collection."""
    value = facts.values.get(params)
    if value is None or value.unknown or not facts.converged or len(value.atoms) != 1:
        return
    (atom,) = value.atoms
    for key, one in atom.known if isinstance(atom, Map) else ():
        given = type_of_value(one)
        if isinstance(key, str) and given is not None:
            yield key, given


def _edit(unit: Unit, value: ast.expr, text: str) -> TextEdit | None:
    chunk = unit.chunk_at(value.lineno)
    if not chunk.is_edited:
        return None
    start = offset_in(chunk, value.lineno, value.col_offset)
    end = offset_in(chunk, value.end_lineno or 0, value.end_col_offset or 0)
    return replacement(chunk, start, end, json.dumps(text, ensure_ascii=False))
