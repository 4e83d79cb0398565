"""What a function of new values and a state computes, case by case, in symbols.

A case says whether there is a state and whether there are new values, so that tests of these are
decided. What is not understood raises `UnknownForm`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

Path = tuple[int, ...]


class UnknownForm(Exception):
    """The function is not one of those that are known."""


class Old(Enum):
    """The state that a function is given."""

    NONE = "no state"
    SOME = "a state that is true"
    ZERO = "the state 0"
    EMPTY = "the state []"


@dataclass(frozen=True)
class Absent:
    """None."""


@dataclass(frozen=True)
class Before:
    """The state, or a field of it."""

    path: Path = ()


@dataclass(frozen=True)
class Element:
    """A new value in a loop, or a field of it."""

    path: Path = ()


@dataclass(frozen=True)
class Sum:
    """A sum of terms, each with a factor, and a number."""

    terms: frozenset[tuple[Any, float]] = frozenset()
    number: float = 0

    def plus(self, other: Sum, factor: float = 1) -> Sum:
        """Return the sum of both."""
        found = dict(self.terms)
        for term, times in other.terms:
            found[term] = found.get(term, 0) + factor * times
        terms = frozenset((term, times) for term, times in found.items() if times)
        return Sum(terms, self.number + factor * other.number)


@dataclass(frozen=True)
class Best:
    """The largest or smallest of some values."""

    function: str
    parts: frozenset[Any]


@dataclass(frozen=True)
class Items:
    """A list: a field of each new value, or a number for each, and single values after them."""

    each: Element | Sum | None
    others: tuple[Any, ...] = ()


NOTHING = Absent()
COUNT = Sum(frozenset({("count", 1)}))


def total(path: Path) -> Sum:
    """Return the sum of a field of the new values."""
    return Sum(frozenset({(("sum", path), 1)}))


def as_sum(value: Any) -> Sum:
    """Return a value as a sum."""
    match value:
        case Sum():
            return value
        case Before() | Best():
            return Sum(frozenset({(value, 1)}))
    raise UnknownForm


def plain(value: Any) -> Any:
    """Return a value in the form in which equal values are equal."""
    match value:
        case tuple():
            return tuple(plain(each) for each in value)
        case Sum(terms=terms, number=0) if len(terms) == 1:
            ((term, times),) = terms
            return term if times == 1 and isinstance(term, Before | Best) else value
        case Best(parts=parts) if len(parts) == 1:
            (part,) = parts
            return part if isinstance(part, Before | Sum) else value
    return value
