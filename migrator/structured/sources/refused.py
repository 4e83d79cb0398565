"""Sources of DStreams that Structured Streaming lacks, and what it has in their place."""

from __future__ import annotations

import ast

from ..refusals import NotExpressible

CONNECTORS = {
    "MQTTUtils": "no source of Spark reads MQTT: bridge the broker's topics to Kafka",
    "KinesisUtils": "Spark itself has no Kinesis source: a connector with the format `aws-kinesis` "
    "has to be added",
    "FlumeUtils": "no source of Spark reads Flume's events: let a Kafka sink of Flume write them",
    "ZeroMQUtils": "no source of Spark reads ZeroMQ: bridge its messages to Kafka",
    "TwitterUtils": "no source of Spark reads Twitter: write a Python data source, or to Kafka",
    "EventHubsUtils": "Event Hubs has an endpoint that speaks Kafka: read that with format `kafka`",
    "PubsubUtils": "no source of Spark reads Pub/Sub: a connector has to be added",
}
METHODS = {
    "queueStream": "a queue of RDDs lives in the driver: for tests write files, or use the source "
    "`rate`",
    "binaryRecordsStream": "the source `binaryFile` gives whole files, not records of a length",
    "rawSocketStream": "blocks that Spark has serialized are no source of Structured Streaming",
    "rawNetworkStream": "blocks that Spark has serialized are no source of Structured Streaming",
    "socketStream": "the source `socket` gives lines of text, not the objects of a converter",
    "receiverStream": "a receiver has to become a Python data source with a "
    "`SimpleDataSourceStreamReader`",
    "actorStream": "actors are no source of Structured Streaming",
    "fileStream": "input formats of Hadoop are no sources of Structured Streaming",
}


def check_connector(path: str, call: ast.Call) -> None:
    """Refuses the connectors that have no counterpart, by the path of the function."""
    for name, text in CONNECTORS.items():
        if f".{name}." in path:
            raise NotExpressible("SOURCE", f"`{name}`: {text}", call)


def check_method(method: str, call: ast.Call) -> None:
    """Refuses the methods of a StreamingContext that have no counterpart."""
    if method in METHODS:
        raise NotExpressible("SOURCE", f"`{method}`: {METHODS[method]}", call)
