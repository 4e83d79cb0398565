"""What functions do with the records of a batch is recorded: sent, sorted, made into others."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from dstream_compat.testing import run_batches

GIVEN = {"socket:9999": [["b", "a"], ["c"]]}
pytestmark = pytest.mark.slow


def sorted_lines(rdd: Any) -> None:
    for word in rdd.sortBy(lambda word: word).collect():
        print(word)


def smallest(rdd: Any) -> None:
    print(rdd.count(), *rdd.top(2))


def lines_in_any_order(rdd: Any) -> None:
    if not rdd.isEmpty():
        print(*rdd.collect())


def both(rdd: Any) -> None:
    print(*rdd.takeOrdered(1), *rdd.collect())


def send(rdd: Any) -> None:
    rdd.foreachPartition(lambda words: list(words))
    rdd.map(str.upper).foreach(lambda word: None)


FUNCTIONS = [sorted_lines, smallest, lines_in_any_order, both, send]


def functions(ssc: Any) -> None:
    words = ssc.socketTextStream("localhost", 9999)
    for function in FUNCTIONS:
        words.foreachRDD(function)
    words.transform(lambda rdd: rdd.sortBy(lambda word: word)).foreachRDD(lines_in_any_order)
    words.pprint(7)
    words.pprint()


@pytest.mark.parametrize("engine", ["compat", "dstreams"])
def test_functions_of_dstreams(sc: SparkContext, engine: str) -> None:
    found = run_batches(functions, GIVEN, engine=engine)
    given = [one for one in found.outputs if one.kind == "foreachRDD"]
    # those that make no other RDD of what they are given
    assert [one.direct for one in given] == [False, True, True, True, False, True]
    # outputs may run at the same time
    printed = {one.place[0]: one.from_sorted for one in found.outputs if one.kind == "printed"}
    assert printed == {0: True, 1: True, 2: False, 3: False, 5: True}
    assert found.of_kind("sent") == [[["b", "a"], ["c"]], [["B", "A"], ["C"]]]
    names = [one.name.partition(" at ")[0] for one in found.outputs if one.kind == "sent"]
    assert names == ["foreachPartition", "foreach"]
    assert [one.num for one in found.outputs if one.kind == "pprint"] == [7, 10]


def process(batch: DataFrame, batch_id: int) -> None:
    batch.foreach(lambda row: None)
    batch.select(F.upper("value").alias("v")).foreachPartition(lambda rows: list(rows))
    for row in batch.orderBy("value").collect():
        print(row.value)


def process_in_any_order(batch: DataFrame, batch_id: int) -> None:
    print(*[row.value for row in batch.collect()])
    batch.show(7)


def queries(spark: SparkSession) -> None:
    lines = spark.readStream.format("socket").option("host", "h").option("port", 9999).load()
    lines.writeStream.foreachBatch(process).start()
    lines.writeStream.foreachBatch(process_in_any_order).start()


def test_functions_of_queries(sc: SparkContext) -> None:
    found = run_batches(queries, GIVEN, engine="structured")
    sent = [[sorted(row[0] for row in rows) for rows in one] for one in found.of_kind("sent")]
    assert sent == [[["a", "b"], ["c"]], [["A", "B"], ["C"]]]
    printed = [one.from_sorted for one in found.outputs if one.kind == "printed"]
    assert sorted(printed) == [False, True]
    assert [one.num for one in found.outputs if one.kind == "show"] == [7]
