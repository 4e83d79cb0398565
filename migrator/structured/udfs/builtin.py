"""The types of what built-in functions of Python give, None for those that are not known."""

from __future__ import annotations

from dstream_compat.native.types import (
    Array,
    Boolean,
    Double,
    Long,
    Never,
    NoneType,
    String,
    Type,
    tuple_of,
)

from .comparisons import ordered
from .following import Following
from .methods import ALONE, TEXTS
from .results import NUMBERS, as_int, elements, negative
from .types import LENGTH, SUM, ZERO, Bounded, Unbounded, ints, union_of

NOW = Bounded(whole=Long(0, 2**33, SUM))
"""The time of the day, in seconds."""
SURROGATES = 0xD7FF, 0xE000
FLOATS = ("sqrt", "log", "log10", "log2", "log1p", "exp", "sin", "cos", "tan", "atan", "fabs")


def converted(here: Following, name: str, given: list[Type]) -> Type | None:
    """Return the type of what `int`, `float`, `str` and `bool` give."""
    match name, given:
        case "int", [String()] | [String(), Long()]:
            here.raised.add(ValueError)
            return Unbounded()
        case "int", [Double() as one]:
            here.raised |= {ValueError, OverflowError}
            return _whole(one)
        case "int", [Boolean() | Long() | Unbounded() as one]:
            return as_int(one)
        case "float", [String()]:
            here.raised.add(ValueError)
            return Double()
        case "float", [Boolean() | Long() | Unbounded() | Double() as one]:
            if isinstance(one, Unbounded):
                here.raised.add(OverflowError)
            return Double()
        case "str" | "repr", [one]:
            return here.text_of(one)
        case "bool", [one]:
            here.truth(one)
            return Boolean()
    return None


def _whole(kind: Double) -> Type:
    """Return the integers that floats are rounded to."""
    return kind.whole if isinstance(kind, Bounded) else Unbounded()


def number_of(here: Following, name: str, given: list[Type]) -> Type | None:
    """Return the type of what functions of numbers give."""
    match name, given:
        case "abs", [one] if isinstance(one, NUMBERS):
            other = negative(one)
            if isinstance(other, Long):
                return ints(0, max(abs(other.lo), abs(other.hi)), other.bits)
            return other
        case "round", [Double() as one]:
            here.raised |= {ValueError, OverflowError}
            return _whole(one)
        case "round", [Double(), Long()]:
            here.raised.add(OverflowError)
            return Double()
        case "round", [Boolean() | Long() | Unbounded() as one, *_] if len(given) < 3:
            digits = given[1] if len(given) > 1 else ZERO
            if isinstance(digits, Long) and digits.lo >= 0:
                return as_int(one)
        case "ord", [String()]:
            here.raised.add(TypeError)
            return Long(0, 0x10FFFF, 32)
        case "chr", [Long(lo=lo, hi=hi)] if 0 <= lo <= hi < SURROGATES[0] or (
            SURROGATES[1] < lo <= hi <= 0x10FFFF
        ):
            return String()
        case "min" | "max", [_, _, *_]:
            ordered(*map(here.here, given))
            return union_of(*map(here.here, given))
        case "time.time", []:
            return NOW
        case "print", _:
            return NoneType()
    return None


def iterated(here: Following, name: str, given: list[Type]) -> Type | None:
    """Return the type of what functions of iterables give."""
    match name, given:
        case "list", [one]:
            return Array(elements(here.here(one)))
        case "list", []:
            return Array(Never())
        case "reversed", [one]:
            return Array(elements(here.here(one)), lazy=True)
        case "enumerate", [one]:
            return Array(tuple_of(LENGTH, elements(here.here(one))), lazy=True)
        case "zip", [_, *_]:
            return Array(tuple_of(*(elements(here.here(each)) for each in given)), lazy=True)
        case "range", [_, *_] if all(isinstance(each, Long | Boolean) for each in given):
            if len(given) > 2:
                here.raised.add(ValueError)
            return Array(_range(given), lazy=True)
    return None


def of_text(here: Following, name: str, given: list[Type]) -> Type | None:
    """Return the type of what a method of the class `str` gives, where it is a function."""
    method = name.removeprefix("str.")
    if method == name or len(given) != 1 or not isinstance(given[0], String):
        return None
    return TEXTS[method][0] if method in ALONE else None


def _range(given: list[Type]) -> Type:
    ends = [each for each in map(as_int, given) if isinstance(each, Long)]
    bits = max(each.bits for each in ends)
    if len(ends) == 1:
        return ints(0, max(0, ends[0].hi - 1), bits)
    return ints(min(each.lo for each in ends[:2]), max(each.hi for each in ends[:2]), bits)


def math_of(here: Following, name: str, given: list[Type]) -> Type | None:
    """Return the type of what a function of the module `math` gives."""
    module, _, function = name.rpartition(".")
    if module != "math" or not given or not all(isinstance(each, NUMBERS) for each in given):
        return None
    if any(isinstance(each, Unbounded) for each in given):
        here.raised.add(OverflowError)
    if function in FLOATS and len(given) == (2 if function == "log" and len(given) == 2 else 1):
        here.raised |= {ValueError, OverflowError}
        return Double()
    if function in ("floor", "ceil") and len(given) == 1:
        here.raised |= {ValueError, OverflowError}
        return _whole(given[0]) if isinstance(given[0], Double) else as_int(given[0])
    if function in ("isnan", "isinf") and len(given) == 1:
        return Boolean()
    if function in ("pow", "hypot", "atan2") and len(given) == 2:
        here.raised |= {ValueError, OverflowError}
        return Double()
    return None
