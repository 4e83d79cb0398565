"""A job over Kafka as it was written for Spark 2, which runs unchanged on dstream_compat.

``kafka_job.py SETTINGS`` as in ``batches``, with the brokers and the topic. On DStreams of Spark
3.5, which have no Kafka in Python, it runs with ``kafka_of_3_5``.
"""

from __future__ import annotations

from batches import given, line_of, live, started
from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils
from words import count

PARAMS = {"metadata.broker.list": given["brokers"], "auto.offset.reset": "smallest"}


def create() -> StreamingContext:
    ssc = StreamingContext(SparkContext.getOrCreate(), 1)
    ssc.checkpoint(given["checkpoint"])
    stream = KafkaUtils.createDirectStream(ssc, [given["topic"]], PARAMS)
    count(stream.map(lambda record: record[1]))
    return ssc


sc = started("an old job over Kafka")
settings = {"bootstrap.servers": given["brokers"]}
for side in ("key", "value"):
    settings[f"{side}.serializer"] = "org.apache.kafka.common.serialization.StringSerializer"
clients = sc._jvm.org.apache.kafka.clients.producer
producer = clients.KafkaProducer(settings)


def feed(second: int) -> None:
    for place, word in enumerate(line_of(second).split()):
        at = second * 1000 - 500
        producer.send(clients.ProducerRecord(given["topic"], place % 2, at, "", word)).get()


live(StreamingContext.getOrCreate(given["checkpoint"], create), feed)
