"""Connector packages of Spark Streaming and what takes their place."""

from __future__ import annotations

import re
from dataclasses import dataclass

KAFKA = "spark-sql-kafka-0-10"
BROKERS = ("bootstrap.servers", "metadata.broker.list")
"""Settings of a consumer that name the brokers."""
_VARIABLE = r"(?:[\w.-]|\$\w+|\$\{\w+\}|\$\(\w+\)|\{\{\s*[\w.]+\s*\}\})+"
_CONNECTOR = re.compile(
    r"(?:(?:org|com)\.[\w.]+:|\S*/)?spark-streaming-(?P<name>kafka|flume|mqtt|kinesis)"
    r"(?:-0-8|-0-10|-asl|-sink)?(?:-assembly)?"
    rf"(?:(?:_{_VARIABLE})?:{_VARIABLE}|[_-]{_VARIABLE}?\.jar|\.jar)"
)
# what the connector brings itself, in the version that it needs
_KAFKA_JARS = re.compile(
    r"org\.apache\.kafka:kafka(?:-clients|_2\.1\d):[\w.-]+"
    r"|(?:\S*/)?(?:kafka(?:-clients|_2\.1\d)|zkclient|metrics-core)-[\d.]+\.jar"
)


def connector_of(item: str) -> str | None:
    """Return the connector of Spark Streaming that an item of a list of packages is, or None."""
    match = _CONNECTOR.fullmatch(item)
    return None if match is None else match["name"]


def is_kafka_jar(item: str) -> bool:
    """Return whether an item is a jar or package of Kafka's own."""
    return _KAFKA_JARS.fullmatch(item) is not None


@dataclass(frozen=True, slots=True)
class Connector:
    """What to do with a package: the text says what replaces it, `{scala}` is the target's."""

    replacement: str


CONNECTORS: dict[str, Connector] = {
    "kafka": Connector(
        "org.apache.spark:spark-sql-kafka-0-10_{scala}:<version>, or dstream_compat submit"
    ),
    "flume": Connector("nothing: there is no Flume source; let the agent write to Kafka or files"),
    "mqtt": Connector("the Python package dstream-compat[mqtt]: MQTT is read in Python now"),
    "kinesis": Connector(
        "the Python package dstream-compat[kinesis]: Kinesis is read in Python now"
    ),
    "twitter": Connector("nothing: the Twitter API it used is gone; read from files instead"),
    "zeromq": Connector("nothing: no Structured Streaming source; bridge to files or a socket"),
    "akka": Connector("nothing: no Structured Streaming source; bridge to files or a socket"),
    "pubsub": Connector("nothing: no Structured Streaming source; bridge to files or a socket"),
    "eventhubs": Connector(
        "com.microsoft.azure:azure-eventhubs-spark, which dstream_compat does not read"
    ),
}
