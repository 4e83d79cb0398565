"""The types of a function's values that a column need not have, and schemas of those that it can.

A type is a promise as in `dstream_compat.native.types`. A UDF gives NULL, or another value, for a
result that is not of its declared type, so a schema is written only for a type that is certain.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce
from itertools import product

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
    kind : Type
        the type
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
    value : Expression
        the expression
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
