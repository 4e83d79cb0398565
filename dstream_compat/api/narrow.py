"""Operators on each record or partition of a batch; none of them shuffles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..graph.nodes import NarrowNode, Node, ShuffleNode, SourceNode, UnionNode
from ..graph.placement import common_placement, placement_of
from ..worker.chain import PartitionFunction
from ..worker.operators.record_functions import Filter, FlatMap, FlatMapValues, Map, MapValues
from ..worker.operators.whole_partition import Whole
from ..worker.operators.window import Window
from .base import S, StreamBase
from .operator_names import as_one_operator


class NarrowOperators(StreamBase[S]):
    """map, flatMap, filter and their relatives.

    As with DStreams, a StopIteration that a function raises ends its partition.
    """

    def _each(
        self, label: str, f: Callable[[Any], Any], fn: PartitionFunction, keeps: bool
    ) -> Node:
        # The functions of pyspark.mllib's streaming models read a model that each batch may
        # replace, so they have to be shipped anew for each batch.
        if (getattr(f, "__module__", None) or "").startswith("pyspark.mllib."):
            return self._rdd_function(
                label, lambda _, rdd: rdd.mapPartitionsWithIndex(fn, keeps), keeps=keeps
            )
        return self._narrow(label, fn, keeps=keeps)

    def map(self, f: Callable[[Any], Any], preservesPartitioning: bool = False) -> S:
        """Return a stream of ``f(x)`` for each record x.

        Mirrors ``pyspark.streaming.DStream.map``.

        Parameters
        ----------
        f : callable
            runs in Spark's Python workers
        preservesPartitioning : bool
            keys stay as they are, so a union or window may merge partitions

        Returns
        -------
        DStream
        """
        return self._stream(self._each("map", f, Map(f), preservesPartitioning))

    def flatMap(self, f: Callable[[Any], Iterable[Any]], preservesPartitioning: bool = False) -> S:
        """Return a stream of all elements of ``f(x)`` for each record x.

        Mirrors ``pyspark.streaming.DStream.flatMap``.

        Parameters
        ----------
        f : callable
            gives an iterable
        preservesPartitioning : bool
            keys stay as they are, so a union or window may merge partitions

        Returns
        -------
        DStream
        """
        return self._stream(self._narrow("flatMap", FlatMap(f), keeps=preservesPartitioning))

    def filter(self, f: Callable[[Any], Any]) -> S:
        """Return a stream of the records for which ``f(x)`` is true.

        Mirrors ``pyspark.streaming.DStream.filter``.

        Parameters
        ----------
        f : callable
            gives whether to keep a record; runs in Spark's Python workers

        Returns
        -------
        DStream
        """
        return self._stream(self._narrow("filter", Filter(f), keeps=True))

    @as_one_operator
    def mapPartitions(
        self,
        f: Callable[[Iterator[Any]], Iterable[Any]],
        preservesPartitioning: bool = False,
    ) -> S:
        """Return a stream of what ``f(iterator)`` gives for each partition, empty ones too.

        Mirrors ``pyspark.streaming.DStream.mapPartitions``.

        Parameters
        ----------
        f : callable
            iterator of a partition's records to an iterable
        preservesPartitioning : bool
            keys stay as they are, so a union or window may merge partitions

        Returns
        -------
        DStream
        """
        whole = self._whole()
        return self._stream(
            self._narrow(
                "mapPartitions",
                lambda _, records: f(records),
                keeps=preservesPartitioning,
                of=whole,
            )
        )

    @as_one_operator
    def mapPartitionsWithIndex(
        self,
        f: Callable[[int, Iterator[Any]], Iterable[Any]],
        preservesPartitioning: bool = False,
    ) -> S:
        """Return a stream of what ``f(index, iterator)`` gives for each partition.

        Mirrors ``pyspark.streaming.DStream.mapPartitionsWithIndex``.

        Parameters
        ----------
        f : callable
            number of the partition and iterator of its records to an iterable
        preservesPartitioning : bool
            keys stay as they are, so a union or window may merge partitions

        Returns
        -------
        DStream
        """
        if is_numbered(self._node):
            node = self._narrow("mapPartitionsWithIndex", f, keeps=preservesPartitioning)
        else:  # how many partitions a union or window has is known in the driver only
            node = self._rdd_function(
                "mapPartitionsWithIndex",
                lambda _, rdd: rdd.mapPartitionsWithIndex(f, preservesPartitioning),
                keeps=preservesPartitioning,
            )
        return self._stream(node)

    def mapValues(self, f: Callable[[Any], Any]) -> S:
        """Return a stream of ``(key, f(value))``.

        Mirrors ``pyspark.streaming.DStream.mapValues``.

        Parameters
        ----------
        f : callable
            gives the new value; runs in Spark's Python workers

        Returns
        -------
        DStream
        """
        return self._stream(self._each("mapValues", f, MapValues(f), True))

    def flatMapValues(self, f: Callable[[Any], Iterable[Any]]) -> S:
        """Return a stream of ``(key, x)`` for each x of ``f(value)``.

        Mirrors ``pyspark.streaming.DStream.flatMapValues``.

        Parameters
        ----------
        f : callable
            gives an iterable; runs in Spark's Python workers

        Returns
        -------
        DStream
        """
        return self._stream(self._narrow("flatMapValues", FlatMapValues(f), keeps=True))

    @as_one_operator
    def glom(self) -> S:
        """Return a stream with one list per partition.

        Mirrors ``pyspark.streaming.DStream.glom``.

        Returns
        -------
        DStream
        """
        return self._stream(
            self._narrow("glom", lambda _, records: [list(records)], of=self._whole())
        )

    def union(self, other: StreamBase[Any]) -> S:
        """Return a stream of the records of both.

        Mirrors ``pyspark.streaming.DStream.union``.

        Parameters
        ----------
        other : DStream
            of the same context, with the same slide duration

        Returns
        -------
        DStream

        Raises
        ------
        ValueError
            if the slide durations or the contexts differ
        """
        if self._node.slide != other._node.slide:
            raise ValueError(
                "the two DStream should have same slide duration, not "
                f"{self._node.slide} ms and {other._node.slide} ms"
            )
        nodes = (self._node, self._beside(other))
        merged = common_placement(nodes) is not None
        slide = nodes[0].slide
        node = self._ssc._define(lambda i: UnionNode(i, nodes, slide, "union", merged))
        return self._stream(node)


def is_numbered(node: Node) -> bool:
    """Return whether a task knows the number of the partition that it works on."""
    while isinstance(node, NarrowNode):
        (node,) = node.parents
    if isinstance(node, ShuffleNode):
        return placement_of(node) is not None or not isinstance(node.op, (Window, Whole))
    return isinstance(node, SourceNode)
