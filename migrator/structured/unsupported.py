"""Methods that have no exact counterpart, and why."""

from __future__ import annotations

_PLACES = "a DataFrame has other partitions, and nothing says which records are in one"
_SAMPLE = "Spark draws other samples of rows than of records"
_HADOOP = "the files are written by Java classes of Hadoop; DataFrames have no such writer"

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
}
"""By the name of the method: a code, and the reason in words."""


def reason(method: str, owner: str) -> tuple[str, str]:
    """The code and the reason for a method of something."""
    of = f" of {owner}" if owner else ""
    return REASONS.get(method, ("METHOD", f"`{method}`{of} has no counterpart"))
