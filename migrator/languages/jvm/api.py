"""Spark Streaming's Scala and Java API: classes by package, and what calls give."""

from __future__ import annotations

from migrator.spark.kinds import Kind

ROOT = "org.apache.spark.streaming"

_STREAM_CLASSES = (
    *("DStream", "InputDStream", "ReceiverInputDStream", "ConstantInputDStream"),
    *("MapWithStateDStream", "PairDStreamFunctions"),
)
_JAVA_CLASSES = (
    *("JavaDStream", "JavaPairDStream", "JavaInputDStream", "JavaPairInputDStream"),
    *("JavaReceiverInputDStream", "JavaPairReceiverInputDStream", "JavaMapWithStateDStream"),
)
_CONNECTORS = {
    "kafka": ("KafkaUtils", "OffsetRange", "HasOffsetRanges", "Broker"),
    "kafka010": (
        *("KafkaUtils", "OffsetRange", "HasOffsetRanges", "CanCommitOffsets"),
        *("LocationStrategies", "ConsumerStrategies"),
    ),
    "flume": ("FlumeUtils",),
    "kinesis": ("KinesisUtils", "KinesisInputDStream"),
    "mqtt": ("MQTTUtils",),
    "twitter": ("TwitterUtils",),
    "zeromq": ("ZeroMQUtils",),
    "akka": ("AkkaUtils",),
    "pubsub": ("PubsubUtils",),
    "pubnub": ("PubNubUtils",),
}
PACKAGES: dict[str, tuple[str, ...]] = {
    ROOT: (
        *("StreamingContext", "StateSpec", "State", "Time", "Duration", "Durations"),
        *("Seconds", "Milliseconds", "Minutes"),
    ),
    f"{ROOT}.dstream": _STREAM_CLASSES,
    f"{ROOT}.api.java": ("JavaStreamingContext", *_JAVA_CLASSES),
    f"{ROOT}.receiver": ("Receiver",),
    **{f"{ROOT}.{name}": classes for name, classes in _CONNECTORS.items()},
}

KINDS: dict[str, Kind] = {
    **dict.fromkeys(("StreamingContext", "JavaStreamingContext"), Kind.STREAMING_CONTEXT),
    **dict.fromkeys((*_STREAM_CLASSES, *_JAVA_CLASSES), Kind.DSTREAM),
}

# methods of a context that give a stream, and its other ones
CONTEXT_STREAMS = frozenset(
    (
        *("socketTextStream", "socketStream", "rawSocketStream", "textFileStream", "fileStream"),
        *("binaryRecordsStream", "queueStream", "receiverStream", "actorStream", "union"),
        *("transform", "transformToPair"),
    )
)
CONTEXT_OTHER = frozenset(
    (
        *("start", "stop", "awaitTermination", "awaitTerminationOrTimeout", "remember"),
        *("checkpoint", "addStreamingListener", "sparkContext", "getState", "close", "ssc"),
    )
)
# methods of a stream that give none; every other method gives a stream
STREAM_OTHER = frozenset(
    (
        *("print", "foreachRDD", "foreach", "saveAsTextFiles", "saveAsObjectFiles", "slice"),
        *("saveAsHadoopFiles", "saveAsNewAPIHadoopFiles", "context", "slideDuration", "id"),
        *("dstream", "generatedRDDs", "hashCode", "toString", "equals", "asInstanceOf"),
    )
)

# what makes streams of other systems
FACTORIES = frozenset(
    (
        *("KafkaUtils", "FlumeUtils", "MQTTUtils", "KinesisUtils", "TwitterUtils", "ZeroMQUtils"),
        *("AkkaUtils", "PubsubUtils", "PubNubUtils"),
    )
)
_OTHER_CALLS = frozenset({"OffsetRange.create", "OffsetRange.apply", "KinesisInputDStream.builder"})


def is_source(owner: str, name: str) -> bool:
    """Return whether a call of a class or object is about the records of another system."""
    creates = owner in FACTORIES and name.startswith("create")
    return creates or f"{owner}.{name}" in _OTHER_CALLS
