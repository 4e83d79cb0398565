"""The types of a function's values, what operators of Python give of them, and their schemas.

A type is a promise as in `dstream_compat.native.types`. A UDF gives NULL, or another value, for a
result that is not of its declared type, so a schema is written only for a type that is certain.
"""

from __future__ import annotations

import ast
import operator
import re
import string
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product
from typing import Any

from dstream_compat.native import types
from dstream_compat.native.expressions import Expression, Struct
from dstream_compat.native.types import (
    INT_MAX,
    INT_MIN,
    LONG_MAX,
    LONG_MIN,
    Array,
    Boolean,
    CaseMapped,
    Dictionary,
    Double,
    Long,
    Never,
    NoneType,
    Nullable,
    String,
    Tuple,
    Type,
    join,
    nullable,
    present,
    tuple_of,
    walk,
    words,
)

SINGLE, SUM, WIDE, ANY = 32, 48, 64, 128
"""How many bits are enough for integers: of one of 32 bits, of a sum of such, which no job makes
so long that it leaves 64 bits, of a product of two of these; of any integer."""
MOST = 2**40
"""More characters or elements than fit into the memory of a worker."""
LENGTH = Long(0, MOST, SINGLE)


@dataclass(frozen=True)
class Unbounded(Type):
    """Integers that are not proven to fit into 64 bits.

    Parameters
    ----------
    bits : int
        how many are enough in any job
    """

    bits: int = ANY
    word = "int"


@dataclass(frozen=True)
class Certain(Boolean):
    """True alone, or False alone."""

    value: bool


@dataclass(frozen=True)
class Bounded(Double):
    """Floats that are no larger than some integers, as quotients of these are."""

    whole: Type = Unbounded()
    children = ()


@dataclass(frozen=True)
class SetOf(Type):
    """Sets."""

    element: Type
    word = "a set"


@dataclass(frozen=True)
class Pattern(Type):
    """Compiled regular expressions.

    Parameters
    ----------
    groups : tuple of bool
        its groups: whether each one is in every match
    """

    groups: tuple[bool, ...]
    word = "an object of `re`"


@dataclass(frozen=True)
class Match(Type):
    """What a regular expression has found."""

    groups: tuple[bool, ...]
    word = "an object of `re`"


@dataclass(frozen=True)
class Mixed(Type):
    """The values of several types that no type has together."""

    kinds: tuple[Type, ...]

    @property
    def word(self) -> str:
        """What messages call them."""
        floats = any(isinstance(kind, Double) for kind in self.kinds)
        zero = ZERO if floats else None
        return " or ".join("the integer 0" if e == zero else words(e) for e in self.kinds)


ZERO = Long(0, 0, SINGLE)
SCALARS = (NoneType, Never, Boolean, Long, Unbounded, Double, String, Tuple)
HASHABLE = (*SCALARS, Nullable, Mixed)
ORDERED = (Never, Boolean, Long, Unbounded, Double, String, Tuple, Array)


class UnknownTypeError(Exception):
    """A function has no type that is certain, or has effects."""

    def __init__(self, text: str, node: ast.AST | None = None) -> None:
        super().__init__(text)
        self.text = text
        self.node = node


def ints(lo: int, hi: int, bits: int = ANY) -> Type:
    """Return integers of an interval, for which so many bits are enough."""
    if lo < LONG_MIN or hi > LONG_MAX:
        return Unbounded(bits)
    return Long(lo, hi, SINGLE if lo >= INT_MIN and hi <= INT_MAX else min(bits, WIDE))


def is_lazy(kind: Type) -> bool:
    """Return whether a value is an iterator, which can only be read once."""
    return bool(getattr(kind, "lazy", False))


def parts(kind: Type) -> tuple[Type, ...]:
    """Return the types that a value may have, without None if it is not all."""
    match kind:
        case Mixed(kinds=kinds):
            return kinds
        case Never():
            return ()
    return (kind,)


def union_over_types(function: Callable[..., Type], *kinds: Type) -> Type:
    """Return the type of what a function gives for values of several types."""
    return union_of(*(function(*combination) for combination in product(*map(parts, kinds))))


def map_children(kind: Type, change: Callable[[Type], Type]) -> Type:
    """Return a type with each one that it is made of changed."""
    return (
        union_over_types(change, kind)
        if isinstance(kind, Mixed)
        else types.map_children(kind, change)
    )


def union_of(*kinds: Type) -> Type:
    """Return the type of a value that is of one of some types."""
    nothing: Type = Never()
    return reduce(_either, kinds, nothing)


def _either(a: Type, b: Type) -> Type:
    match a, b:
        case (Never(), other) | (other, Never()):
            return other
        case (NoneType(), other) | (other, NoneType()):
            return nullable(other)
        case (Nullable(), _) | (_, Nullable()):
            return nullable(_either(present(a), present(b)))
    whole = list(parts(a))
    for new in parts(b):
        both = [_one(old, new) for old in whole]
        place = next((place for place, kind in enumerate(both) if kind is not None), len(whole))
        whole[place : place + 1] = [both[place] or new if place < len(whole) else new]
    return whole[0] if len(whole) == 1 else Mixed(tuple(sorted(whole, key=repr)))


def _one(a: Type, b: Type) -> Type | None:
    """Return the type that has the values of two types, None if there is none."""
    match a, b:
        case _ if a == b:
            return a
        case Boolean(), Boolean():
            return Boolean()
        case (Unbounded(bits=bits), Long(bits=other) | Unbounded(bits=other)) | (
            Long(bits=bits),
            Unbounded(bits=other),
        ):
            return Unbounded(max(bits, other))
        case Tuple(), Tuple() if len(a.fields) == len(b.fields):
            fields = tuple(union_of(*pair) for pair in zip(a.fields, b.fields, strict=True))
            pairs = zip(a.names, b.names, strict=True)
            names = tuple(y if x.startswith("_") else x for x, y in pairs)
            return Tuple(names, fields, a.attributes or b.attributes)
        case Array() | SetOf() | Dictionary(), _ if type(a) is type(b) and is_lazy(a) == is_lazy(b):
            others = iter(a.children)
            return map_children(b, lambda each: union_of(next(others), each))
    return join(a, b)


def widen(before: Type, after: Type) -> Type:
    """Return a type after a round, with integers that have grown in it as those of any interval."""
    if before == after or isinstance(before, Never | NoneType):
        return after
    if isinstance(after, Long):
        return Unbounded(max(after.bits, SUM))
    if isinstance(after, Nullable):
        return map_children(after, lambda inner: widen(present(before), inner))
    if isinstance(after, Mixed):
        kinds_before = {type(part): part for part in parts(before)}
        return map_children(after, lambda each: widen(kinds_before.get(type(each), each), each))
    old = iter(before.children)
    same = type(before) is type(after) and len(before.children) == len(after.children)
    return map_children(after, lambda each: widen(next(old), each)) if same else after


def stored_type(kind: Type, what: str, most: int = 0) -> Type:
    """Return a type of results as Spark has it in a column.

    Parameters
    ----------
    what : str
        what has it, for messages
    most : int
        of how many bits an integer may be that is not proven to fit into 64 bits

    Raises
    ------
    UnknownTypeError
        if Spark has no such type
    """
    match kind:
        case Nullable():
            return map_children(kind, lambda inner: stored_type(inner, what, most))
        case String():
            return kind
        case Boolean() | Double():
            return Boolean() if isinstance(kind, Boolean) else Double()
        case Long(lo=lo, hi=hi):
            return Long(lo, hi, 32 if lo >= INT_MIN and hi <= INT_MAX else 64)
        case Unbounded(bits=bits):
            if bits <= most:
                return Long()
            raise UnknownTypeError(f"{what} is an integer that may not fit into 64 bits")
        case Array(element=element, lazy=False) if not isinstance(element, Never):
            return map_children(kind, lambda each: stored_type(each, f"an element of {what}", most))
        case Tuple(fields=fields) if fields:
            kind_found = map_children(
                kind, lambda each: stored_type(each, f"a field of {what}", most)
            )
            assert isinstance(kind_found, Tuple)
            return replace(kind_found, attributes=False)
    raise UnknownTypeError(f"{what} is {words(kind)}")


def argument(value: Expression, rows: bool) -> Type:
    """Return the type of what Python is given for an expression.

    Parameters
    ----------
    rows : bool
        whether tuples of columns are rows, as those that are columns are
    """
    if isinstance(value, Struct):
        kind = tuple_of(*(argument(field, rows) for field in value.fields))
        return replace(kind, attributes=rows)
    return python_type(value.type)


def python_type(kind: Type) -> Type:
    """Return the type of what Python is given for a column."""
    match kind:
        case CaseMapped():
            return String()
        case Nullable() | Array(lazy=False) | Dictionary():
            return map_children(kind, python_type)
        case Tuple():
            return map_children(replace(kind, attributes=True), python_type)
        case Long(lo=lo, hi=hi, bits=bits):
            return ints(lo, hi, bits)
        case Boolean() | Double() | String() | NoneType():
            return kind
    raise UnknownTypeError(f"its records are {words(kind)}")


def hashable(kind: Type) -> bool:
    """Return whether values can be keys and elements of sets."""
    return all(isinstance(part, HASHABLE) for part in walk(kind))


def is_hashed_by_value(kind: Type) -> bool:
    """Return whether equal values are one in a set: NaN is unequal to itself."""
    return not any(isinstance(part, Double) for part in walk(kind))


def has_integers(kind: Type, bits: int = 0) -> bool:
    """Return whether a value may have integers of more bits in it, which are not proven to fit."""
    return any(isinstance(part, Unbounded) and part.bits > bits for part in walk(kind))


def printable(kind: Type) -> bool:
    """Return whether `str` gives a text without surrogates, and the same in each process."""
    return all(
        isinstance(part, (*HASHABLE, Array))
        and not (is_lazy(part) or getattr(part, "attributes", False))
        for part in walk(kind)
    )


def comparable(kind: Type) -> bool:
    """Return whether any two values have an order."""
    return all(isinstance(part, ORDERED) for part in walk(kind))


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
