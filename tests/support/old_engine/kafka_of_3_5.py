"""``pyspark.streaming.kafka`` for Spark 3.5, whose DStreams read Kafka in Scala and Java only.

It is copied into that PySpark, for ``kafka_job``.
"""

from __future__ import annotations

from typing import Any

from pyspark.serializers import NoOpSerializer, PairDeserializer
from pyspark.streaming import DStream

_BYTES = "org.apache.kafka.common.serialization.ByteArrayDeserializer"


class KafkaUtils:
    """Makes direct streams."""

    @staticmethod
    def createDirectStream(ssc: Any, topics: list[str], kafkaParams: dict[str, str]) -> DStream:
        """Return a stream of (key, value)."""
        jvm = ssc._sc._jvm
        kafka = jvm.org.apache.spark.streaming.kafka010
        params = {
            "bootstrap.servers": kafkaParams["metadata.broker.list"],
            "auto.offset.reset": {"smallest": "earliest"}[kafkaParams["auto.offset.reset"]],
            "key.deserializer": _BYTES,
            "value.deserializer": _BYTES,
            "group.id": "old",
            "enable.auto.commit": False,
        }
        stream = kafka.KafkaUtils.createDirectStream(
            ssc._jssc,
            kafka.LocationStrategies.PreferConsistent(),
            kafka.ConsumerStrategies.Subscribe(topics, params),
        )
        pairs = stream.map(jvm.old.Pair())
        raw = DStream(pairs, ssc, PairDeserializer(NoOpSerializer(), NoOpSerializer()))
        return raw.map(lambda pair: (pair[0].decode(), pair[1].decode()))
