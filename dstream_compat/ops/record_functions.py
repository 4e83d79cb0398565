"""map, flatMap and filter: functions of each record, called unless they are recognised."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from operator import itemgetter
from typing import Any

from .constant_pairs import ConstantKey, ConstantValue, pairs_of


@dataclass(frozen=True)
class Paired:
    """Pairs that all have the same value, not made as long as nobody asks for them.

    Parameters
    ----------
    keys : iterable
        their keys
    known : ConstantValue
        their value
    """

    keys: Iterable[Any]
    known: ConstantValue

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return zip(self.keys, repeat(self.known.value), strict=False)


@dataclass(frozen=True)
class UnderOneKey:
    """Pairs that all have the same key, not made as long as nobody asks for them.

    Parameters
    ----------
    values : iterable
        their values
    known : ConstantKey
        their key
    """

    values: Iterable[Any]
    known: ConstantKey

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return zip(repeat(self.known.key), self.values, strict=False)


@dataclass(frozen=True)
class Map:
    """``function(record)`` for each record of a partition.

    Parameters
    ----------
    function : callable
        of one record
    """

    function: Callable[[Any], Any]

    def __call__(self, index: int, records: Iterator[Any]) -> Iterable[Any]:
        """Return the results for a partition; see ``engine.chain.Narrow``."""
        known = pairs_of(self.function)
        if isinstance(known, ConstantKey):
            return UnderOneKey(records, known)
        if isinstance(known, ConstantValue):
            keys = records if known.whole else map(itemgetter(0), map(self.function, records))
            return Paired(keys, known)
        return map(self.function, records)


@dataclass(frozen=True)
class FlatMap:
    """All elements of ``function(record)`` for each record of a partition.

    Parameters
    ----------
    function : callable
        of one record, gives an iterable
    """

    function: Callable[[Any], Iterable[Any]]

    def __call__(self, index: int, records: Iterator[Any]) -> Iterable[Any]:
        """Return the results for a partition; see ``engine.chain.Narrow``."""
        return chain.from_iterable(map(self.function, records))


@dataclass(frozen=True)
class Filter:
    """The records of a partition for which ``function(record)`` is true.

    Parameters
    ----------
    function : callable
        of one record
    """

    function: Callable[[Any], Any]

    def __call__(self, index: int, records: Iterator[Any]) -> Iterable[Any]:
        """Return the results for a partition; see ``engine.chain.Narrow``."""
        return filter(self.function, records)
