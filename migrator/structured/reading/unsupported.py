"""Methods and connectors that have no exact counterpart, and why."""

from __future__ import annotations

import ast

from ..refusals import NotExpressible

QUEUE = "QUEUE"
"""The reason of a queue, whose batches have a form as code only."""
_PLACES = (
    "PARTITIONS",
    "a DataFrame has other partitions, and nothing says which records are in one",
)
_SAMPLE = "RANDOM", "Spark draws other samples of rows than of records"
_POSITION = "POSITION", "a row has no position in a DataFrame"
_GROUPS = "GROUPS", "a group of records has no order in a DataFrame; join or aggregate"
_HADOOP = (
    "HADOOP_FILES",
    "the files are written by Java classes of Hadoop; DataFrames have no such writer",
)

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
    **dict.fromkeys(("glom", "mapPartitions", "mapPartitionsWithIndex", "partitionBy"), _PLACES),
    **dict.fromkeys(("repartitionAndSortWithinPartitions", "getNumPartitions"), _PLACES),
    **dict.fromkeys(("sample", "sampleByKey", "takeSample", "randomSplit"), _SAMPLE),
    "zip": ("POSITION", "a row has no position by which two frames could be paired"),
    **dict.fromkeys(("zipWithIndex", "zipWithUniqueId"), _POSITION),
    "cartesian": ("PAIRS_OF_ALL", "pairs of all records are not translated"),
    "pipe": ("PROCESS", "an external process reads the records of a partition in their order"),
    **dict.fromkeys(("cogroup", "groupWith", "groupBy"), _GROUPS),
    "groupByKeyAndWindow": (
        "GROUPS",
        "`groupByKeyAndWindow` keeps keys with empty groups if the window has five slides or more; "
        "`window(...).groupByKey()`, which drops them, is rewritten",
    ),
    **dict.fromkeys(("saveAsHadoopFiles", "saveAsNewAPIHadoopFiles"), _HADOOP),
    **dict.fromkeys(("saveAsHadoopFile", "saveAsNewAPIHadoopFile"), _HADOOP),
    "saveAsSequenceFile": _HADOOP,
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
