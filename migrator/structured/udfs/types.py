"""The types of a function's values that a column need not have, and schemas of those that it can.

A type is a promise as in `dstream_compat.native.types`. A UDF gives NULL, or another value, for a
result that is not of its declared type, so a schema is written only for a type that is certain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dstream_compat.native.types import (
    INT_MAX,
    INT_MIN,
    LONG_MAX,
    LONG_MIN,
    Array,
    Boolean,
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
    words,
)

MOST = 2**40
"""More characters or elements than fit into the memory of a worker."""
LENGTH = Long(0, MOST)


@dataclass(frozen=True)
class Unbounded(Type):
    """Integers of any size."""


@dataclass(frozen=True)
class SetOf(Type):
    """Sets."""

    element: Type


@dataclass(frozen=True)
class Pattern(Type):
    """Compiled regular expressions.

    Parameters
    ----------
    groups : tuple of bool
        its groups: whether each one is in every match
    """

    groups: tuple[bool, ...]


@dataclass(frozen=True)
class Match(Type):
    """What a regular expression has found."""

    groups: tuple[bool, ...]


class UnknownTypeError(Exception):
    """A function has no type that is certain, or has effects."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def ints(lo: int, hi: int) -> Type:
    """Return integers of an interval; without bounds if it does not fit into 64 bits."""
    return Long(lo, hi) if lo >= LONG_MIN and hi <= LONG_MAX else Unbounded()


def united(a: Type, b: Type) -> Type | None:
    """Return the type of a value that is of one of two types, None if there is none."""
    match a, b:
        case (Never(), other) | (other, Never()):
            return other
        case (NoneType(), other) | (other, NoneType()):
            return nullable(other)
        case (Nullable(), _) | (_, Nullable()):
            inner = united(present(a), present(b))
            return inner and nullable(inner)
        case (Unbounded(), Long() | Unbounded()) | (Long(), Unbounded()):
            return Unbounded()
        case Tuple(), Tuple() if len(a.fields) == len(b.fields):
            fields = [united(*pair) for pair in zip(a.fields, b.fields, strict=True)]
            known = tuple(each for each in fields if each is not None)
            pairs = zip(a.names, b.names, strict=True)
            names = tuple(y if x.startswith("_") else x for x, y in pairs)
            whole = Tuple(names, known, a.attributes or b.attributes)
            return whole if len(known) == len(fields) else None
        case Array(), Array() if a.lazy == b.lazy:
            element = united(a.element, b.element)
            return element and Array(element, a.lazy)
        case SetOf(), SetOf():
            element = united(a.element, b.element)
            return element and SetOf(element)
    return join(a, b)


def named(kind: Type) -> str:
    """Return a type as messages name it."""
    match kind:
        case Unbounded():
            return "int"
        case SetOf():
            return "a set"
        case Pattern() | Match():
            return "an object of `re`"
        case Nullable(inner=inner):
            return f"{named(inner)} or None"
        case Never():
            return "nothing"
        case Tuple(fields=fields):
            return f"({', '.join(map(named, fields))})"
        case Array(element=element):
            return f"{'iterator' if kind.lazy else 'list'} of {named(element)}"
    return words(kind)


def stored(kind: Type, what: str, unsafe: bool = False) -> Type:
    """Return a type of results as Spark has it in a column.

    Raises
    ------
    UnknownTypeError
        if Spark has no such type
    """
    match kind:
        case Nullable(inner=inner):
            return nullable(stored(inner, what, unsafe))
        case Boolean() | String():
            return kind
        case Double():
            return Double()
        case Long(lo=lo, hi=hi):
            return Long(lo, hi, 32 if lo >= INT_MIN and hi <= INT_MAX else 64)
        case Unbounded():
            if unsafe:
                return Long()
            raise UnknownTypeError(f"{what} is an integer that may not fit into 64 bits")
        case Array(element=element, lazy=False) if not isinstance(element, Never):
            return Array(stored(element, f"an element of {what}", unsafe))
        case Tuple(fields=fields) if fields:
            kinds = tuple(stored(each, f"a field of {what}", unsafe) for each in fields)
            return replace(kind, fields=kinds, attributes=False)
    raise UnknownTypeError(f"{what} is {named(kind)}")


def schema(kind: Type) -> str:
    """Return a stored type as Spark writes it."""
    match kind:
        case Nullable(inner=inner):
            return schema(inner)
        case Boolean():
            return "boolean"
        case String():
            return "string"
        case Double():
            return "double"
        case Long(bits=bits):
            return "int" if bits == 32 else "bigint"
        case Array(element=element):
            return f"array<{schema(element)}>"
        case Tuple(names=names, fields=fields):
            pairs = zip(names, fields, strict=True)
            return f"struct<{', '.join(f'{name}: {schema(each)}' for name, each in pairs)}>"
    raise AssertionError(f"no schema for {kind!r}")


def hashed_by_value(kind: Type) -> bool:
    """Return whether equal values are one in a set: NaN is unequal to itself."""
    match kind:
        case Tuple(fields=fields):
            return all(map(hashed_by_value, fields))
        case Nullable(inner=inner):
            return hashed_by_value(inner)
    return not isinstance(kind, Double)


def hashable(kind: Type) -> bool:
    """Return whether values can be keys and elements of sets."""
    match kind:
        case Tuple(fields=fields):
            return all(map(hashable, fields))
        case Nullable(inner=inner):
            return hashable(inner)
    return isinstance(kind, NoneType | Boolean | Long | Unbounded | Double | String | Never)


def has_integers(kind: Type) -> bool:
    """Return whether a value may have integers of any size in it."""
    match kind:
        case Tuple(fields=fields):
            return any(map(has_integers, fields))
        case Nullable(inner=inner) | Array(element=inner):
            return has_integers(inner)
    return isinstance(kind, Unbounded)


def printable(kind: Type) -> bool:
    """Return whether `str` gives a text without surrogates, and the same in each process."""
    match kind:
        case Nullable(inner=inner) | Array(element=inner, lazy=False):
            return printable(inner)
        case Tuple(fields=fields):
            return not kind.attributes and all(map(printable, fields))
    return isinstance(kind, NoneType | Boolean | Long | Unbounded | Double | String | Never)


def comparable(kind: Type) -> bool:
    """Return whether any two values have an order."""
    match kind:
        case Tuple(fields=fields):
            return all(map(comparable, fields))
    return isinstance(kind, Boolean | Long | Unbounded | Double | String | Never)
