"""What this version of dstream_compat refuses or lacks, and what to do instead.

A version that does it takes the line out. Tests compare these tables with the runtime.
"""

from __future__ import annotations

RAISES = "dstream_compat has the name, but in this version"

_KAFKA = "keep the job on its old Spark, or read the topic with spark.readStream.format('kafka')"
_FLUME = "let the Flume agent write to files and read those with textFileStream"

# functions that make streams, and classes whose constructors raise
SOURCES: dict[str, str] = {
    "KafkaUtils.createStream": _KAFKA,
    "KafkaUtils.createDirectStream": _KAFKA,
    "KafkaUtils.createRDD": (
        "keep the job on its old Spark, or read the offsets with spark.read.format('kafka')"
    ),
    "class.Broker": "keep the job on its old Spark, or name the brokers in an option of the source",
    "class.KafkaMessageAndMetadata": _KAFKA,
    "class.OffsetRange": (
        "keep the job on its old Spark, or give the offsets as startingOffsets and endingOffsets"
    ),
    "class.TopicAndPartition": (
        "keep the job on its old Spark, or give the offsets as startingOffsets"
    ),
    "KinesisUtils.createStream": (
        "keep the job on its old Spark, or write the records to files and read those with "
        "textFileStream"
    ),
    "MQTTUtils.createStream": (
        "keep the job on its old Spark, or bridge the topic to a socket or to files"
    ),
    "MQTTUtils.createPairedStream": (
        "keep the job on its old Spark, or bridge the topics to a socket or to files"
    ),
    "FlumeUtils.createStream": _FLUME,
    "FlumeUtils.createPollingStream": _FLUME,
}

# methods of contexts and streams
METHODS: dict[str, str] = {
    "DStream.foreach": "use foreachRDD(), its newer name",
}
