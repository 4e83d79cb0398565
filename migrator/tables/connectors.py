"""Connector packages of Spark Streaming and what takes their place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Connector:
    """What to do with a package: the text says what replaces it."""

    replacement: str


CONNECTORS: dict[str, Connector] = {
    "kafka": Connector(
        "org.apache.spark:spark-sql-kafka-0-10_2.13:<your Spark version>, which "
        "dstream_compat.kafka reads through"
    ),
    "flume": Connector(
        "nothing: Flume has no Structured Streaming source; let the agent write to Kafka or files"
    ),
    "mqtt": Connector("no JVM package: `pip install dstream-compat[mqtt]`"),
    "kinesis": Connector("no JVM package: `pip install dstream-compat[kinesis]`"),
    "twitter": Connector("nothing: the Twitter API it used is gone; read from a queue instead"),
    "zeromq": Connector("nothing: no Structured Streaming source; bridge to Kafka or a socket"),
    "akka": Connector("nothing: no Structured Streaming source; bridge to Kafka or a socket"),
    "pubsub": Connector("nothing: no Structured Streaming source; bridge to Kafka or files"),
    "eventhubs": Connector("com.microsoft.azure:azure-eventhubs-spark for Structured Streaming"),
}
