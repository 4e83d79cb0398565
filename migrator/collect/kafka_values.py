"""Values of `kafkaParams` that are no texts."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from typing import cast

from dstream_compat.source.kafka.texts import text_for
from migrator.collect.argument_types import type_of, type_of_value
from migrator.collect.enclosing_functions import enclosing_functions
from migrator.collect.kafka_params import only_literal
from migrator.infer.program import Facts
from migrator.infer.values import Map
from migrator.model.events import KafkaValue, Use
from migrator.model.report import Confidence, TextEdit
from migrator.source.python import Unit
from migrator.spark.signatures import KAFKA

_METHODS = frozenset(key.rpartition(".")[2] for key in KAFKA)
# what may get parameters and changes none
_READERS = frozenset({"dict", "len", "print", "repr", "sorted", "str"})
_READING_METHODS = frozenset({"copy", "get", "items", "keys", "values"})


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
            given, text = _meaning(value, self.facts)
            if given not in ("str", None) and self._is_new(value):
                edit = None if text is None else _edit(self.unit, value, text)
                at = self.unit.spot_of(value)
                yield KafkaValue(at, name, str(given), text, edit)
        for name, given in self._in_variables(params):
            if name not in values and name not in hidden and self._is_new(params, name):
                yield KafkaValue(use.at, name, given, None, None)

    def _is_new(self, node: ast.expr, *key: str) -> bool:
        place: tuple[object, ...] = (node, *key)
        if isinstance(node, ast.Name | ast.Attribute):
            place = (enclosing_functions(self.unit).get(node), ast.unparse(node), *key)
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
        given = {
            key: kind
            for key, one in (atom.known if isinstance(atom, Map) else ())
            if isinstance(key, str) and (kind := type_of_value(one)) is not None
        }
        if given and all(_only_set_by_name(self.unit, source) for source in _sources(params)):
            yield from given.items()


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
    found: dict[str, ast.expr] = {}
    hidden: set[str] = set()
    for key, value in zip(literal.keys, literal.values, strict=True) if literal else ():
        if key is None:
            inner, unknown = _entries(value if isinstance(value, ast.Dict) else None)
            if unknown or not isinstance(value, ast.Dict):
                hidden |= {*found, *unknown}
                found.clear()
            found |= inner
        elif isinstance(key, ast.Constant) and isinstance(key.value, str):
            found[key.value] = value
    return found, hidden


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
