"""The types of what operators of Python give, and the formats whose result is a valid text."""

from __future__ import annotations

import ast
import operator
import re
import string
from collections.abc import Callable
from typing import Any

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
    tuple_of,
    words,
)

from .types import (
    ANY,
    SINGLE,
    SUM,
    WIDE,
    Bounded,
    SetOf,
    Unbounded,
    UnknownTypeError,
    comparable,
    ints,
    parts,
    printable,
    union_of,
    union_over_types,
)

Raised = set[type[BaseException]]
Whole = Long | Unbounded
NUMBERS = (Boolean, Long, Unbounded, Double)
WHOLE = (Boolean, Long, Unbounded)
FEW = 2**10
"""A multiple of up to so many is a sum of so many."""
LARGEST = 64
"""The largest exponent that is computed."""
OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
}
CHARACTER = re.compile(r"%[^%a-zA-Z]*[hlL]?c")
"""A format that makes a character of a number, which may be a surrogate and no valid text."""
PLAIN = ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod


def as_int(kind: Type) -> Type:
    """Return the integers that truth values are."""
    return Long(0, 1, SINGLE) if isinstance(kind, Boolean) else kind


def operation(op: ast.operator, left: Type, right: Type, raised: Raised) -> Type:
    """Return the type of what a binary operator gives of two values that are not None."""
    return union_over_types(lambda a, b: _operation(op, as_int(a), as_int(b), raised), left, right)


def _operation(op: ast.operator, left: Type, right: Type, raised: Raised) -> Type:
    match op, left, right:
        case ast.Mod(), String(), _:
            return _type_of_percent_format(right, raised)
        case _, Long() | Unbounded() | Double(), Long() | Unbounded() | Double():
            return _number(op, left, right, raised)
        case ast.Add(), String(), String():
            return String()
        case ast.Add(), Array(lazy=False), Array(lazy=False):
            return Array(union_of(left.element, right.element))
        case ast.Add(), Tuple(), Tuple():
            return tuple_of(*left.fields, *right.fields)
        case ast.Mult(), String() | Array(lazy=False), Long() | Unbounded():
            return left
    raise UnknownTypeError(f"this operation on {words(left)} and {words(right)} is not known")


def _type_of_percent_format(right: Type, raised: Raised) -> Type:
    fields = right.fields if isinstance(right, Tuple) else (right,)
    if not all(map(printable, fields)):
        raise UnknownTypeError(f"the text of {words(right)} is not known")
    raised |= {TypeError, ValueError, OverflowError}
    return String()


def _number(op: ast.operator, a: Whole | Double, b: Whole | Double, raised: Raised) -> Type:
    divides = isinstance(op, ast.Div | ast.FloorDiv | ast.Mod)
    if divides and not (isinstance(b, Long) and (b.lo > 0 or b.hi < 0)):
        raised.add(ZeroDivisionError)
    floats = isinstance(a, Double) or isinstance(b, Double)
    if isinstance(op, ast.Pow) or (
        (floats or isinstance(op, ast.Div))
        and (isinstance(a, Unbounded) or isinstance(b, Unbounded))
    ):
        raised.add(OverflowError)
    match op, a, b:
        case ast.Div(), Long() | Unbounded(), Long() | Unbounded():
            # a quotient of integers is no larger than what is divided
            return Bounded(whole=_whole(ast.FloorDiv(), a, b)) if a.bits <= SUM else Double()
        case ast.Mult(), Bounded(whole=Long() | Unbounded() as whole), Long() | Unbounded():
            return Bounded(whole=_whole(op, whole, b))
        case ast.Pow(), _, Long(lo=lo, hi=hi) if lo == hi >= 0 and floats:
            return Double()
        case (ast.Div(), _, _):
            return Double()
    if not floats:
        assert not isinstance(a, Double) and not isinstance(b, Double)
        return _whole(op, a, b)
    if isinstance(op, PLAIN):
        return Double()
    raise UnknownTypeError("a power of floats may be complex")


def _whole(op: ast.operator, a: Whole, b: Whole) -> Type:
    """Return the integers that an operator gives of integers.

    Their interval is proven; how many bits are enough for them in any job is another question.
    """
    bits = _bits(op, a, b)
    if isinstance(op, ast.Mod) and isinstance(b, Long):
        most = max(abs(b.lo), abs(b.hi), 1) - 1
        return ints(0 if b.lo > 0 else -most, 0 if b.hi < 0 else most, bits)
    if not isinstance(a, Long) or not isinstance(b, Long):
        if isinstance(op, PLAIN | ast.BitAnd | ast.BitOr | ast.BitXor) or _natural(op, b):
            return Unbounded(bits)
        raise UnknownTypeError("the size of this number is not known")
    most = max(abs(a.lo), abs(a.hi))
    match op:
        case ast.FloorDiv():
            return ints(0 if a.lo >= 0 and b.lo > 0 else -most, most, bits)
        case ast.BitAnd() | ast.BitOr() | ast.BitXor():
            return Long()
        case ast.Pow() | ast.LShift() if not 0 <= b.lo <= b.hi <= LARGEST:
            if _natural(op, b):
                return Unbounded()
            raise UnknownTypeError("the size of this number is not known")
        case ast.Pow() if a.lo < 0:
            return ints(-(most**b.hi), most**b.hi, bits)
    operation = OPERATORS.get(type(op))
    if operation is None:
        raise UnknownTypeError("the size of this number is not known")
    ends = [operation(x, y) for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
    return ints(min(ends), max(ends), bits)


def _natural(op: ast.operator, b: Whole) -> bool:
    """Return whether an operator is a power of integers that is an integer."""
    return isinstance(op, ast.Pow) and isinstance(b, Long) and b.lo >= 0


def _bits(op: ast.operator, a: Whole, b: Whole) -> int:
    """Return how many bits are enough for what an operator gives."""
    most = max(a.bits, b.bits)
    match op:
        case ast.FloorDiv():
            return a.bits
        case ast.Mod():
            return b.bits
        case ast.Add() | ast.Sub() if most <= SUM:
            return SUM
        case ast.Mult() if most == SINGLE and (_is_few(a) or _is_few(b)):
            return SUM
        case ast.Mult() if most <= SUM:
            return WIDE
    return ANY


def _is_few(kind: Whole) -> bool:
    return isinstance(kind, Long) and kind.lo == kind.hi and abs(kind.lo) <= FEW


def negative(kind: Type) -> Type:
    """Return the type of a number with the other sign."""
    return union_over_types(_negative, kind)


def _negative(kind: Type) -> Type:
    match as_int(kind):
        case Long(lo=lo, hi=hi, bits=bits):
            return ints(-hi, -lo, bits)
        case (Unbounded() | Double()) as found:
            return found
    raise UnknownTypeError(f"the negative of {words(kind)} is not known")


def elements(kind: Type) -> Type:
    """Return the type of the elements of a value that is not None."""
    return union_over_types(_elements, kind)


def _elements(kind: Type) -> Type:
    match kind:
        case Array(element=element):
            return element
        case SetOf():
            raise UnknownTypeError("the order of a set differs from process to process")
        case String():
            return String()
        case Tuple(fields=fields) if fields:
            return union_of(*fields)
    raise UnknownTypeError(f"the elements of {words(kind)} are not known")


def optional(kind: Type, always: bool) -> Type:
    """Return a type, with None if it is not always there."""
    return kind if always else nullable(kind)


def require_order(*kinds: Type) -> None:
    """Refuse values of which Python may not know which one is less."""
    plain = [present(kind) for kind in kinds]
    whole = union_of(*plain)
    numbers = all(isinstance(part, NUMBERS) for part in parts(whole))
    if not numbers and not comparable(whole):
        raise UnknownTypeError(f"an order of {' and '.join(map(words, plain))} is not known")


def check_percent(node: ast.expr) -> None:
    """Refuse a format for `%` that is not written there, or makes characters of numbers."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        raise UnknownTypeError("the format is not written there")
    if CHARACTER.search(node.value) or "%(" in node.value:
        raise UnknownTypeError("the format uses `%c` or named fields")


def check_spec(node: ast.expr) -> None:
    """Refuse a format of a part of an f-string that makes a character, or whose end is computed."""
    last = node.values[-1] if isinstance(node, ast.JoinedStr) and node.values else node
    if not (isinstance(last, ast.Constant) and isinstance(last.value, str)):
        raise UnknownTypeError("a format is computed")
    if last.value.endswith("c"):
        raise UnknownTypeError("the format uses `%c`")


def check_format(text: str) -> bool:
    """Return whether a format for `str.format` has plain
    fields, and makes no characters of numbers.
    """
    try:
        parts = [(name, spec) for _, name, spec, _ in string.Formatter().parse(text)]
    except ValueError:
        return False
    plain = all(not name or not set(".[") & set(name) for name, _ in parts)
    return plain and not any(spec and (spec.endswith("c") or "{" in spec) for _, spec in parts)
