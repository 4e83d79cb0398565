"""Jobs of Kafka for the rewriting, and the options of what they become."""

from __future__ import annotations

from migrator.structured.rewrite import Rewritten, rewrite

JOB = """import json
import sys

from pyspark import SparkContext
from pyspark.streaming import StreamingContext
from pyspark.streaming.kafka import KafkaUtils, TopicAndPartition

{top}
sc = SparkContext(appName="Kafka")
ssc = StreamingContext(sc, 5)
{body}
ssc.start()
ssc.awaitTermination()
"""
SERVERS = '"bootstrap.servers": "b:9092"'


def made(body: str, top: str = "", brokers: str | None = None) -> Rewritten:
    found = rewrite(JOB.format(body=body, top=top), brokers=brokers)
    assert isinstance(found, Rewritten), found
    return found


def options(text: str) -> dict[str, str]:
    """The options of the source, as source."""
    found = {}
    for line in text.splitlines():
        if line.strip().startswith(".option("):
            name, _, value = line.strip().removeprefix(".option(").removesuffix(")").partition(", ")
            found[name.strip('"')] = value
    return found
