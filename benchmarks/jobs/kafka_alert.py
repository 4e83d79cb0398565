"""Alerts from JSON events of Kafka: events a second.

DStreams have no Kafka in Python since Spark 3, so only ours and the query by hand run.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..harness.batches import BatchJob, ByHand, Phase
from ..harness.figures import OURS, STRUCTURED
from ..harness.job import Measure, Place, Scale
from ..harness.kafka import PARTITIONS, TOPIC, broker

LIMIT = 99.0
SCHEMA = "device string, temperature double, at long"
EVENT = """to_json(named_struct(
    'device', concat('device-', id % 1000),
    'temperature', ((id * 7919) % 1000) / 10,
    'place', concat('hall ', id % 7, ', row ', id % 31),
    'at', id))"""


def source(ssc: Any, place: Place) -> Any:
    """Return the values of the topic."""
    from dstream_compat.kafka import KafkaUtils

    params = {
        "metadata.broker.list": place.resources["address"],
        "auto.offset.reset": "smallest",
    }
    return KafkaUtils.createDirectStream(ssc, [TOPIC], params).map(lambda record: record[1])


def alerts(stream: Any) -> Any:
    """Return device, temperature and time of what is too hot."""
    return (
        stream.map(json.loads)
        .filter(lambda event: event["temperature"] > LIMIT)
        .map(lambda event: (event["device"], event["temperature"], event["at"]))
    )


def read(spark: Any, place: Place) -> Any:
    """Return the values of the topic."""
    from pyspark.sql.functions import col

    reader = spark.readStream.format("kafka").option("subscribe", TOPIC)
    reader = reader.option("kafka.bootstrap.servers", place.resources["address"])
    reader = reader.option("startingOffsets", "earliest")
    reader = reader.option("maxOffsetsPerTrigger", place.resources["size"])
    return reader.load().select(col("value").cast("string"))


def alerts_by_hand(frame: Any) -> Any:
    """Return the same with the JSON functions of Spark SQL."""
    from pyspark.sql.functions import col, from_json

    event = frame.select(from_json(col("value"), SCHEMA).alias("event")).select("event.*")
    return event.where(col("temperature") > LIMIT)


def phases(scale: Scale) -> list[Phase]:
    """Return what is measured."""
    count = scale.pick(20_000, 400_000, 400_000)
    warm, batches = scale.pick((2, 2), (3, 2), (4, 6))
    measure = Measure("cycle", f"{count:,} events a batch", scale.main(), rows=count)
    return [Phase(measure, lambda number: [], warm, batches)]


@dataclass(frozen=True)
class KafkaJob(BatchJob):
    """A job that reads a topic."""

    @contextmanager
    def resources(self, folder: Path, scale: Scale) -> Iterator[dict[str, str]]:
        """Run a broker whose topic has the events of all batches."""
        (phase,) = self.phases(scale)
        size = phase.measure.rows
        batches = phase.warm + phase.measure.rounds * phase.batches + 1
        with broker(folder, EVENT, batches * size) as found:
            rate = {"spark.streaming.kafka.maxRatePerPartition": str(size // PARTITIONS)}
            yield {**found, **rate, "size": str(size)}


JOB = KafkaJob(
    "kafka-alert",
    "JSON events from Kafka, filter and alert",
    engines=(OURS, STRUCTURED),
    phases=phases,
    dstream=alerts,
    source=source,
    by_hand=ByHand(alerts_by_hand, read=read),
    seconds=85,
)
