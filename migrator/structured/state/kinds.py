"""The types of values of plain Python code that states are made of: a small, sound inference.

A value has a set of kinds: ``int``, ``zero`` (the constant 0, which may stand for 0.0), ``float``,
``str``, ``bool``, ``None``, tuples and lists of kinds. What is not known raises `UnknownKind`.

An ``int`` has 32 bits, or is a sum of such; a ``long`` has 64 bits. A ``big`` integer may have
more, as `int` of a text and products of products may.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

from dstream_compat.native.types import (
    Array,
    Boolean,
    CaseMapped,
    Double,
    Long,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
    nullable,
    present,
    tuple_of,
)

Kind = Any
Kinds = frozenset[Any]


class UnknownKind(Exception):
    """A value has no type that a state can have."""

    def __init__(self, text: str, node: ast.AST | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.node = node


@dataclass(frozen=True)
class TupleOf:
    """Tuples of a length."""

    fields: tuple[Kinds, ...]


@dataclass(frozen=True)
class ListOf:
    """Lists."""

    element: Kinds


NONE: Kinds = frozenset({"None"})
ZERO: Kinds = frozenset({"zero"})
INT: Kinds = frozenset({"int"})
FLOAT: Kinds = frozenset({"float"})
STR: Kinds = frozenset({"str"})
BOOL: Kinds = frozenset({"bool"})
LONG: Kinds = frozenset({"long"})
BIG: Kinds = frozenset({"big"})
INTEGERS = frozenset({"int", "zero", "bool", "long", "big"})
NUMBERS = INTEGERS | FLOAT

SIMPLE: dict[type[Type], Kinds] = {Double: FLOAT, String: STR, CaseMapped: STR}
SIMPLE |= {Boolean: BOOL, NoneType: NONE}
_WORDS = {"zero": "int", "long": "int", "big": "int", "time": "datetime"}
TYPES: dict[Kind, tuple[Type, str]] = {
    "int": (Long(), "long"),
    "float": (Double(), "double"),
    "str": (String(), "string"),
    "bool": (Boolean(), "boolean"),
}


def kinds_of(kind: Type) -> Kinds:
    """Return the kinds of a type of Spark.

    Raises
    ------
    UnknownKind
        if its values are no plain ones in Python
    """
    match kind:
        case Long(bits=bits):
            return INT if bits == 32 else LONG
        case Nullable(inner=inner):
            return kinds_of(inner) | NONE
        case Tuple(fields=fields, attributes=False):
            return frozenset({TupleOf(tuple(kinds_of(each) for each in fields))})
        case Array(element=element, lazy=False):
            return frozenset({ListOf(kinds_of(element))})
    if type(kind) in SIMPLE:
        return SIMPLE[type(kind)]
    raise UnknownKind("a value is no number, text, tuple or list")


def merged(*several: Kinds) -> Kinds:
    """Return the kinds of a value that is one of several;
    tuples of a length and lists become one.
    """
    plain = {each for kinds in several for each in kinds if isinstance(each, str)}
    lists = [each for kinds in several for each in kinds if isinstance(each, ListOf)]
    tuples: dict[int, TupleOf] = {}
    for kinds in several:
        for each in kinds:
            if isinstance(each, TupleOf):
                before = tuples.get(len(each.fields), each).fields
                pairs = zip(before, each.fields, strict=True)
                tuples[len(each.fields)] = TupleOf(tuple(merged(a, b) for a, b in pairs))
    found: set[Kind] = {*plain, *tuples.values()}
    if lists:
        found.add(ListOf(merged(*(each.element for each in lists))))
    return frozenset(found)


def one_type(kinds: Kinds, what: str, optional: bool = False) -> tuple[Type, str]:
    """Return the type of Spark of all values of some kinds, and its name in a schema.

    Parameters
    ----------
    kinds : frozenset
        the kinds
    what : str
        what the values are, for messages
    optional : bool
        whether fields of a tuple may be None

    Raises
    ------
    UnknownKind
        if there is none
    """
    left = kinds
    if kinds & {"int", "long", "big"}:
        left = kinds - LONG - BIG | INT
    left = left - ZERO if left & {"int", "float"} else left
    if left == ZERO:
        left = INT
    if len(left) != 1:
        names = ", ".join(sorted(_word(each) for each in left)) or "nothing"
        raise UnknownKind(f"{what} has several types: {names}")
    (one,) = left
    if isinstance(one, ListOf):
        if not one.element:
            raise UnknownKind(f"{what} is a list of unknown elements")
        element, text = one_type(one.element, f"an element of {what}")
        if isinstance(element, Tuple):
            raise UnknownKind(f"{what} is a list of tuples")
        return Array(element), f"array<{text}>"
    if isinstance(one, TupleOf):
        fields = [_field(each, f"a field of {what}", optional) for each in one.fields]
        if not fields or any(isinstance(present(kind), Tuple) for kind, _ in fields):
            raise UnknownKind(f"{what} is a tuple of tuples, or an empty one")
        return tuple_of(*(kind for kind, _ in fields)), ", ".join(text for _, text in fields)
    if one not in TYPES:
        raise UnknownKind(f"{what} is {_word(one)}")
    return TYPES[one]


def is_unbounded(kinds: Kinds) -> bool:
    """Return whether an integer of a value may not fit into 64 bits."""
    return any(
        each == "big"
        or (isinstance(each, ListOf) and is_unbounded(each.element))
        or (isinstance(each, TupleOf) and any(map(is_unbounded, each.fields)))
        for each in kinds
    )


def constant_kinds(value: int) -> Kinds:
    """Return the kinds of an integer that is written in the code."""
    if value == 0:
        return ZERO
    return INT if abs(value) < 1 << 31 else LONG if abs(value) < 1 << 63 else BIG


def _field(kinds: Kinds, what: str, optional: bool) -> tuple[Type, str]:
    if not optional or not kinds > NONE:
        return one_type(kinds, what)
    kind, text = one_type(kinds - NONE, what)
    return nullable(kind), text


def _word(kind: Kind) -> str:
    if isinstance(kind, str):
        return _WORDS.get(kind, kind)
    return "list" if isinstance(kind, ListOf) else f"tuple of {len(kind.fields)}"


def sum_of(left: Kinds, op: ast.operator, right: Kinds, node: ast.AST) -> Kinds:
    """Return the kinds of what an operator makes; None raises in Python, and so has no result."""
    found: list[Kinds] = []
    for a in left - NONE:
        for b in right - NONE:
            found.append(_made(a, op, b, node))
    return merged(*found)


def _made(a: Kind, op: ast.operator, b: Kind, node: ast.AST) -> Kinds:
    if a in NUMBERS and b in NUMBERS:
        if isinstance(op, ast.Div):
            return FLOAT
        if isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod):
            return FLOAT if "float" in (a, b) else _integers(a, op, b)
        if isinstance(op, ast.Pow) and "float" not in (a, b) and _is_natural(node):
            return BIG
    match op, a, b:
        case ast.Add(), "str", "str":
            return STR
        case ast.Mod(), "str", _:
            return STR
        case ast.Add(), ListOf(), ListOf():
            return frozenset({ListOf(merged(a.element, b.element))})
        case ast.Add(), TupleOf(), TupleOf():
            return frozenset({TupleOf((*a.fields, *b.fields))})
        case ast.Mult(), ListOf() | "str", "int" | "zero":
            return frozenset({a})
    raise UnknownKind("the type of this operation is not known", node)


def _integers(a: Kind, op: ast.operator, b: Kind) -> Kinds:
    """Return the kinds of what an operator makes of integers."""
    small = {a, b} <= {"int", "zero", "bool"}
    match op:
        case ast.Add() | ast.Sub():
            return ZERO if a == b == "zero" else INT if small else BIG
        case ast.Mult():
            return LONG if small else BIG
    # a quotient is no larger than what is divided, a remainder than the divisor
    kept = a if isinstance(op, ast.FloorDiv) else b
    return INT if kept in ("zero", "bool") else frozenset({kept})


def _is_natural(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.right, ast.Constant)
        and isinstance(node.right.value, int)
        and node.right.value > 0
    )
