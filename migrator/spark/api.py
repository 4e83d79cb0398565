"""Spark's API as inference sees it: which call gives which kind.

The DStream side lists every public name of Spark 1.x, 2.4.8 and 4.x; tests pin it to pyspark.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from migrator.spark import names
from migrator.spark.kinds import Kind


@dataclass(frozen=True, slots=True)
class Callback:
    """A parameter that takes a user function, and what that function is given.

    Parameters
    ----------
    shape : str
        "rdd" is (rdd) or (time, rdd); "rdds" a list of RDDs; "two rdds" with another stream;
        "element" anything; "none" no argument.
    """

    position: int
    keyword: str
    shape: str


@dataclass(frozen=True, slots=True)
class Api:
    """A method or attribute: what it gives ("self" is the receiver's kind) and its callback."""

    gives: Kind | str
    callback: Callback | None = None
    is_property: bool = False


def each(*names: str, gives: Kind | str, callback: Callback | None = None) -> dict[str, Api]:
    """Return entries of the same kind for several names."""
    return {name: Api(gives, callback) for name in names}


_SETTERS = (
    *("setK", "setDecayFactor", "setHalfLife", "setInitialCenters", "setRandomCenters"),
    "setInitialWeights",
)
STREAMING_MODEL = {
    **each("predictOn", "predictOnValues", gives=Kind.DSTREAM),
    "trainOn": Api(Kind.NONE),
    "latestModel": Api(Kind.OTHER),
    **each(*_SETTERS, gives="self"),
}

MODELS = (
    "pyspark.mllib.clustering.StreamingKMeans",
    "pyspark.mllib.regression.StreamingLinearAlgorithm",
    "pyspark.mllib.regression.StreamingLinearRegressionWithSGD",
    "pyspark.mllib.classification.StreamingLogisticRegressionWithSGD",
)


ROOT = "pyspark.streaming"
COMPAT = "dstream_compat"


_STREAM = Kind.DSTREAM
_ELEMENT = Callback(0, "f", "element")

DSTREAM = {
    **each(
        *("map", "filter", "flatMap", "mapPartitions", "mapPartitionsWithIndex", "mapValues"),
        *("flatMapValues", "reduce", "reduceByKey", "updateStateByKey", "combineByKey"),
        *("reduceByWindow", "reduceByKeyAndWindow", "mapWithState"),
        gives=_STREAM,
        callback=_ELEMENT,
    ),
    **each(
        *("cogroup", "count", "countByValue", "countByValueAndWindow", "countByWindow"),
        *("fullOuterJoin", "glom", "groupByKey", "groupByKeyAndWindow", "join", "leftOuterJoin"),
        *("partitionBy", "repartition", "rightOuterJoin", "union", "window", "stateSnapshots"),
        "from_dataframe",
        gives=_STREAM,
    ),
    # Kafka's own stream stays what it is
    **each("cache", "checkpoint", "persist", gives="self"),
    "transform": Api(_STREAM, Callback(0, "func", "rdd")),
    "transformWith": Api(_STREAM, Callback(0, "func", "two rdds")),
    "foreachRDD": Api(Kind.NONE, Callback(0, "func", "rdd")),
    **each("pprint", "saveAsTextFiles", "foreach", "explain", gives=Kind.NONE),
    "to_dataframe": Api(Kind.DATAFRAME),
    "slice": Api("list of RDD"),
    "context": Api(Kind.STREAMING_CONTEXT),
}

STREAMING_CONTEXT = {
    **each(
        *("socketTextStream", "textFileStream", "binaryRecordsStream", "queueStream", "union"),
        gives=_STREAM,
    ),
    "transform": Api(_STREAM, Callback(1, "transformFunc", "rdds")),
    **each("start", "stop", "awaitTermination", "remember", "checkpoint", gives=Kind.NONE),
    **each("addStreamingListener", gives=Kind.NONE),
    **each("awaitTerminationOrTimeout", gives=Kind.OTHER),
    "getOrCreate": Api(Kind.STREAMING_CONTEXT, Callback(1, "setupFunc", "none")),
    "getActiveOrCreate": Api(Kind.STREAMING_CONTEXT, Callback(1, "setupFunc", "none")),
    "getActive": Api(Kind.STREAMING_CONTEXT),
    "sparkContext": Api(Kind.SPARK_CONTEXT, is_property=True),
    "_sc": Api(Kind.SPARK_CONTEXT, is_property=True),
    "_jvm": Api("jvm", is_property=True),
}

_RDD_TO_RDD = (
    *("map", "flatMap", "filter", "mapPartitions", "mapPartitionsWithIndex", "mapValues"),
    *("flatMapValues", "reduceByKey", "groupBy", "groupByKey", "combineByKey", "aggregateByKey"),
    *("foldByKey", "sortBy", "sortByKey", "keyBy", "distinct", "sample", "union", "intersection"),
    *("subtract", "subtractByKey", "cartesian", "zip", "zipWithIndex", "zipWithUniqueId", "join"),
    *("leftOuterJoin", "rightOuterJoin", "fullOuterJoin", "cogroup", "groupWith", "partitionBy"),
    *("repartition", "repartitionAndSortWithinPartitions", "coalesce", "glom", "pipe", "keys"),
    *("values", "barrier"),
)
RDD = {
    **each(*_RDD_TO_RDD, gives=Kind.RDD, callback=_ELEMENT),
    **each("cache", "persist", "unpersist", "setName", gives="self"),
    **each("foreach", "foreachPartition", gives=Kind.NONE, callback=_ELEMENT),
    **each("collect", "take", "takeOrdered", "top", "first", "count", gives=Kind.OTHER),
    "toDF": Api(Kind.DATAFRAME),
    "context": Api(Kind.SPARK_CONTEXT, is_property=True),
    "ctx": Api(Kind.SPARK_CONTEXT, is_property=True),
}

SPARK_CONTEXT = {
    **each(
        *("parallelize", "textFile", "wholeTextFiles", "binaryFiles", "binaryRecords", "range"),
        *("union", "emptyRDD", "pickleFile", "sequenceFile", "newAPIHadoopRDD", "hadoopRDD"),
        *("newAPIHadoopFile", "hadoopFile"),
        gives=Kind.RDD,
    ),
    **each("stop", "setLogLevel", "setCheckpointDir", "addFile", "addPyFile", gives=Kind.NONE),
    "getConf": Api(Kind.SPARK_CONF),
    "_conf": Api(Kind.SPARK_CONF, is_property=True),
    "_jvm": Api("jvm", is_property=True),
    "getOrCreate": Api(Kind.SPARK_CONTEXT),
}

SPARK_CONF = {
    **each(
        *("set", "setAll", "setAppName", "setMaster", "setIfMissing", "setSparkHome"),
        "setExecutorEnv",
        gives="self",
    ),
    **each("get", "getAll", "contains", "toDebugString", gives=Kind.OTHER),
}

# the part of Spark SQL's API that inference sees
SESSION_BUILDER = {
    **each("appName", "master", "config", "enableHiveSupport", "remote", gives="self"),
    **each("getOrCreate", "create", gives=Kind.SPARK_SESSION),
}

SPARK_SESSION = {
    "sparkContext": Api(Kind.SPARK_CONTEXT, is_property=True),
    "_sc": Api(Kind.SPARK_CONTEXT, is_property=True),
    "_jvm": Api("jvm", is_property=True),
    "newSession": Api("self"),
    "read": Api(Kind.DATAFRAME_READER, is_property=True),
    **each("createDataFrame", "sql", "table", "range", gives=Kind.DATAFRAME),
}

SQL_CONTEXT = {
    **each("newSession", "getOrCreate", gives=Kind.SQL_CONTEXT),
    "read": Api(Kind.DATAFRAME_READER, is_property=True),
    "sparkSession": Api(Kind.SPARK_SESSION, is_property=True),
    **each("createDataFrame", "sql", "table", "tables", "range", gives=Kind.DATAFRAME),
    # of Spark 1
    **each(
        *("applySchema", "inferSchema", "jsonFile", "jsonRDD", "load", "parquetFile"),
        gives=Kind.DATAFRAME,
    ),
}

DATAFRAME = {
    "rdd": Api(Kind.RDD, is_property=True),
    "sparkSession": Api(Kind.SPARK_SESSION, is_property=True),
    **each(
        *("alias", "cache", "coalesce", "crossJoin", "distinct", "drop", "dropDuplicates"),
        *("drop_duplicates", "dropna", "exceptAll", "fillna", "filter", "hint", "intersect"),
        *("join", "limit", "orderBy", "persist", "repartition", "replace", "sample", "select"),
        *("selectExpr", "sort", "sortWithinPartitions", "subtract", "toDF", "union", "unionAll"),
        *("unionByName", "unpersist", "where", "withColumn", "withColumnRenamed", "withWatermark"),
        gives="self",
    ),
    # of Spark 1
    **each("flatMap", "map", "mapPartitions", gives=Kind.RDD),
    **each("collect", "count", "first", "head", "take", gives=Kind.OTHER),
    **each("createOrReplaceTempView", "registerTempTable", "show", gives=Kind.NONE),
}

DATAFRAME_READER = {
    **each("format", "option", "options", "schema", gives="self"),
    **each("csv", "jdbc", "json", "load", "orc", "parquet", "table", "text", gives=Kind.DATAFRAME),
}

_DSTREAM_ATTRIBUTES = {
    name: Api(Kind.OTHER, is_property=True) for name in ("is_cached", "is_checkpointed")
}

METHODS: dict[Kind, dict[str, Api]] = {
    Kind.DSTREAM: DSTREAM | _DSTREAM_ATTRIBUTES,
    Kind.KAFKA_DSTREAM: DSTREAM | _DSTREAM_ATTRIBUTES,
    Kind.STREAMING_CONTEXT: STREAMING_CONTEXT,
    Kind.RDD: RDD,
    Kind.SPARK_CONTEXT: SPARK_CONTEXT,
    Kind.SPARK_CONF: SPARK_CONF,
    Kind.SPARK_SESSION: SPARK_SESSION,
    Kind.SESSION_BUILDER: SESSION_BUILDER,
    Kind.SQL_CONTEXT: SQL_CONTEXT,
    Kind.DATAFRAME: DATAFRAME,
    Kind.DATAFRAME_READER: DATAFRAME_READER,
    Kind.STREAMING_MODEL: STREAMING_MODEL,
}

# names that only DStreams or only contexts have: calling one is evidence, not proof
TELLTALE = {
    **dict.fromkeys(
        (
            *("foreachRDD", "updateStateByKey", "reduceByKeyAndWindow", "saveAsTextFiles"),
            *("countByWindow", "countByValueAndWindow", "reduceByWindow", "groupByKeyAndWindow"),
            "transformWith",
        ),
        Kind.DSTREAM,
    ),
    **dict.fromkeys(
        (
            *("socketTextStream", "textFileStream", "binaryRecordsStream", "queueStream"),
            *("awaitTerminationOrTimeout", "addStreamingListener"),
        ),
        Kind.STREAMING_CONTEXT,
    ),
}

# calls through a module or class; the paths are canonical
CALLS: dict[str, Api] = {
    f"{ROOT}.StreamingContext": Api(Kind.STREAMING_CONTEXT),
    **{
        f"{ROOT}.StreamingContext.{name}": STREAMING_CONTEXT[name]
        for name in ("getOrCreate", "getActive", "getActiveOrCreate")
    },
    f"{ROOT}.DStream": Api(Kind.DSTREAM),
    f"{ROOT}.dstream.TransformedDStream": Api(Kind.DSTREAM),
    f"{ROOT}.kafka.KafkaUtils.createStream": Api(Kind.DSTREAM),
    f"{ROOT}.kafka.KafkaUtils.createDirectStream": Api(Kind.KAFKA_DSTREAM),
    f"{ROOT}.kafka.KafkaUtils.createRDD": Api(Kind.RDD),
    f"{ROOT}.kinesis.KinesisUtils.createStream": Api(Kind.DSTREAM),
    f"{ROOT}.flume.FlumeUtils.createStream": Api(Kind.DSTREAM),
    f"{ROOT}.flume.FlumeUtils.createPollingStream": Api(Kind.DSTREAM),
    f"{ROOT}.mqtt.MQTTUtils.createStream": Api(Kind.DSTREAM),
    f"{ROOT}.mqtt.MQTTUtils.createPairedStream": Api(Kind.DSTREAM),
    f"{ROOT}.mqtt.MQTTUtils.createPickleStream": Api(Kind.DSTREAM),
    "pyspark.SparkContext": Api(Kind.SPARK_CONTEXT),
    "pyspark.SparkContext.getOrCreate": Api(Kind.SPARK_CONTEXT),
    "pyspark.SparkConf": Api(Kind.SPARK_CONF),
    **{f"pyspark.sql.{n}": Api(Kind.SQL_CONTEXT) for n in ("SQLContext", "HiveContext")},
    "pyspark.sql.SQLContext.getOrCreate": Api(Kind.SQL_CONTEXT),
    "pyspark.sql.SparkSession": Api(Kind.SPARK_SESSION),
    "pyspark.sql.SparkSession.getActiveSession": Api(Kind.SPARK_SESSION),
    "pyspark.sql.SparkSession.builder": Api(Kind.SESSION_BUILDER, is_property=True),
    "pyspark.sql.SparkSession.Builder": Api(Kind.SESSION_BUILDER),
    **{path: Api(Kind.STREAMING_MODEL) for path in MODELS},
}

_CANONICAL = {
    f"{ROOT}.context.StreamingContext": f"{ROOT}.StreamingContext",
    f"{ROOT}.dstream.DStream": f"{ROOT}.DStream",
    f"{ROOT}.listener.StreamingListener": f"{ROOT}.StreamingListener",
    "pyspark.context.SparkContext": "pyspark.SparkContext",
    "pyspark.conf.SparkConf": "pyspark.SparkConf",
    "pyspark.rdd.RDD": "pyspark.RDD",
    # since Spark 4
    "pyspark.core.context.SparkContext": "pyspark.SparkContext",
    "pyspark.core.rdd.RDD": "pyspark.RDD",
    "pyspark.sql.session.SparkSession": "pyspark.sql.SparkSession",
    "pyspark.sql.dataframe.DataFrame": "pyspark.sql.DataFrame",
    "pyspark.sql.context.SQLContext": "pyspark.sql.SQLContext",
    "pyspark.sql.context.HiveContext": "pyspark.sql.HiveContext",
}

# what an annotation or isinstance with a class says
INSTANCES = {
    f"{ROOT}.StreamingContext": Kind.STREAMING_CONTEXT,
    f"{ROOT}.DStream": Kind.DSTREAM,
    f"{ROOT}.dstream.MapWithStateDStream": Kind.DSTREAM,
    f"{ROOT}.dstream.TransformedDStream": Kind.DSTREAM,
    f"{ROOT}.kafka.KafkaDStream": Kind.KAFKA_DSTREAM,
    f"{ROOT}.kafka.KafkaTransformedDStream": Kind.DSTREAM,
    "pyspark.SparkContext": Kind.SPARK_CONTEXT,
    "pyspark.SparkConf": Kind.SPARK_CONF,
    "pyspark.RDD": Kind.RDD,
    "pyspark.sql.SparkSession": Kind.SPARK_SESSION,
    "pyspark.sql.SQLContext": Kind.SQL_CONTEXT,
    "pyspark.sql.HiveContext": Kind.SQL_CONTEXT,
    "pyspark.sql.DataFrame": Kind.DATAFRAME,
    **dict.fromkeys(MODELS, Kind.STREAMING_MODEL),
}

# names that a notebook, a shell or a platform defines before the program runs
PREDEFINED = {
    "sc": Kind.SPARK_CONTEXT,
    "spark": Kind.SPARK_SESSION,
    "sqlContext": Kind.SQL_CONTEXT,
    "ssc": Kind.STREAMING_CONTEXT,
}
WELL_KNOWN_CLASSES = {
    "StreamingContext": f"{ROOT}.StreamingContext",
    "KafkaUtils": f"{ROOT}.kafka.KafkaUtils",
    "KinesisUtils": f"{ROOT}.kinesis.KinesisUtils",
    "FlumeUtils": f"{ROOT}.flume.FlumeUtils",
    "MQTTUtils": f"{ROOT}.mqtt.MQTTUtils",
}


@cache
def canonical(path: str) -> str:
    """Return one spelling for each API path: `dstream_compat` counts as `pyspark.streaming`."""
    if path == COMPAT or path.startswith(COMPAT + "."):
        path = ROOT + path[len(COMPAT) :]
    for old, new in _CANONICAL.items():
        if path == old or path.startswith(old + "."):
            return new + path[len(old) :]
    return path


def in_streaming(path: str) -> bool:
    """Return whether a canonical path is `pyspark.streaming` or something in it."""
    return path == ROOT or path.startswith(ROOT + ".")


def submodule(path: str) -> str | None:
    """Return the part after `pyspark.streaming.` of a module that we have, "" for the root."""
    if path == ROOT:
        return ""
    rest = path[len(ROOT) + 1 :]
    return rest if path.startswith(ROOT + ".") and rest in names.STAR else None


def star_names(module: str) -> tuple[str, ...]:
    """Return names that a star import of a module (dotted, as written) is known to bring."""
    if module in names.OTHER_STAR:
        return names.OTHER_STAR[module]
    sub = submodule(canonical(module))
    return () if sub is None else names.STAR[sub]
