"""The modules of `pyspark.streaming`, and which of their names this version of ours has.

A test imports dstream_compat and compares.
"""

from __future__ import annotations

# what a star import of Spark's module brings, "" being the package; dstream_compat has all of it
STAR: dict[str, tuple[str, ...]] = {
    "": ("StreamingContext", "DStream", "StreamingListener"),
    "context": ("StreamingContext",),
    "dstream": ("DStream",),
    "listener": ("StreamingListener",),
    "kafka": (
        *("Broker", "KafkaMessageAndMetadata", "KafkaUtils", "OffsetRange"),
        *("TopicAndPartition", "utf8_decoder"),
    ),
    "kinesis": ("KinesisUtils", "InitialPositionInStream", "MetricsLevel", "utf8_decoder"),
    "flume": ("FlumeUtils", "utf8_decoder"),
    "mqtt": ("MQTTUtils",),
    "util": (),
}

# what a star import of the modules brings that make contexts and sessions, of these kinds
OTHER_STAR: dict[str, tuple[str, ...]] = {
    "pyspark": ("RDD", "SparkConf", "SparkContext", "StorageLevel"),
    "pyspark.sql": ("DataFrame", "HiveContext", "Row", "SQLContext", "SparkSession"),
}

# what a star import of our module brings besides
ADDED_BY_STAR: dict[str, tuple[str, ...]] = {
    "": ("State", "StateSpec", "install"),
    "mqtt": ("utf8_decoder",),
}

# other public names of our modules
OTHERS: dict[str, tuple[str, ...]] = {
    "dstream": ("MapWithStateDStream", "TransformedDStream"),
    "kafka": ("KafkaDStream", "KafkaRDD", "KafkaTransformedDStream"),
    "util": ("TransformFunction", "TransformFunctionSerializer", "rddToFileName"),
}

# modules that Spark's package loads by itself
LOADED_BY_SPARK = frozenset({"context", "dstream", "listener", "util"})
# modules that our package does not load by itself
EXPLICIT = frozenset(name for name in STAR if name) - LOADED_BY_SPARK

# names that Spark's modules have and ours do not: what to do instead
LACKING: dict[str, str] = {}


def exported_names(module: str) -> frozenset[str]:
    """Return names that can be imported from a module of dstream_compat ("" is the package)."""
    modules = (name for name in STAR if name and not module)
    return frozenset(
        (*STAR[module], *ADDED_BY_STAR.get(module, ()), *OTHERS.get(module, ()), *modules)
    )


# What this version of dstream_compat refuses or lacks, and what to do instead.
#
# A version that does it takes the line out. Tests compare these tables with the runtime.

_FLUME = "let the agent write to Kafka or to files for textFileStream, or keep the old Spark"

# functions that make streams, and classes whose constructors raise
SOURCES: dict[str, str] = {
    "FlumeUtils.createStream": _FLUME,
    "FlumeUtils.createPollingStream": _FLUME,
}

# methods of contexts and streams
METHODS: dict[str, str] = {"DStream.foreach": "use foreachRDD(), its newer name"}


# Public names of `SparkContext`, which a streaming context does not have; a test compares them.

NAMES = frozenset(
    (
        *("accumulator", "addArchive", "addFile", "addJobTag", "addPyFile", "applicationId"),
        *("binaryFiles", "binaryRecords", "broadcast", "cancelAllJobs", "cancelJobGroup"),
        *("cancelJobsWithTag", "clearJobTags", "defaultMinPartitions", "defaultParallelism"),
        *("dump_profiles", "emptyRDD", "getCheckpointDir", "getConf", "getJobTags"),
        *("getLocalProperty", "getSystemProperty", "hadoopFile", "hadoopRDD", "listArchives"),
        *("listFiles", "newAPIHadoopFile", "newAPIHadoopRDD", "parallelize", "pickleFile"),
        *("range", "removeJobTag", "resources", "runJob", "sequenceFile", "setCheckpointDir"),
        *("setInterruptOnCancel", "setJobDescription", "setJobGroup", "setLocalProperty"),
        *("setLogLevel", "setSystemProperty", "show_profiles", "sparkUser", "startTime"),
        *("statusTracker", "textFile", "uiWebUrl", "version", "wholeTextFiles"),
    )
)
