"""Stores values into names, attributes, items and unpacking targets."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TypeAlias

from migrator.infer.attributes import set_attribute
from migrator.infer.builtin_calls import subscript
from migrator.infer.program import Frame
from migrator.infer.values import (
    BOTTOM,
    OTHER,
    Map,
    Value,
    clip,
    items_of,
    join,
    one,
    seq,
)

Evaluate: TypeAlias = Callable[[Frame, ast.expr], Value]


def store_name(frame: Frame, name: str, value: Value) -> None:
    """Binds a name in the scope where it lives."""
    owner = frame.scope.owner_of(name)
    if owner is None or owner is frame.scope:
        frame.env[name] = value
        owner = frame.scope
    else:
        frame.program.grow(owner.written_from_inside, name, value)
    frame.program.grow(owner.bound, name, value)


def assign(frame: Frame, target: ast.expr, value: Value, evaluate: Evaluate) -> None:
    """Stores a value in any target of an assignment."""
    match target:
        case ast.Name(id=name):
            store_name(frame, name, value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            _unpack(frame, elements, value, evaluate)
        case ast.Attribute(value=base, attr=name):
            set_attribute(frame, evaluate(frame, base), name, value)
        case ast.Subscript(value=base, slice=index):
            evaluate(frame, index)
            holder = evaluate(frame, base)
            if any(isinstance(a, Map) for a in holder.atoms):
                known = isinstance(index, ast.Constant) and isinstance(index.value, str | int)
                pair = ((index.value, clip(value)),) if known else ()  # type: ignore[attr-defined]
                item = one(Map(pair, BOTTOM if known else clip(value)))
                assign(frame, base, join(holder, item), evaluate)
            elif holder.atoms and holder != OTHER:
                assign(frame, base, join(holder, seq(value)), evaluate)
        case ast.Starred(value=inner):
            assign(frame, inner, seq(items_of(value)), evaluate)


def _unpack(frame: Frame, elements: list[ast.expr], value: Value, evaluate: Evaluate) -> None:
    starred = any(isinstance(e, ast.Starred) for e in elements)
    for index, element in enumerate(elements):
        part = items_of(value) if starred else subscript(value, ast.Constant(index))
        assign(frame, element, seq(part) if isinstance(element, ast.Starred) else part, evaluate)
