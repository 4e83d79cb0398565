"""RDDs that know which offsets of Kafka they cover."""

from __future__ import annotations

from typing import Any

from pyspark import RDD, SparkContext

from .records import OffsetRange


class KafkaRDD(RDD[Any]):
    """A batch's RDD that knows which offsets it covers.

    Mirrors ``pyspark.streaming.kafka.KafkaRDD`` of Spark 2.4.
    """

    def __init__(self, jrdd: Any, ctx: SparkContext, jrdd_deserializer: Any) -> None:
        super().__init__(jrdd, ctx, jrdd_deserializer)
        self._ranges: list[OffsetRange] = []

    def offsetRanges(self) -> list[OffsetRange]:
        """Return the offsets of each partition of the topics.

        Returns
        -------
        list of OffsetRange
        """
        return list(self._ranges)


def kafka_rdd(rdd: RDD[Any], ranges: list[OffsetRange]) -> KafkaRDD:
    """Return an RDD of the same records that knows its offsets."""
    made = KafkaRDD(rdd._jrdd, rdd.ctx, rdd._jrdd_deserializer)
    made._ranges = ranges
    return made
