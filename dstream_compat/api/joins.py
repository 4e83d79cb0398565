"""Operators on two streams of (key, value) pairs, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pyspark.resultiterable import ResultIterable
from pyspark.shuffle import ExternalList

from ..graph import UnionNode
from ..version_differences import SpilledList
from .composed import composed
from .keyed import KeyedOperators

if TYPE_CHECKING:
    from ..dstream import DStream

Side = list[Any] | SpilledList
Sides = tuple[Side, Side]


def _sides(tagged: ResultIterable[tuple[int, Any]]) -> Sides:
    # A group that came from disk is too large for lists.
    make: Any = ExternalList if isinstance(tagged.data, ExternalList) else list
    sides: Sides = (make([]), make([]))
    for side, value in tagged:
        sides[side].append(value)
    return sides


def _iterables(sides: Sides) -> tuple[ResultIterable[Any], ...]:
    return tuple(ResultIterable(side) for side in sides)


def _pairs(left: Side, right: Side) -> Iterator[tuple[Any, Any]]:
    return ((a, b) for a in left for b in right)


def _inner(sides: Sides) -> Iterator[tuple[Any, Any]]:
    return _pairs(*sides)


def _left(sides: Sides) -> Iterator[tuple[Any, Any]]:
    return _pairs(sides[0], sides[1] or [None])


def _right(sides: Sides) -> Iterator[tuple[Any, Any]]:
    return _pairs(sides[0] or [None], sides[1])


def _full(sides: Sides) -> Iterator[tuple[Any, Any]]:
    return _pairs(sides[0] or [None], sides[1] or [None])


class JoinOperators(KeyedOperators):
    """cogroup and the joins."""

    def _sided(self, other: DStream, numPartitions: int | None) -> DStream:
        self._beside(other)
        left = self.mapValues(lambda value: (0, value))
        right = other.mapValues(lambda value: (1, value))
        # Not union(): as on the real engine the slides may differ, and in a batch that the other
        # stream does not have it counts as empty.
        both = left._stream(
            lambda i: UnionNode(i, (left._node, right._node), left._node.slide, "union")
        )
        return both.groupByKey(numPartitions).mapValues(_sides)

    def _joined(
        self,
        other: DStream,
        numPartitions: int | None,
        match: Callable[[Sides], Iterator[tuple[Any, Any]]],
    ) -> DStream:
        return self._sided(other, numPartitions).flatMapValues(match)

    @composed
    def cogroup(self, other: DStream, numPartitions: int | None = None) -> DStream:
        """Return a stream of (key, (values here, values there)) for the keys of both.

        Parameters
        ----------
        other : DStream
            of (key, value) pairs; in batches that it does not have it counts as empty
        numPartitions : int, optional
            partitions of the result; ``sc.defaultParallelism`` if None
        """
        return self._sided(other, numPartitions).mapValues(_iterables)

    @composed
    def join(self, other: DStream, numPartitions: int | None = None) -> DStream:
        """Return a stream of (key, (value here, value there)) for the keys that both have.

        Parameters
        ----------
        other : DStream
            of (key, value) pairs; in batches that it does not have it counts as empty
        numPartitions : int, optional
            partitions of the result; ``sc.defaultParallelism`` if None
        """
        return self._joined(other, numPartitions, _inner)

    @composed
    def leftOuterJoin(self, other: DStream, numPartitions: int | None = None) -> DStream:
        """Return a stream of (key, (value here, value there or None)) for the keys of this one.

        Mirrors ``pyspark.streaming.DStream.leftOuterJoin``.
        """
        return self._joined(other, numPartitions, _left)

    @composed
    def rightOuterJoin(self, other: DStream, numPartitions: int | None = None) -> DStream:
        """Return a stream of (key, (value here or None, value there)) for the other's keys.

        Mirrors ``pyspark.streaming.DStream.rightOuterJoin``.
        """
        return self._joined(other, numPartitions, _right)

    @composed
    def fullOuterJoin(self, other: DStream, numPartitions: int | None = None) -> DStream:
        """Return a stream of (key, (value here or None, value there or None)) for all keys.

        Mirrors ``pyspark.streaming.DStream.fullOuterJoin``.
        """
        return self._joined(other, numPartitions, _full)
