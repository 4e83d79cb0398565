"""Decides from the bytes of a file whether it is worth reading.

This is the one place that chooses what is parsed. It has to stay cheap, and it must never miss a
file that uses DStreams by name.
"""

from __future__ import annotations

import mmap
import re
from pathlib import Path

from migrator.discover.filetypes import FileType
from migrator.discover.walk import Candidate
from migrator.spark.settings import may_misspell

MAX_BYTES = 5 * 1024 * 1024
# how far a data file that is too large is looked into: settings stand near the beginning
_LOOK_INTO = 64 * 1024 * 1024

# a longer text for people is a log or data
_MAX_DOCUMENT_BYTES = 1024 * 1024

# what only DStream code and its settings say
_STRONG = (
    *(b"spark.streaming", b"StreamingContext", b"DStream", b"spark-streaming", b"foreachRDD"),
    *(b"KafkaUtils", b"FlumeUtils", b"MQTTUtils", b"KinesisUtils", b"updateStateByKey"),
    *(b"dstream_compat", b"socketTextStream", b"reduceByKeyAndWindow", b"textFileStream"),
    *(b"queueStream", b"binaryRecordsStream", b"awaitTerminationOrTimeout"),
    *(b"addStreamingListener", b"transformWith(", b"reduceByWindow", b"countByWindow"),
    *(b"countByValueAndWindow", b"groupByKeyAndWindow", b"_jssc", b"_jdstream"),
    *(b"saveAsTextFiles", b"StreamingKMeans", b"StreamingLinear", b"StreamingLogistic"),
)
# most files hold none of these parts of the names above: they are looked for first
_PARTS = (b"tream", b"Utils", b"Window")
_BY_PART = tuple((part, tuple(n for n in _STRONG if part in n)) for part in _PARTS)
_OTHERS = tuple(n for n in _STRONG if not any(part in n for part in _PARTS))
# the one way in that names neither the module by its path nor a class
_FROM_PYSPARK = re.compile(
    rb"from\s+pyspark\s+import\s*(?:\([^)]*\bstreaming\b|(?:[^\n(]|\\\r?\n)*\bstreaming\b)"
)

# what a program says that starts jobs: a folder of Spark, a Java, a Python, an image or a cluster
_STARTS_JOBS = re.compile(
    rb"SPARK_HOME|JAVA_HOME|PYSPARK_(?:DRIVER_)?PYTHON|[/\\]spark[123]?-submit"
    rb"|[\"'](?:[\w.:-]+/)*(?:python:2|spark(?:-[\w-]+)?:v?\d|[\w-]+-notebook:spark-\d|emr-\d)"
    rb"|spark_version[\"']|lue_?[vV]ersion|mage_?[vV]ersion[\"']?\s*[=:]\s*[\"'][12]\."
)
_IS_SPARKS = re.compile(rb"(?:import|from)\s+(?:find|py)spark")

# a comment for us: it is reported if it has no effect
_COMMENT = b"migrate: ignore"


def is_too_large(source: Candidate) -> bool:
    """Return whether a file is not read into memory."""
    longest = _MAX_DOCUMENT_BYTES if source.type is FileType.DOCUMENT else MAX_BYTES
    return source.size > longest


def mentions_streaming(data: bytes) -> bool:
    """Return whether the bytes name something of Spark Streaming."""
    for part, needles in _BY_PART:
        if part in data and any(needle in data for needle in needles):
            return True
    return any(needle in data for needle in _OTHERS)


def is_candidate(data: bytes) -> bool:
    """Return whether a file has to be read: also where `streaming` is imported from `pyspark`."""
    if mentions_streaming(data) or _COMMENT in data or may_misspell(data):
        return True
    if b"pyspark" in data and _FROM_PYSPARK.search(data):
        return True
    return data[:2] in (b"\xff\xfe", b"\xfe\xff") and mentions_streaming(data.replace(b"\0", b""))


def may_start_jobs(data: bytes) -> bool:
    """Return whether a program without DStream code may name the Spark, Java or Python of jobs.

    What one that uses Spark itself names is its own.
    """
    return _STARTS_JOBS.search(data) is not None and _IS_SPARKS.search(data) is None


def large_file_mentions(path: Path, whole: bool) -> bool:
    """Return the same for a file that is too large to be read into memory.

    Parameters
    ----------
    whole : bool
        False to look at its first 64 MB only.
    """
    end = path.stat().st_size if whole else _LOOK_INTO
    with (
        path.open("rb") as stream,
        mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
    ):
        return any(mapped.find(needle, 0, end) >= 0 for needle in _STRONG)
