"""Operators that shuffle the records of one batch by key."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from pyspark.core.rdd import portable_hash
from pyspark.resultiterable import ResultIterable

from ..worker.operators.combine import CombineByKey, GroupByKey
from ..worker.operators.partition import PartitionBy, Repartition
from ..worker.operators.record_functions import counted
from .composed import composed
from .narrow import NarrowOperators

if TYPE_CHECKING:
    from ..dstream import DStream


def _identity(value: Any) -> Any:
    return value


class KeyedOperators(NarrowOperators):
    """reduceByKey, count and everything else made of a shuffle per batch."""

    def combineByKey(
        self,
        createCombiner: Callable[[Any], Any],
        mergeValue: Callable[[Any, Any], Any],
        mergeCombiners: Callable[[Any, Any], Any],
        numPartitions: int | None = None,
    ) -> DStream:
        """Return a stream of (key, combined values) for the keys of each batch.

        Parameters
        ----------
        createCombiner, mergeValue, mergeCombiners : callable
            as in ``pyspark.RDD.combineByKey``
        numPartitions : int, optional
            partitions of the result; ``sc.defaultParallelism`` if None
        """
        partitions, slide = self._partitions(numPartitions), self._node.slide
        return self._shuffle(
            "combineByKey",
            lambda i: CombineByKey(
                i, partitions, slide, slide, createCombiner, mergeValue, mergeCombiners
            ),
        )

    @composed
    def reduceByKey(
        self, func: Callable[[Any, Any], Any], numPartitions: int | None = None
    ) -> DStream:
        """Return a stream of (key, reduced value) for the keys of each batch.

        Parameters
        ----------
        func : callable
            associative and commutative
        numPartitions : int, optional
            partitions of the result; ``sc.defaultParallelism`` if None
        """
        return self.combineByKey(_identity, func, func, numPartitions)

    @composed
    def groupByKey(self, numPartitions: int | None = None) -> DStream:
        """Return a stream of (key, iterable of values) for the keys of each batch.

        Mirrors ``pyspark.streaming.DStream.groupByKey``.
        """
        partitions, slide = self._partitions(numPartitions), self._node.slide
        grouped = self._shuffle("groupByKey", lambda i: GroupByKey(i, partitions, slide, slide))
        return grouped.mapValues(ResultIterable)

    @composed
    def reduce(self, func: Callable[[Any, Any], Any]) -> DStream:
        """Return a stream with one record per batch that has any: all of them reduced.

        Mirrors ``pyspark.streaming.DStream.reduce``.
        """
        pairs = self.map(lambda x: (None, x))
        return pairs.reduceByKey(func, 1).map(operator.itemgetter(1))

    @composed
    def count(self) -> DStream:
        """Return a stream with one record per batch: the number of its records.

        A batch without any partition, as of an idle socket, gives none.
        """
        # Not mapPartitions(), which would put partitions together first.
        counts = self._narrow("count", counted)
        return counts.reduce(operator.add)

    @composed
    def countByValue(self) -> DStream:
        """Return a stream of (record, number of its occurrences in the batch).

        Mirrors ``pyspark.streaming.DStream.countByValue``.
        """
        return self.map(lambda x: (x, 1)).reduceByKey(operator.add)

    def partitionBy(
        self, numPartitions: int | None, partitionFunc: Callable[[Any], int] = portable_hash
    ) -> DStream:
        """Return the pairs with key k in partition ``partitionFunc(k) % numPartitions``.

        Mirrors ``pyspark.streaming.DStream.partitionBy``.

        Parameters
        ----------
        numPartitions : int, optional
            partitions of the result; ``spark.default.parallelism`` if None, and without that
            setting, those of each batch
        partitionFunc : callable
            gives a number for a key
        """
        if numPartitions is None and not self._sc.getConf().contains("spark.default.parallelism"):
            stream = cast("DStream", self)
            return stream.transform(lambda rdd: rdd.partitionBy(None, partitionFunc))
        slide, partitions = self._node.slide, self._partitions(numPartitions)
        return self._shuffle(
            "partitionBy", lambda i: PartitionBy(i, partitions, slide, slide, partitionFunc)
        )

    def repartition(self, numPartitions: int) -> DStream:
        """Return the records dealt evenly to this many partitions.

        Mirrors ``pyspark.streaming.DStream.repartition``.
        """
        slide = self._node.slide
        return self._shuffle(
            "repartition", lambda i: Repartition(i, numPartitions, slide, slide, int)
        )
