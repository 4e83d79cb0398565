"""The part of Spark SQL's API that inference sees: sessions, DataFrames and their readers."""

from __future__ import annotations

from migrator.spark.api_entries import Api, each
from migrator.spark.kinds import Kind

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
