"""map, flatMap, filter and others: functions of each record, called unless they are recognised."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count, repeat
from operator import itemgetter
from typing import Any

from . import json_values
from .constant_pairs import ConstantKey, ConstantValue, Pairs, pairs_of


@dataclass(frozen=True)
class Paired:
    """Pairs that all have the same value, not made as long as nobody asks for them.

    Parameters
    ----------
    parts : iterable
        their keys
    known : ConstantValue
        their value
    """

    parts: Iterable[Any]
    known: ConstantValue

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return zip(self.parts, repeat(self.known.value), strict=False)


@dataclass(frozen=True)
class UnderOneKey:
    """Pairs that all have the same key, not made as long as nobody asks for them.

    Parameters
    ----------
    parts : iterable
        their values
    known : ConstantKey
        their key
    """

    parts: Iterable[Any]
    known: ConstantKey

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return zip(repeat(self.known.key), self.parts, strict=False)


@dataclass(frozen=True)
class RecordFunction(ABC):
    """A function of the user that is about each record of a partition.

    Parameters
    ----------
    function : callable
        of one record, or of one value
    """

    function: Callable[[Any], Any]

    def __call__(self, index: int, records: Iterator[Any]) -> Iterator[Any]:
        """Return an iterator of what becomes of a partition; see ``engine.chain.Narrow``."""
        return iter(self.results(records))

    @abstractmethod
    def results(self, records: Iterable[Any]) -> Iterable[Any]:
        """Return what becomes of a partition: an iterator, or pairs that are not made yet."""

    @property
    def pairs(self) -> Pairs | None:
        """What all of its results have in common, if they are pairs."""
        return None

    @property
    def way(self) -> str:
        """What is done and why, for users to read."""
        return "calls the function for each record"


@dataclass(frozen=True)
class Map(RecordFunction):
    """``function(record)`` for each record."""

    def results(self, records: Iterable[Any]) -> Iterable[Any]:
        pairs = self.pairs
        if isinstance(pairs, ConstantKey):
            return UnderOneKey(records, pairs)
        if isinstance(pairs, ConstantValue):
            keys = records if pairs.whole else map(itemgetter(0), map(self.function, records))
            return Paired(keys, pairs)
        if json_values.parses_json(self.function):
            return json_values.parse_records(self.function, records)
        return map(self.function, records)

    @property
    def pairs(self) -> Pairs | None:
        return pairs_of(self.function)

    @property
    def way(self) -> str:
        match self.pairs:
            case ConstantKey(key):
                return f"does not call the function: it makes ({key!r}, record)"
            case ConstantValue(value, True):
                return f"does not call the function: it makes (record, {value!r})"
            case _ if json_values.parses_json(self.function):
                return "does not call the function: it parses JSON as json.loads does"
            case _:
                return super().way


@dataclass(frozen=True)
class FlatMap(RecordFunction):
    """All elements of ``function(record)`` for each record."""

    def results(self, records: Iterable[Any]) -> Iterable[Any]:
        return chain.from_iterable(map(self.function, records))


@dataclass(frozen=True)
class Filter(RecordFunction):
    """The records for which ``function(record)`` is true."""

    def results(self, records: Iterable[Any]) -> Iterable[Any]:
        return filter(self.function, records)


@dataclass(frozen=True)
class MapValues(RecordFunction):
    """``(key, function(value))`` for each pair."""

    def results(self, records: Iterable[Any]) -> Iterable[Any]:
        function = self.function

        def map_value(pair: Any) -> Any:
            return pair[0], function(pair[1])

        return map(map_value, records)


@dataclass(frozen=True)
class FlatMapValues(RecordFunction):
    """``(key, x)`` for each x of ``function(value)`` for each pair."""

    def results(self, records: Iterable[Any]) -> Iterable[Any]:
        function = self.function

        def flat_map_value(pair: Any) -> Iterable[Any]:
            return ((pair[0], value) for value in function(pair[1]))

        return chain.from_iterable(map(flat_map_value, records))


def count_records(index: int, records: Iterator[Any]) -> list[int]:
    """Return the number of a partition's records."""
    numbers = count()
    deque(zip(records, numbers, strict=False), maxlen=0)
    return [next(numbers)]


# Saved graphs have it by this name.
counted = count_records
