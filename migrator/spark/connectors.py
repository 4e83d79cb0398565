"""Connector packages and receivers of Spark Streaming, and what takes their place."""

from __future__ import annotations

import re

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


CONNECTORS: dict[str, str] = {
    "kafka": "org.apache.spark:spark-sql-kafka-0-10_{scala}:<version>, or dstream_compat submit",
    "flume": "nothing: there is no Flume source; let the agent write to Kafka or files",
    "mqtt": "the Python package dstream-compat[mqtt]: MQTT is read in Python now",
    "kinesis": "the Python package dstream-compat[kinesis]: Kinesis is read in Python now",
    "twitter": "nothing: the Twitter API it used is gone; read from files instead",
    "zeromq": "nothing: no Structured Streaming source; bridge to files or a socket",
    "akka": "nothing: no Structured Streaming source; bridge to files or a socket",
    "pubsub": "nothing: no Structured Streaming source; bridge to files or a socket",
    "eventhubs": "com.microsoft.azure:azure-eventhubs-spark, which dstream_compat does not read",
}
"""What replaces a package; `{scala}` is the target's."""


# Receivers of the JVM that Python programs reach through py4j, and other ways to their records.
#
# Connectors follow Spark's own: the class `<System>Utils` makes the streams, and a class with
# `PythonHelper` in its name does so for Python.

_CLASS = re.compile(
    r"(?<![\w$])(?P<system>[A-Z]\w*?)(?P<kind>Utils(?:PythonHelper)?|PythonHelper)(?![\w$])"
)
# by the system in lower case: its name, and how its records are read
_WAYS = {
    "eventhubs": (
        "Azure Event Hubs",
        "read its endpoint for Kafka, NAMESPACE.servicebus.windows.net:9093, with KafkaUtils",
    ),
    "pubsub": ("Google Pub/Sub", "let it write to Kafka, or to files for textFileStream"),
    "pubsublite": ("Pub/Sub Lite", "let it write to Kafka, or to files for textFileStream"),
    "pubnub": ("PubNub", "let a client of it write to Kafka or to files for textFileStream"),
    "zeromq": ("ZeroMQ", "let a subscriber write to Kafka or onto a socket"),
    "twitter": ("Twitter", "let a client of it write to Kafka or onto a socket"),
    "akka": ("Akka", "let the actors write to Kafka or onto a socket"),
    "amqp": ("AMQP", "let the broker speak MQTT, for MQTTUtils, or bridge its queues to Kafka"),
    "rabbitmq": ("RabbitMQ", "turn on its plugin for MQTT, for MQTTUtils, or bridge it to Kafka"),
    "activemq": ("ActiveMQ", "let the broker speak MQTT, for MQTTUtils, or bridge it to Kafka"),
    "jms": ("JMS", "let the broker speak MQTT, for MQTTUtils, or bridge its queues to Kafka"),
    "solace": ("Solace", "let the broker speak MQTT, for MQTTUtils, or bridge it to Kafka"),
    "pulsar": ("Apache Pulsar", "turn on its protocol handler for Kafka, and read with KafkaUtils"),
    "nifi": ("NiFi", "let its flow publish to Kafka, or put files for textFileStream"),
}
# dstream_compat reads these in Python, and another rule says so
_OWN = re.compile(r"kafka|kinesis|mqtt|flume")
_OTHER_WAY = "let a program of its own write the records to Kafka, or to files for textFileStream"


def jvm_receiver(text: str) -> tuple[str, str, str] | None:
    """Return the class of a receiver in a text with a path of Java, its system and the other way to
    it; None if no class there is known to make streams of a system.
    """
    for match in _CLASS.finditer(text):
        system = match["system"].lower()
        if system in _WAYS:
            return match[0], *_WAYS[system]
        if "PythonHelper" in match["kind"] and _OWN.match(system) is None:
            return match[0], match["system"], _OTHER_WAY
    return None
