"""The types of what built-in functions of Python give, None for those that are not known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dstream_compat.native.types import Array, Boolean, Double, Long, Never, String, Type, tuple_of

from .methods import ALONE, TEXTS
from .results import NUMBERS, as_int, elements, negative, ordered
from .types import LENGTH, Unbounded, ints

if TYPE_CHECKING:
    from .function_facts import Following

FLOATS = ("sqrt", "log", "log10", "log2", "log1p", "exp", "sin", "cos", "tan", "atan", "fabs")


def converted(here: Following, name: str, given: list[Type]) -> Type | None:
    """Return the type of what `int`, `float`, `str` and `bool` give."""
    match name, given:
        case "int", [String()] | [String(), Long()]:
            here.raised.add(ValueError)
            return Unbounded()
        case "int", [Double()]:
            here.raised |= {ValueError, OverflowError}
            return Unbounded()
        case "int", [Boolean() | Long() | Unbounded() as one]:
            return as_int(one)
        case "float", [String()]:
            here.raised.add(ValueError)
            return Double()
        case "float", [Boolean() | Long() | Unbounded() | Double() as one]:
            if isinstance(one, Unbounded):
                here.raised.add(OverflowError)
            return Double()
        case "str", [one]:
            return here.text_of(one)
        case "bool", [one]:
            here.truth(one)
            return Boolean()
    return None


def number_of(here: Following, name: str, given: list[Type]) -> Type | None:
    """Return the type of what functions of numbers give."""
    match name, given:
        case "abs", [one] if isinstance(one, NUMBERS):
            other = negative(one)
            if isinstance(other, Long):
                return ints(0, max(abs(other.lo), abs(other.hi)))
            return other
        case "round", [Double()]:
            here.raised |= {ValueError, OverflowError}
            return Unbounded()
        case "round", [Double(), Long()]:
            here.raised.add(OverflowError)
            return Double()
        case "ord", [String()]:
            here.raised.add(TypeError)
            return Long(0, 0x10FFFF)
        case "min" | "max", [_, _, *_]:
            ordered([here.here(each) for each in given])
            return here.joined([here.here(each) for each in given])
        case "sum", [one, Double()]:
            if isinstance(elements(here.here(one)), Double | Long | Boolean):
                return Double()
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
        case "range", [_, *_] if all(isinstance(each, Long) for each in given):
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
    ends = [each for each in given if isinstance(each, Long)]
    if len(ends) == 1:
        return ints(0, max(0, ends[0].hi - 1))
    return ints(min(each.lo for each in ends[:2]), max(each.hi for each in ends[:2]))


def math_of(here: Following, name: str, given: list[Type]) -> Type | None:
    """Return the type of what a function of the module `math` gives."""
    module, _, function = name.rpartition(".")
    if module != "math" or not given or not all(isinstance(each, NUMBERS) for each in given):
        return None
    if any(isinstance(each, Unbounded) for each in given):
        here.raised.add(OverflowError)
    if function in FLOATS and len(given) == 1:
        here.raised |= {ValueError, OverflowError}
        return Double()
    if function in ("floor", "ceil") and len(given) == 1:
        here.raised |= {ValueError, OverflowError}
        return Unbounded() if isinstance(given[0], Double) else as_int(given[0])
    if function in ("isnan", "isinf") and len(given) == 1:
        return Boolean()
    if function in ("pow", "hypot", "atan2") and len(given) == 2:
        here.raised |= {ValueError, OverflowError}
        return Double()
    return None
