"""The types that the translator knows: sets of Python values, and how Spark stores them.

A type is a promise about every value of an expression. Integers have an interval, so that sums and
products are proven to fit; floats say whether they may be NaN or infinite; a text may be known to
be ASCII. A text is valid UTF-8 in Spark and has no surrogates in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
LONG_MIN, LONG_MAX = -(2**63), 2**63 - 1
MAX_LENGTH = INT_MAX - 15
"""The longest text or array that Spark can hold (the longest array of Java)."""
EXACT_IN_DOUBLE = 2**53
"""Every whole number up to this one is a double."""


@dataclass(frozen=True)
class Type:
    """A set of values."""

    @property
    def word(self) -> str:
        """What messages call the values, where `words` has no name for them."""
        return type(self).__name__

    @property
    def children(self) -> tuple[Type, ...]:
        """The types that this one is made of."""
        values = (each if isinstance(each, tuple) else (each,) for each in vars(self).values())
        return tuple(each for several in values for each in several if isinstance(each, Type))


@dataclass(frozen=True)
class NoneType(Type):
    """None alone."""

    word = "None"


@dataclass(frozen=True)
class Never(Type):
    """No value: what raises, and the elements of an empty list."""

    word = "nothing"


@dataclass(frozen=True)
class Boolean(Type):
    """True and False."""

    word = "bool"


@dataclass(frozen=True)
class Long(Type):
    """Integers from `lo` to `hi`, which Spark stores in 32 or 64 `bits`."""

    word = "int"

    lo: int = LONG_MIN
    hi: int = LONG_MAX
    bits: int = 64

    @property
    def exact_in_double(self) -> bool:
        """Whether a cast to double keeps every value."""
        return self.lo >= -EXACT_IN_DOUBLE and self.hi <= EXACT_IN_DOUBLE


@dataclass(frozen=True)
class Double(Type):
    """Floats; `nan` and `inf` say whether these are among the values."""

    word = "float"

    nan: bool = True
    inf: bool = True


@dataclass(frozen=True)
class String(Type):
    """Texts; `ascii` if every character is known to be ASCII."""

    word = "str"

    ascii: bool = False


@dataclass(frozen=True)
class Unsettled(String):
    """Values of a JSON text, of which no use has told the type yet; taken as texts until then."""

    path: tuple[str, ...] = ()


@dataclass(frozen=True)
class CaseMapped(Type):
    """Texts in upper or lower case, of which only the ASCII characters are known.

    The case of other characters depends on the version of Unicode. No version maps one to another
    ASCII character than before, so a search for an ASCII text gives the same in all of them.
    """

    word = "str"


@dataclass(frozen=True)
class Binary(Type):
    """Bytes."""

    word = "bytes"


@dataclass(frozen=True)
class Timestamp(Type):
    """`datetime` without a time zone, Spark's ``timestamp_ntz``."""

    word = "datetime"


@dataclass(frozen=True)
class Date(Type):
    """`date`."""

    word = "date"


@dataclass(frozen=True)
class Array(Type):
    """Lists; with `lazy`, iterators and generators, which can only be read once."""

    element: Type
    lazy: bool = False


@dataclass(frozen=True)
class Dictionary(Type):
    """Dictionaries."""

    key: Type
    value: Type


@dataclass(frozen=True)
class Tuple(Type):
    """Tuples of a known length; Spark stores a struct with these field names."""

    names: tuple[str, ...]
    fields: tuple[Type, ...]
    attributes: bool = False
    """Whether the fields are attributes, too, as those of `Row` and of named tuples are."""
    maker: str = ""
    """The name of the class that a call made the tuples of: a named tuple's, or `Row`."""


@dataclass(frozen=True)
class Record(Type):
    """Dictionaries with the known keys of JSON objects; Spark stores a struct."""

    names: tuple[str, ...]
    fields: tuple[Type, ...]
    path: tuple[str, ...] | None = None
    """Where the objects are in a JSON text, if only the uses of keys tell which keys there are."""


@dataclass(frozen=True)
class Nullable(Type):
    """The values of another type, and None."""

    inner: Type


Shape = Tuple | Record
SIMPLE = (Boolean, Long, String, Binary, Date, Timestamp, NoneType, Nullable, Tuple)


def tuple_of(*fields: Type) -> Tuple:
    """Return a tuple whose fields have Spark's usual names, ``_1``, ``_2``..."""
    return Tuple(tuple(f"_{place}" for place in range(1, len(fields) + 1)), fields)


def int_of(lo: int, hi: int) -> Long:
    """Return integers of an interval that Spark stores in 32 bits."""
    return Long(lo, hi, bits=32)


LENGTH = int_of(0, MAX_LENGTH)


def nullable(kind: Type) -> Type:
    """Return a type with None."""
    return kind if isinstance(kind, Nullable | NoneType) else Nullable(kind)


def present(kind: Type) -> Type:
    """Return a type without None."""
    return kind.inner if isinstance(kind, Nullable) else kind


def walk(kind: Type) -> Iterator[Type]:
    """Yield a type and all that it is made of."""
    yield kind
    for each in kind.children:
        yield from walk(each)


def map_children(kind: Type, change: Callable[[Type], Type]) -> Type:
    """Return a type with each one that it is made of changed."""
    if isinstance(kind, Nullable):
        return nullable(change(kind.inner))
    changes: dict[str, Any] = {}
    for name, value in vars(kind).items():
        if isinstance(value, Type):
            changes[name] = change(value)
        elif isinstance(value, tuple) and value and isinstance(value[0], Type):
            changes[name] = tuple(map(change, value))
    return replace(kind, **changes) if changes else kind


def join(a: Type, b: Type) -> Type | None:
    """Return the smallest type that has the values of both,
    or None if a column cannot hold both.
    """
    match a, b:
        case (Never(), other) | (other, Never()):
            return other
        case (NoneType(), other) | (other, NoneType()):
            return nullable(other)
        case (Nullable(), _) | (_, Nullable()):
            inner = join(present(a), present(b))
            return inner and nullable(inner)
        case Long(), Long():
            return Long(min(a.lo, b.lo), max(a.hi, b.hi), max(a.bits, b.bits))
        case Double(), Double():
            return Double(a.nan or b.nan, a.inf or b.inf)
        case String(), String():
            return String(a.ascii and b.ascii)
        case Array(), Array() if a.lazy == b.lazy:
            element = join(a.element, b.element)
            return element and Array(element, a.lazy)
        case Dictionary(), Dictionary():
            key, value = join(a.key, b.key), join(a.value, b.value)
            return Dictionary(key, value) if key and value else None
        case Tuple(), Tuple():
            return _joined_fields(a, b)
        case Record(), Record():
            return _joined_fields(a, b)
    return a if a == b else None


def _joined_fields(a: Tuple | Record, b: Tuple | Record) -> Type | None:
    if a.names != b.names or maker_of(a) != maker_of(b):
        return None
    fields = [join(*pair) for pair in zip(a.fields, b.fields, strict=True)]
    joined = tuple(field for field in fields if field)
    return replace(a, fields=joined) if len(joined) == len(fields) else None


def maker_of(kind: Type) -> str:
    """Return the class of named tuples, or `Row`; empty for other types."""
    return kind.maker if isinstance(kind, Tuple) else ""


def known_ints(kind: Type) -> bool:
    """Return whether values are integers for Python's arithmetic: bool is one, too."""
    return isinstance(kind, Long | Boolean)


def simple(kind: Type) -> bool:
    """Return whether Spark and Python agree on equality and hashing of the values.

    Floats do not: NaN is unequal to itself in Python, and -0.0 is another value than 0.0 in print.
    Lists and dictionaries cannot be keys in Python.
    """
    return all(isinstance(each, SIMPLE) for each in walk(kind))


def words(kind: Type) -> str:
    """Return a type as messages name it."""
    match kind:
        case Array():
            return f"{'iterator' if kind.lazy else 'list'} of {words(kind.element)}"
        case Dictionary():
            return f"dict of {words(kind.key)} to {words(kind.value)}"
        case Tuple():
            return f"({', '.join(map(words, kind.fields))})"
        case Record():
            return f"{{{', '.join(kind.names)}}}"
        case Nullable():
            return f"{words(kind.inner)} or None"
    return kind.word
