"""An RDD whose records are in the driver: looking at a small result needs no Spark job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any

from pyspark import SparkContext
from pyspark.core.rdd import PipelinedRDD

from ..wire.frames import Frame, decode, unpack


class DriverRDD(PipelinedRDD[Any, Any]):
    """A stream's batch that came to the driver with the job that computed it.

    ``collect``, ``take``, ``first``, ``count`` and ``isEmpty`` are answered from there. Everything
    else is what it is for any RDD: its records are given to Spark when they are first needed.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    partitions : sequence of list
        the frames of each partition, in order
    """

    def __init__(self, sc: SparkContext, partitions: Sequence[list[bytes]]) -> None:
        # Not PySpark's constructor: it would give the records to Spark at once.
        self.func = _decode_partitions
        self.preservesPartitioning = False
        self.is_cached = False
        self.has_resource_profile = False
        self.is_checkpointed = False
        self.ctx = sc
        self._jrdd_val = None
        self._id = None
        self._jrdd_deserializer = sc.serializer
        self._bypass_serializer = False
        self.partitioner = None
        self.is_barrier = False
        self._partitions = partitions
        self._given: Any = None

    @property
    def prev(self) -> Any:  # type: ignore[override]
        """The RDD of frames."""
        if self._given is None:
            held = self._partitions
            self._given = self.ctx.parallelize(held, len(held)) if held else self.ctx.emptyRDD()
        return self._given

    @property
    def _prev_jrdd(self) -> Any:
        return self.prev._jrdd

    @property
    def _prev_jrdd_deserializer(self) -> Any:  # type: ignore[override]
        return self.prev._jrdd_deserializer

    def frames(self) -> list[list[Frame]]:
        """Return the frames of each partition."""
        return [list(map(unpack, held)) for held in self._partitions]

    def getNumPartitions(self) -> int:
        """Return the number of partitions."""
        return len(self._partitions)

    def _records(self) -> Iterator[Any]:
        return _decode_partitions(0, self._partitions)

    # Of an RDD that is to be saved, the first job has to be Spark's.

    def collect(self) -> list[Any]:
        """Return all records."""
        return super().collect() if self.is_checkpointed else list(self._records())

    def take(self, num: int) -> list[Any]:
        """Return the first ``num`` records."""
        if self.is_checkpointed:
            return super().take(num)
        return list(islice(self._records(), max(num, 0)))

    def count(self) -> int:
        """Return the number of records."""
        if self.is_checkpointed:
            return super().count()
        return sum(unpack(data).count for held in self._partitions for data in held)


def _decode_partitions(_: int, partitions: Iterable[list[bytes]]) -> Iterator[Any]:
    frames = chain.from_iterable(partitions)
    return chain.from_iterable(decode(unpack(data)) for data in frames)
