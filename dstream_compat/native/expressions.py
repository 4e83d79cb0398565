"""Expressions between Python and Spark: what a function computes, with the type of each part.

A node is immutable and hashable; equal nodes compute the same. Every operation is one of Spark's,
so back ends only print or call. The front end decides which operations are exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .types import (
    INT_MAX,
    INT_MIN,
    Boolean,
    Double,
    Long,
    Never,
    NoneType,
    String,
    Tuple,
    Type,
    tuple_of,
)


@dataclass(frozen=True)
class Expression:
    """A part of a translated function."""

    type: Type


@dataclass(frozen=True)
class Column(Expression):
    """A column of the input, by its name."""

    name: str


@dataclass(frozen=True)
class Variable(Expression):
    """The argument of a function of an array's elements."""

    name: str


@dataclass(frozen=True)
class Literal(Expression):
    """A constant."""

    value: Any


@dataclass(frozen=True)
class Given(Expression):
    """A whole number that a variable of the program has when the column is made."""

    name: str


@dataclass(frozen=True)
class Call(Expression):
    """A function of ``pyspark.sql.functions``."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Method(Expression):
    """A method of a column, such as ``contains``."""

    name: str
    object: Expression
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True)
class Operator(Expression):
    """An infix operator of columns."""

    symbol: str
    left: Expression
    right: Expression


@dataclass(frozen=True)
class Not(Expression):
    """The negation of a condition."""

    operand: Expression


@dataclass(frozen=True)
class Struct(Expression):
    """A tuple: its fields, whose names are those of the type."""

    fields: tuple[Expression, ...]


@dataclass(frozen=True)
class GetField(Expression):
    """A field of a struct."""

    object: Expression
    name: str


@dataclass(frozen=True)
class GetItem(Expression):
    """An element of an array, or a value of a map."""

    object: Expression
    index: Expression


@dataclass(frozen=True)
class When(Expression):
    """The value of the first condition that holds."""

    branches: tuple[tuple[Expression, Expression], ...]
    otherwise: Expression


@dataclass(frozen=True)
class OverArray(Expression):
    """``transform`` or ``filter``: a function of each element of an array."""

    function: str
    array: Expression
    variable: Variable
    body: Expression


@dataclass(frozen=True)
class Fold(Expression):
    """``aggregate``: a function of two arguments over an array, from a first value."""

    array: Expression
    initial: Expression
    variables: tuple[Variable, Variable]
    body: Expression


@dataclass(frozen=True)
class Cast(Expression):
    """A value as another type of Spark."""

    operand: Expression
    to: str


@dataclass(frozen=True)
class Raise(Expression):
    """An error; the message may use columns."""

    message: Expression


def children(node: Expression) -> Iterator[Expression]:
    """Yield the parts of a node, in the order of evaluation."""
    match node:
        case Call():
            yield from node.arguments
        case Method():
            yield node.object
            yield from node.arguments
        case Operator():
            yield from (node.left, node.right)
        case Not() | Cast():
            yield node.operand
        case Struct():
            yield from node.fields
        case GetField():
            yield node.object
        case GetItem():
            yield from (node.object, node.index)
        case When():
            for branch in node.branches:
                yield from branch
            yield node.otherwise
        case OverArray():
            yield from (node.array, node.body)
        case Fold():
            yield from (node.array, node.initial, node.body)
        case Raise():
            yield node.message


def walk(node: Expression) -> Iterator[Expression]:
    """Yield a node and all parts of it."""
    yield node
    for child in children(node):
        yield from walk(child)


def literal(value: Any) -> Literal | None:
    """Return a constant of Python, or None if it has no counterpart."""
    match value:
        case None:
            return Literal(NoneType(), None)
        case bool():
            return Literal(Boolean(), value)
        case int():
            bits = 32 if INT_MIN <= value <= INT_MAX else 64
            return Literal(Long(value, value, bits), value) if -(2**63) <= value < 2**63 else None
        case float():
            finite = value - value == 0
            return Literal(Double(nan=value != value, inf=not finite), value) if finite else None
        case str():
            return Literal(String(value.isascii()), value) if storable(value) else None
    return None


def storable(value: str) -> bool:
    """Return whether a text has no surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in value)


def constant(value: Any) -> Expression | None:
    """Return a constant, or a tuple of constants; None if it has no counterpart."""
    if isinstance(value, tuple):
        fields = [constant(field) for field in value]
        literals = tuple(field for field in fields if field is not None)
        return struct(literals) if len(literals) == len(fields) and literals else None
    return literal(value)


def struct(fields: tuple[Expression, ...], names: tuple[str, ...] | None = None) -> Struct:
    """Return a tuple of expressions."""
    kinds = tuple(each.type for each in fields)
    return Struct(Tuple(names, kinds) if names else tuple_of(*kinds), fields)


def text(value: str) -> Literal:
    """Return a constant text."""
    return Literal(String(value.isascii()), value)


def number(value: int) -> Literal:
    """Return a constant integer, which fits into 64 bits."""
    result = literal(value)
    assert result is not None
    return result


def error(message: str, *rest: Expression) -> Raise:
    """Return an error whose message is a text, or a text and what follows it."""
    parts = (text(message), *rest)
    whole = parts[0] if not rest else Call(String(), "concat", parts)
    return Raise(Never(), whole)


def guard(condition: Expression, value: Expression, message: str, *rest: Expression) -> When:
    """Return a value where a condition holds, and an error elsewhere."""
    return When(value.type, ((condition, value),), error(message, *rest))
