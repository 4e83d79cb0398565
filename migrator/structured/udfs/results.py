"""The types of what operators of Python give."""

from __future__ import annotations

import ast

from dstream_compat.native.types import (
    Array,
    Boolean,
    Double,
    Long,
    String,
    Tuple,
    Type,
    nullable,
    present,
)

from .types import SetOf, Unbounded, UnknownTypeError, comparable, ints, named, printable, united

Raised = set[type[BaseException]]
NUMBERS = (Boolean, Long, Unbounded, Double)
WHOLE = (Boolean, Long, Unbounded)


def as_int(kind: Type) -> Type:
    """Return the integers that truth values are."""
    return Long(0, 1) if isinstance(kind, Boolean) else kind


def operation(op: ast.operator, left: Type, right: Type, raised: Raised) -> Type:
    """Return the type of what a binary operator gives of two values that are not None."""
    if isinstance(op, ast.Mod) and isinstance(left, String):
        return _formatted(right, raised)
    if isinstance(left, NUMBERS) and isinstance(right, NUMBERS):
        return _number(op, as_int(left), as_int(right), raised)
    match op, left, right:
        case ast.Add(), String(), String():
            return String()
        case ast.Add(), Array(lazy=False), Array(lazy=False):
            element = united(left.element, right.element)
            if element is not None:
                return Array(element)
        case ast.Add(), Tuple(), Tuple():
            fields = (*left.fields, *right.fields)
            return Tuple(tuple(f"_{n}" for n in range(1, len(fields) + 1)), fields)
        case ast.Mult(), String() | Array(lazy=False), Long():
            return left
    raise UnknownTypeError(f"this operation on {named(left)} and {named(right)} is not known")


def _formatted(right: Type, raised: Raised) -> Type:
    parts = right.fields if isinstance(right, Tuple) else (right,)
    if not all(map(printable, parts)):
        raise UnknownTypeError(f"the text of {named(right)} is not known")
    raised |= {TypeError, ValueError, OverflowError}
    return String()


def _number(op: ast.operator, a: Type, b: Type, raised: Raised) -> Type:
    divides = isinstance(op, ast.Div | ast.FloorDiv | ast.Mod)
    if divides and not (isinstance(b, Long) and (b.lo > 0 or b.hi < 0)):
        raised.add(ZeroDivisionError)
    floats = isinstance(a, Double) or isinstance(b, Double)
    unbounded = isinstance(a, Unbounded) or isinstance(b, Unbounded)
    if unbounded and (floats or isinstance(op, ast.Div)):
        raised.add(OverflowError)
    if isinstance(op, ast.Div):
        return Double()
    if floats:
        if isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod):
            return Double()
        raise UnknownTypeError("a power of floats may be complex")
    return _whole(op, a, b)


def _whole(op: ast.operator, a: Type, b: Type) -> Type:
    if isinstance(op, ast.Mod) and isinstance(b, Long):
        most = max(abs(b.lo), abs(b.hi))
        return ints(0 if b.lo > 0 else -most, most)
    if isinstance(a, Long) and isinstance(b, Long):
        most = max(abs(a.lo), abs(a.hi))
        match op:
            case ast.Add():
                return ints(a.lo + b.lo, a.hi + b.hi)
            case ast.Sub():
                return ints(a.lo - b.hi, a.hi - b.lo)
            case ast.Mult():
                ends = [x * y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
                return ints(min(ends), max(ends))
            case ast.FloorDiv():
                return ints(0 if a.lo >= 0 and b.lo > 0 else -most, most)
            case ast.BitAnd() | ast.BitOr() | ast.BitXor():
                return Long()
    if isinstance(op, ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod):
        return Unbounded()
    if isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor):
        return Unbounded()
    raise UnknownTypeError("the size of this number is not known")


def negative(kind: Type) -> Type:
    """Return the type of a number with the other sign."""
    found = as_int(kind)
    if isinstance(found, Long):
        return ints(-found.hi, -found.lo)
    if isinstance(found, Unbounded | Double):
        return found
    raise UnknownTypeError(f"the negative of {named(kind)} is not known")


def ordered(kinds: list[Type]) -> None:
    """Refuse values of which Python may not know which one is less."""
    plain = [present(each) for each in kinds]
    numbers = all(isinstance(each, NUMBERS) for each in plain)
    whole: Type | None = plain[0]
    for each in plain[1:]:
        whole = None if whole is None else united(whole, each)
    if not numbers and (whole is None or not comparable(whole)):
        raise UnknownTypeError(f"an order of {' and '.join(map(named, plain))} is not known")


def elements(kind: Type) -> Type:
    """Return the type of the elements of a value that is not None."""
    match kind:
        case Array(element=element):
            return element
        case SetOf():
            raise UnknownTypeError("the order of a set differs from process to process")
        case String():
            return String()
        case Tuple(fields=fields):
            whole: Type | None = fields[0] if fields else None
            for each in fields[1:]:
                whole = None if whole is None else united(whole, each)
            if whole is not None:
                return whole
    raise UnknownTypeError(f"the elements of {named(kind)} are not known")


def optional(kind: Type, always: bool) -> Type:
    """Return a type, with None if it is not always there."""
    return kind if always else nullable(kind)
