"""Methods and connectors that have no exact counterpart, and why."""

from __future__ import annotations

import ast

from ..refusals import NotExpressible

QUEUE = "QUEUE"
"""The reason of a queue, whose batches have a form as code only."""
_PLACES = "a DataFrame has other partitions, and nothing says which records are in one"
_SAMPLE = "Spark draws other samples of rows than of records"
_HADOOP = "the files are written by Java classes of Hadoop; DataFrames have no such writer"

_SOURCES = {
    "binaryRecordsStream": "the source `binaryFile` gives whole files, not records of a length",
    "rawSocketStream": "blocks that Spark has serialized are no source of Structured Streaming",
    "rawNetworkStream": "blocks that Spark has serialized are no source of Structured Streaming",
    "socketStream": "the source `socket` gives lines of text, not the objects of a converter",
    "receiverStream": "a receiver has to become a Python data source with a "
    "`SimpleDataSourceStreamReader`",
    "actorStream": "actors are no source of Structured Streaming",
    "fileStream": "input formats of Hadoop are no sources of Structured Streaming",
}
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
REASONS: dict[str, tuple[str, str]] = {
    "glom": ("PARTITIONS", _PLACES),
    "mapPartitions": ("PARTITIONS", _PLACES),
    "mapPartitionsWithIndex": ("PARTITIONS", _PLACES),
    "partitionBy": ("PARTITIONS", _PLACES),
    "repartitionAndSortWithinPartitions": ("PARTITIONS", _PLACES),
    "getNumPartitions": ("PARTITIONS", _PLACES),
    "sample": ("RANDOM", _SAMPLE),
    "sampleByKey": ("RANDOM", _SAMPLE),
    "takeSample": ("RANDOM", _SAMPLE),
    "randomSplit": ("RANDOM", _SAMPLE),
    "zip": ("POSITION", "a row has no position by which two frames could be paired"),
    "zipWithIndex": ("POSITION", "a row has no position in a DataFrame"),
    "zipWithUniqueId": ("POSITION", "a row has no position in a DataFrame"),
    "cartesian": ("PAIRS_OF_ALL", "pairs of all records are not translated"),
    "pipe": ("PROCESS", "an external process reads the records of a partition in their order"),
    "cogroup": ("GROUPS", "a group of records has no order in a DataFrame; join or aggregate"),
    "groupWith": ("GROUPS", "a group of records has no order in a DataFrame; join or aggregate"),
    "groupBy": ("GROUPS", "a group of records has no order in a DataFrame; join or aggregate"),
    "groupByKeyAndWindow": (
        "GROUPS",
        "`groupByKeyAndWindow` keeps keys with empty groups if the window has five slides or more; "
        "`window(...).groupByKey()`, which drops them, is rewritten",
    ),
    "saveAsHadoopFiles": ("HADOOP_FILES", _HADOOP),
    "saveAsNewAPIHadoopFiles": ("HADOOP_FILES", _HADOOP),
    "saveAsHadoopFile": ("HADOOP_FILES", _HADOOP),
    "saveAsNewAPIHadoopFile": ("HADOOP_FILES", _HADOOP),
    "saveAsSequenceFile": ("HADOOP_FILES", _HADOOP),
    "saveAsPickleFile": ("PICKLE_FILES", "the files hold pickled Python objects"),
    "offsetRanges": (
        "OFFSET_RANGES",
        "offsets are kept in another way than under a global name of the file",
    ),
    "queueStream": (
        QUEUE,
        "`queueStream`: RDDs are in the driver, where code of batches takes them",
    ),
    **{name: ("SOURCE", f"`{name}`: {text}") for name, text in _SOURCES.items()},
}
"""By the name of the method: a code, and the reason in words."""


def reason(method: str, owner: str) -> tuple[str, str]:
    """Return the code and the reason for a method of something."""
    of = f" of {owner}" if owner else ""
    return REASONS.get(method, ("METHOD", f"`{method}`{of} has no counterpart"))


def check_connector(path: str, call: ast.Call) -> None:
    """Refuse the connectors that have no counterpart, by the path of the function."""
    for name, text in CONNECTORS.items():
        if f".{name}." in path:
            raise NotExpressible("SOURCE", f"`{name}`: {text}", call)
