"""Spark Streaming's Scala and Java API: classes by package, what calls give, rules that report it.

Codes are those of the Python constructs; methods without a code are sites without a finding.
"""

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

# what makes streams of other systems: the rule for any `create...` of it
FACTORIES: dict[str, str] = {
    "KafkaUtils": "D202",
    "FlumeUtils": "D203",
    "MQTTUtils": "D204",
    "KinesisUtils": "D205",
    **dict.fromkeys(("TwitterUtils", "ZeroMQUtils", "AkkaUtils"), "D206"),
    **dict.fromkeys(("PubsubUtils", "PubNubUtils"), "D206"),
}

# other calls on an object or class, or its construction, with their rules
CODES: dict[str, str] = {
    "KafkaUtils.createStream": "D201",
    "new.OffsetRange": "D202",
    "OffsetRange.create": "D202",
    "OffsetRange.apply": "D202",
    "KinesisInputDStream.builder": "D205",
    **{
        f"StreamingContext.{name}": "D207"
        for name in ("receiverStream", "actorStream", "fileStream", "rawSocketStream")
    },
}


def code_of(owner: str, name: str) -> str | None:
    """The rule for a call `owner.name`, None if no rule reports it."""
    found = CODES.get(f"{owner}.{name}")
    return found or (FACTORIES.get(owner) if name.startswith("create") else None)
