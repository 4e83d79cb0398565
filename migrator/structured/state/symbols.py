"""What a function of new values and a state computes, case by case, in symbols.

A case says whether there is a state and whether there are new values, so that tests of these are
decided. None stands for None. What is not understood raises `UnknownForm`.
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
class Symbol:
    """``state``, ``value`` (a new one, in a loop), ``sum`` and ``count`` of the new values; or a
    field of it.
    """

    name: str
    path: Path = ()


@dataclass(frozen=True)
class Best:
    """The largest or smallest of some values."""

    function: str
    parts: frozenset[Sum]


@dataclass(frozen=True)
class Sum:
    """A sum of terms, each with a factor, and a number."""

    terms: frozenset[tuple[Symbol | Best, float]] = frozenset()
    number: float = 0

    @property
    def single(self) -> Symbol | Best | None:
        """What it is, if it is one term."""
        ((term, times),) = self.terms if len(self.terms) == 1 else ((None, 0),)
        return term if times == 1 and not self.number else None

    def plus(self, other: Any, factor: float = 1) -> Sum:
        """Return the sum of both."""
        if not isinstance(other, Sum):
            raise UnknownForm
        found = dict(self.terms)
        for term, times in other.terms:
            found[term] = found.get(term, 0) + factor * times
        terms = frozenset((term, times) for term, times in found.items() if times)
        return Sum(terms, self.number + factor * other.number)


@dataclass(frozen=True)
class Items:
    """A list: a field of each new value, or a number for each, and single values after them."""

    each: Sum | None
    others: tuple[Any, ...] = ()


def one(term: Symbol | Best) -> Sum:
    """Return a value that is one term."""
    return Sum(frozenset({(term, 1)}))


def symbol(name: str, path: Path = ()) -> Sum:
    """Return a value that is one symbol."""
    return one(Symbol(name, path))


def field(value: Any, place: int) -> Any:
    """Return a field of a value."""
    match value:
        case Sum(single=Symbol(name="state" | "value" as name, path=path)):
            return symbol(name, (*path, place))
        case tuple() if place < len(value):
            return value[place]
    raise UnknownForm


def path_of(value: Any) -> Path | None:
    """Return the field of a new value that a value is, None if it is none."""
    match value:
        case Sum(single=Symbol(name="value", path=path)):
            return path
    return None


COUNT = symbol("count")
