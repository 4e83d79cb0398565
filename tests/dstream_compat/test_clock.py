"""Clocks and the slots that depend on Spark's hash."""

from __future__ import annotations

import threading

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from dstream_compat.clock import ManualClock, SystemClock, clock_for
from dstream_compat.plan.slots import slots_for, spark_hash


def test_manual_clock_wakes_who_waits() -> None:
    clock = ManualClock(1000)
    condition = threading.Condition()
    woken = threading.Event()

    def wait() -> None:
        with condition:
            while clock.now() < 3000:
                clock.wait(condition, 3000)
        woken.set()

    threading.Thread(target=wait, daemon=True).start()
    clock.advance(500)
    assert clock.now() == 1500
    clock.advance(1500)
    assert woken.wait(30)
    clock.jump(2000)
    assert clock.now() == 3000


def test_clock_by_setting() -> None:
    assert isinstance(clock_for(None), SystemClock)
    assert isinstance(clock_for("org.apache.spark.util.ManualClock"), ManualClock)
    with pytest.raises(ValueError, match=r"my\.Clock"):
        clock_for("my.Clock")


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
