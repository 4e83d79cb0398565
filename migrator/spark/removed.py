"""The names that PySpark has lost, from a table that `scripts/removed_pyspark_names.py` writes."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from migrator.python.replacements import Replacement
from migrator.spark import api
from migrator.spark.kinds import Kind

_SQL = "pyspark.sql.functions"


@cache
def removed_from_spark() -> dict[str, str]:
    """Return names by their path, with the last Spark that had them."""
    table = json.loads(Path(__file__).with_name("removed.json").read_text("utf-8"))
    return {api.canonical(path): spark for path, spark in table["names"].items()}


# what Spark's own deprecation, or its migration guide, names instead
REPLACED = {
    f"{_SQL}.cumeDist": Replacement(f"{_SQL}.cume_dist"),
    f"{_SQL}.denseRank": Replacement(f"{_SQL}.dense_rank"),
    f"{_SQL}.monotonicallyIncreasingId": Replacement(f"{_SQL}.monotonically_increasing_id"),
    f"{_SQL}.percentRank": Replacement(f"{_SQL}.percent_rank"),
    f"{_SQL}.rowNumber": Replacement(f"{_SQL}.row_number"),
    f"{_SQL}.sparkPartitionId": Replacement(f"{_SQL}.spark_partition_id"),
    "pyspark.PickleSerializer": Replacement("pyspark.serializers.PickleSerializer"),
    "pyspark.ml.feature.OneHotEncoderEstimator": Replacement("pyspark.ml.feature.OneHotEncoder"),
    "pyspark.sql.streaming.ProcessingTime": Replacement(
        advice='use trigger(processingTime="1 second")'
    ),
    "pyspark.sql.streaming.Trigger": Replacement(advice="use the arguments of trigger()"),
    "pyspark.sql.types.from_arrow_schema": Replacement(
        "pyspark.sql.pandas.types.from_arrow_schema"
    ),
    "pyspark.sql.types.from_arrow_type": Replacement("pyspark.sql.pandas.types.from_arrow_type"),
    "pyspark.sql.types.to_arrow_schema": Replacement("pyspark.sql.pandas.types.to_arrow_schema"),
    "pyspark.sql.types.to_arrow_type": Replacement("pyspark.sql.pandas.types.to_arrow_type"),
    "pyspark.sql.utils.require_minimum_pandas_version": Replacement(
        "pyspark.sql.pandas.utils.require_minimum_pandas_version"
    ),
    "pyspark.sql.utils.require_minimum_pyarrow_version": Replacement(
        "pyspark.sql.pandas.utils.require_minimum_pyarrow_version"
    ),
    "pyspark.sql.utils.toJArray": Replacement(advice="it was internal"),
}

# methods, as a path from the same object, and how many positional arguments mean the same there
METHODS: dict[str, tuple[str, int]] = {
    "pyspark.SparkContext.clearFiles": ("", 0),
    "pyspark.sql.DataFrame.flatMap": ("rdd.flatMap", 2),
    "pyspark.sql.DataFrame.insertInto": ("write.insertInto", 2),
    "pyspark.sql.DataFrame.map": ("rdd.map", 2),
    "pyspark.sql.DataFrame.mapPartitions": ("rdd.mapPartitions", 2),
    "pyspark.sql.DataFrame.save": ("write.save", 3),
    "pyspark.sql.DataFrame.saveAsParquetFile": ("write.parquet", 1),
    "pyspark.sql.DataFrame.saveAsTable": ("write.saveAsTable", 3),
    "pyspark.sql.DataFrame.sql_ctx": ("sparkSession", 0),
    "pyspark.sql.DataFrame.to_koalas": ("pandas_api", 1),
    "pyspark.sql.DataFrame.to_pandas_on_spark": ("pandas_api", 1),
    "pyspark.sql.SQLContext.applySchema": ("createDataFrame", 2),
    "pyspark.sql.SQLContext.inferSchema": ("createDataFrame", 1),
    "pyspark.sql.SQLContext.jsonFile": ("read.json", 2),
    "pyspark.sql.SQLContext.jsonRDD": ("read.json", 2),
    "pyspark.sql.SQLContext.load": ("read.load", 3),
    "pyspark.sql.SQLContext.parquetFile": ("read.parquet", 99),
}
# the methods whose new place gives something else for some programs
CAVEATS = {"pyspark.sql.DataFrame.sql_ctx": "it gives a SparkSession, not a SQLContext"}

# the classes of the kinds of objects that inference knows
CLASSES = {
    Kind.DATAFRAME: "pyspark.sql.DataFrame",
    Kind.SQL_CONTEXT: "pyspark.sql.SQLContext",
    Kind.SPARK_CONTEXT: "pyspark.SparkContext",
    Kind.SPARK_SESSION: "pyspark.sql.SparkSession",
    Kind.RDD: "pyspark.RDD",
}
