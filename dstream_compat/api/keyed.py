"""Operators that shuffle the records of one batch by key."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from pyspark.core.rdd import portable_hash
from pyspark.resultiterable import ResultIterable

from ..graph.nodes import Node
from ..spark.conf import conf_of
from ..worker.operators.combine import CombineByKey, GroupByKey
from ..worker.operators.partition import PartitionBy, Repartition
from ..worker.operators.record_functions import Map, MapValues, count_records
from .base import S, StreamBase
from .operator_names import as_one_operator


def _identity(value: Any) -> Any:
    return value


class KeyedOperators(StreamBase[S]):
    """reduceByKey, count and everything else made of a shuffle per batch."""

    def combineByKey(
        self,
        createCombiner: Callable[[Any], Any],
        mergeValue: Callable[[Any, Any], Any],
        mergeCombiners: Callable[[Any, Any], Any],
        numPartitions: int | None = None,
    ) -> S:
        """Return a stream of (key, combined values) for the keys of each batch.

        Mirrors ``pyspark.streaming.DStream.combineByKey``.

        Parameters
        ----------
        createCombiner, mergeValue, mergeCombiners : callable
            as in ``pyspark.RDD.combineByKey``
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        return self._stream(
            self._combine("combineByKey", createCombiner, mergeValue, mergeCombiners, numPartitions)
        )

    def _combine(
        self,
        label: str,
        create: Callable[[Any], Any],
        merge_value: Callable[[Any, Any], Any],
        merge_combiners: Callable[[Any, Any], Any],
        num_partitions: int | None,
        of: Node | None = None,
    ) -> Node:
        partitions, slide = self._partitions(num_partitions), self._node.slide
        return self._shuffle(
            label,
            lambda i: CombineByKey(
                i, partitions, slide, slide, create, merge_value, merge_combiners
            ),
            of=of,
        )

    def _reduce(
        self, func: Callable[[Any, Any], Any], num_partitions: int | None, of: Node | None = None
    ) -> Node:
        return self._combine("reduceByKey", _identity, func, func, num_partitions, of)

    def _reduced_to_one(self, func: Callable[[Any, Any], Any], of: Node | None = None) -> Node:
        pairs = self._narrow("map", Map(lambda x: (None, x)), of=of)
        reduced = self._reduce(func, 1, pairs)
        return self._narrow("map", Map(operator.itemgetter(1)), of=reduced)

    @as_one_operator
    def reduceByKey(self, func: Callable[[Any, Any], Any], numPartitions: int | None = None) -> S:
        """Return a stream of (key, reduced value) for the keys of each batch.

        Mirrors ``pyspark.streaming.DStream.reduceByKey``.

        Parameters
        ----------
        func : callable
            associative and commutative
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        return self._stream(self._reduce(func, numPartitions))

    @as_one_operator
    def groupByKey(self, numPartitions: int | None = None) -> S:
        """Return a stream of (key, iterable of values) for the keys of each batch.

        Mirrors ``pyspark.streaming.DStream.groupByKey``.

        Parameters
        ----------
        numPartitions : int, optional
            partitions of the result; the default parallelism if None

        Returns
        -------
        DStream
        """
        partitions, slide = self._partitions(numPartitions), self._node.slide
        grouped = self._shuffle("groupByKey", lambda i: GroupByKey(i, partitions, slide, slide))
        return self._stream(
            self._narrow("mapValues", MapValues(ResultIterable), keeps=True, of=grouped)
        )

    @as_one_operator
    def reduce(self, func: Callable[[Any, Any], Any]) -> S:
        """Return a stream with one record per batch that has any: all of them reduced.

        Mirrors ``pyspark.streaming.DStream.reduce``.

        Parameters
        ----------
        func : callable
            associative and commutative function of two records

        Returns
        -------
        DStream
        """
        return self._stream(self._reduced_to_one(func))

    @as_one_operator
    def count(self) -> S:
        """Return a stream with one record per batch: the number of its records.

        A batch without any partition, as of an idle socket, gives none.

        Mirrors ``pyspark.streaming.DStream.count``.

        Returns
        -------
        DStream
        """
        # Not mapPartitions(), which would put partitions together first.
        counts = self._narrow("count", count_records)
        return self._stream(self._reduced_to_one(operator.add, counts))

    @as_one_operator
    def countByValue(self) -> S:
        """Return a stream of (record, number of its occurrences in the batch).

        Mirrors ``pyspark.streaming.DStream.countByValue``.

        Returns
        -------
        DStream
        """
        pairs = self._narrow("map", Map(lambda x: (x, 1)))
        return self._stream(self._reduce(operator.add, None, pairs))

    def partitionBy(
        self, numPartitions: int | None, partitionFunc: Callable[[Any], int] = portable_hash
    ) -> S:
        """Return the pairs with key k in partition ``partitionFunc(k) % numPartitions``.

        Mirrors ``pyspark.streaming.DStream.partitionBy``.

        Parameters
        ----------
        numPartitions : int, optional
            partitions of the result; ``spark.default.parallelism`` if None, and without that
            setting, those of each batch
        partitionFunc : callable
            gives a number for a key

        Returns
        -------
        DStream
        """
        if numPartitions is None and not conf_of(self._sc).contains("spark.default.parallelism"):
            node = self._rdd_function(
                "partitionBy", lambda _, rdd: rdd.partitionBy(None, partitionFunc)
            )
        else:
            slide, partitions = self._node.slide, self._partitions(numPartitions)
            node = self._shuffle(
                "partitionBy", lambda i: PartitionBy(i, partitions, slide, slide, partitionFunc)
            )
        return self._stream(node)

    def repartition(self, numPartitions: int) -> S:
        """Return the records dealt evenly to this many partitions.

        Mirrors ``pyspark.streaming.DStream.repartition``.

        Parameters
        ----------
        numPartitions : int
            partitions of the result

        Returns
        -------
        DStream
        """
        slide = self._node.slide
        return self._stream(
            self._shuffle("repartition", lambda i: Repartition(i, numPartitions, slide, slide, int))
        )
