"""What Python takes as true, and what a condition says about None."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .expressions import Call, Expression, Literal, Method, Not, Operator, When, number, text
from .raising import may_raise
from .refusals import Code
from .scope import Site
from .types import (
    LENGTH,
    Array,
    Boolean,
    Date,
    Dictionary,
    Double,
    Long,
    NoneType,
    Nullable,
    Record,
    String,
    Timestamp,
    Tuple,
    present,
    words,
)

TRUE, FALSE = Literal(Boolean(), True), Literal(Boolean(), False)


def truth(site: Site, value: Expression) -> Expression:
    """Return the condition that Python takes a value as true."""
    match value.type:
        case Boolean():
            return value
        case Long():
            return Operator(Boolean(), "!=", value, number(0))
        case Double():
            return Operator(Boolean(), "!=", value, Literal(Double(False, False), 0.0))
        case String():
            return Operator(Boolean(), "!=", value, text(""))
        case Array(lazy=False) | Dictionary():
            return Operator(Boolean(), ">", Call(LENGTH, "size", (value,)), number(0))
        case NoneType() if not may_raise(value):
            return FALSE
        case Date() | Timestamp() if not may_raise(value):
            return TRUE
        case Tuple() | Record() if not may_raise(value):
            return TRUE
        case Nullable(inner=inner):
            exists = Method(Boolean(), "isNotNull", value)
            return both(exists, truth(site, replace(value, type=inner)))
    site.refuse(Code.TYPE, f"the truth of {words(value.type)} is not translated")


def both(left: Expression, right: Expression) -> Expression:
    """Return a condition that evaluates its second part only if the first one holds."""
    if left == TRUE or (right == FALSE and not may_raise(left)):
        return right
    if left == FALSE or right == TRUE:
        return left
    if may_raise(right):
        return When(Boolean(), ((left, right),), FALSE)
    return Operator(Boolean(), "&", left, right)


def either(left: Expression, right: Expression) -> Expression:
    """Return a condition that evaluates its second part only if the first one does not hold."""
    if left == FALSE or (right == TRUE and not may_raise(left)):
        return right
    if left == TRUE or right == FALSE:
        return left
    if may_raise(right):
        return When(Boolean(), ((left, TRUE),), right)
    return Operator(Boolean(), "|", left, right)


def negate(condition: Expression) -> Expression:
    """Return the opposite of a condition."""
    match condition:
        case Literal(value=value):
            return FALSE if value else TRUE
        case Not(operand=operand):
            return operand
        case Method(name="isNull" | "isNotNull" as name, object=value):
            return Method(Boolean(), "isNotNull" if name == "isNull" else "isNull", value)
        case Operator(symbol="==" | "!=" as symbol):
            return replace(condition, symbol="!=" if symbol == "==" else "==")
    return Not(Boolean(), condition)


def not_none(condition: Expression, holds: bool = True) -> frozenset[Expression]:
    """Return the values that are not None if a condition holds, or if it does not."""
    return frozenset(_not_none(condition, holds))


def _not_none(condition: Expression, holds: bool) -> Iterator[Expression]:
    match condition:
        case Method(name="isNotNull", object=value) if holds:
            yield value
        case Method(name="isNull", object=value) if not holds:
            yield value
        case Not(operand=operand):
            yield from _not_none(operand, not holds)
        case Operator(symbol="&", left=left, right=right) if holds:
            yield from (*_not_none(left, True), *_not_none(right, True))
        case Operator(symbol="|", left=left, right=right) if not holds:
            yield from (*_not_none(left, False), *_not_none(right, False))
        case When(branches=((left, right),), otherwise=Literal(value=False)) if holds:
            yield from (*_not_none(left, True), *_not_none(right, True))


def assume(value: Expression, present_values: frozenset[Expression]) -> Expression:
    """Return a value without None in its type, if it is known not to be None."""
    if isinstance(value.type, Nullable) and value in present_values:
        return replace(value, type=present(value.type))
    return value
