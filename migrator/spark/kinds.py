"""The kinds of objects of Spark that inference distinguishes."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """Kinds of objects that the migrator distinguishes."""

    SPARK_CONTEXT = "SparkContext"
    SPARK_CONF = "SparkConf"
    SPARK_SESSION = "SparkSession"
    SQL_CONTEXT = "SQLContext"
    SESSION_BUILDER = "SparkSession.Builder"
    STREAMING_CONTEXT = "StreamingContext"
    DSTREAM = "DStream"
    KAFKA_DSTREAM = "KafkaDStream"
    RDD = "RDD"
    DATAFRAME = "DataFrame"
    DATAFRAME_READER = "DataFrameReader"
    STREAMING_MODEL = "streaming model"
    NONE = "None"
    OTHER = "other"


STREAMS = frozenset({Kind.DSTREAM, Kind.KAFKA_DSTREAM})
STREAMING = STREAMS | {Kind.STREAMING_CONTEXT}
