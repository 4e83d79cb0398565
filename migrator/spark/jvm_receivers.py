"""Receivers of the JVM that Python programs reach through py4j, and other ways to their records.

Connectors follow Spark's own: the class `<System>Utils` makes the streams, and a class with
`PythonHelper` in its name does so for Python.
"""

from __future__ import annotations

import re

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
    """Return the class of a receiver in a path of Java, its system and the other way to it.

    Parameters
    ----------
    text : str
        A dotted path, or a text with one.

    Returns
    -------
    tuple of str, optional
        None if no class there is known to make streams of a system.
    """
    for match in _CLASS.finditer(text):
        system = match["system"].lower()
        if system in _WAYS:
            return match[0], *_WAYS[system]
        if "PythonHelper" in match["kind"] and _OWN.match(system) is None:
            return match[0], match["system"], _OTHER_WAY
    return None
