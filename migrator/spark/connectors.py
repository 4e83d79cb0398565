"""Connector packages of Spark Streaming and what takes their place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Connector:
    """What to do with a package: the text says what replaces it."""

    replacement: str


CONNECTORS: dict[str, Connector] = {
    "kafka": Connector(
        "org.apache.spark:spark-sql-kafka-0-10_2.13:<your Spark version>, which `python -m "
        "dstream_compat run` and `submit` add by themselves"
    ),
    "flume": Connector(
        "nothing: Flume has no Structured Streaming source; let the agent write to Kafka or files"
    ),
    "mqtt": Connector("the Python package dstream-compat[mqtt]: MQTT is read in Python now"),
    "kinesis": Connector(
        "the Python package dstream-compat[kinesis]: Kinesis is read in Python now"
    ),
    "twitter": Connector("nothing: the Twitter API it used is gone; read from files instead"),
    "zeromq": Connector("nothing: no Structured Streaming source; bridge to files or a socket"),
    "akka": Connector("nothing: no Structured Streaming source; bridge to files or a socket"),
    "pubsub": Connector("nothing: no Structured Streaming source; bridge to files or a socket"),
    "eventhubs": Connector(
        "com.microsoft.azure:azure-eventhubs-spark for Structured Streaming; dstream_compat does "
        "not read it"
    ),
}
