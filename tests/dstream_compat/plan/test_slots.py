"""Slots are where Spark's hash partitioning puts them."""

from __future__ import annotations

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from dstream_compat.plan.slots import slots_for, spark_hash


@pytest.mark.slow
def test_slots_are_where_spark_puts_them(sc: SparkContext) -> None:
    spark = SparkSession.builder.getOrCreate()
    numbers = [0, 1, -1, 42, 2**31 - 1, -(2**31), 123_456]
    rows = spark.createDataFrame([(n,) for n in numbers], "n int").select("n", f.hash("n"))
    assert {row[0]: row[1] for row in rows.collect()} == {n: spark_hash(n) for n in numbers}
    for partitions in (1, 2, 7):
        slots = slots_for(partitions)
        placed = spark.createDataFrame([(s,) for s in slots], "s int").repartition(partitions, "s")
        where = placed.select("s", f.spark_partition_id()).collect()
        assert {row[0]: row[1] for row in where} == {s: p for p, s in enumerate(slots)}
