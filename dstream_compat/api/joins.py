"""Operators on two streams of (key, value) pairs, batch by batch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from pyspark.resultiterable import ResultIterable
from pyspark.shuffle import ExternalList

from ..graph.nodes import Node, UnionNode
from ..version_differences import SpilledList
from ..worker.operators.combine import GroupByKey
from ..worker.operators.record_functions import FlatMapValues, MapValues
from .base import S, StreamBase
from .operator_names import as_one_operator

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


def _left_outer(sides: Sides) -> Iterator[tuple[Any, Any]]:
    return _pairs(sides[0], sides[1] or [None])


def _right_outer(sides: Sides) -> Iterator[tuple[Any, Any]]:
    return _pairs(sides[0] or [None], sides[1])


def _full_outer(sides: Sides) -> Iterator[tuple[Any, Any]]:
    return _pairs(sides[0] or [None], sides[1] or [None])


# Saved graphs have them by these names.
_left, _right, _full = _left_outer, _right_outer, _full_outer


class JoinOperators(StreamBase[S]):
    """cogroup and the joins."""

    def _both_sides(self, other: StreamBase[Any], num_partitions: int | None) -> Node:
        theirs = self._beside(other)
        left = self._narrow("mapValues", MapValues(lambda value: (0, value)), keeps=True)
        right = self._narrow(
            "mapValues", MapValues(lambda value: (1, value)), keeps=True, of=theirs
        )
        # Not union(): as with DStreams the slides may differ, and in a batch that the other
        # stream does not have it counts as empty.
        partitions, slide = self._partitions(num_partitions), left.slide
        both = self._ssc._define(lambda i: UnionNode(i, (left, right), slide, "union"))
        grouped = self._shuffle(
            "groupByKey", lambda i: GroupByKey(i, partitions, slide, slide), of=both
        )
        groups = self._narrow("mapValues", MapValues(ResultIterable), keeps=True, of=grouped)
        return self._narrow("mapValues", MapValues(_sides), keeps=True, of=groups)

    def _join(
        self,
        other: StreamBase[Any],
        num_partitions: int | None,
        match: Callable[[Sides], Iterator[tuple[Any, Any]]],
    ) -> S:
        sides = self._both_sides(other, num_partitions)
        return self._stream(
            self._narrow("flatMapValues", FlatMapValues(match), keeps=True, of=sides)
        )

    @as_one_operator
    def cogroup(self, other: StreamBase[Any], numPartitions: int | None = None) -> S:
        """Return a stream of (key, (values here, values there)) for the keys of both.

        Mirrors ``pyspark.streaming.DStream.cogroup``.

        Parameters
        ----------
        other : DStream
            of (key, value) pairs; in batches that it does not have it counts as empty
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        sides = self._both_sides(other, numPartitions)
        return self._stream(self._narrow("mapValues", MapValues(_iterables), keeps=True, of=sides))

    @as_one_operator
    def join(self, other: StreamBase[Any], numPartitions: int | None = None) -> S:
        """Return a stream of (key, (value here, value there)) for the keys that both have.

        Mirrors ``pyspark.streaming.DStream.join``.

        Parameters
        ----------
        other : DStream
            of (key, value) pairs; in batches that it does not have it counts as empty
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        return self._join(other, numPartitions, _inner)

    @as_one_operator
    def leftOuterJoin(self, other: StreamBase[Any], numPartitions: int | None = None) -> S:
        """Return a stream of (key, (value here, value there or None)) for the keys of this one.

        Mirrors ``pyspark.streaming.DStream.leftOuterJoin``.

        Parameters
        ----------
        other : DStream
            of (key, value) pairs; in batches that it does not have it counts as empty
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        return self._join(other, numPartitions, _left_outer)

    @as_one_operator
    def rightOuterJoin(self, other: StreamBase[Any], numPartitions: int | None = None) -> S:
        """Return a stream of (key, (value here or None, value there)) for the other's keys.

        Mirrors ``pyspark.streaming.DStream.rightOuterJoin``.

        Parameters
        ----------
        other : DStream
            of (key, value) pairs; in batches that it does not have it counts as empty
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        return self._join(other, numPartitions, _right_outer)

    @as_one_operator
    def fullOuterJoin(self, other: StreamBase[Any], numPartitions: int | None = None) -> S:
        """Return a stream of (key, (value here or None, value there or None)) for all keys.

        Mirrors ``pyspark.streaming.DStream.fullOuterJoin``.

        Parameters
        ----------
        other : DStream
            of (key, value) pairs; in batches that it does not have it counts as empty
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        return self._join(other, numPartitions, _full_outer)
