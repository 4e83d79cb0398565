"""Functions of `foreachRDD` are rewritten in place, and only what has to change changes."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """\
import sys

from pyspark import SparkContext
from pyspark.sql import Row, SparkSession
from pyspark.streaming import StreamingContext

{function}

sc = SparkContext(appName="Job")
ssc = StreamingContext(sc, 1)
lines = ssc.socketTextStream("localhost", 9999)
pairs = lines.map(lambda line: (line, 1)).reduceByKey(lambda a, b: a + b)
{output}
ssc.start()
ssc.awaitTermination()
"""


def rewritten(function: str, output: str, unsafe: bool = False) -> Rewritten | Reason:
    found = rewrite(JOB.format(function=function, output=output), unsafe)
    assert found is not None
    return found


def body(lines: list[str], stream: str = "lines", head: str = "rdd") -> Rewritten:
    function = f"def process({head}):\n" + "\n".join(f"    {line}" for line in lines)
    found = rewritten(function, f"{stream}.foreachRDD(process)")
    assert isinstance(found, Rewritten), found
    return found


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("print(rdd.isEmpty())", "print(batch.isEmpty())"),
        ("print(rdd.count())", "print(batch.count())"),
        ("print(rdd.collect())", "print([row.value for row in batch.collect()])"),
        ("print(sorted(rdd.collect()))", "print(sorted(row.value for row in batch.collect()))"),
        ("print(len(rdd.collect()))", "print(len([row.value for row in batch.collect()]))"),
        ("print(rdd.map(len).sum())", "F.coalesce(F.sum(F.length("),
        ("rdd.foreach(print)", "batch.foreach(lambda row: print(row.value))"),
        ("rdd.cache()", "batch.cache()"),
        ('rdd.saveAsTextFile("out")', 'batch.write.text("out")'),
        ('print(rdd.filter(lambda line: line > "b").count())', '.where(F.col("value") > "b")'),
    ],
)
def test_an_action_becomes_one_of_the_batch(before: str, after: str) -> None:
    assert after in body([before]).text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "for line, n in rdd.collect():\n        print(line, n)",
            "for line, n in batch.collect():",
        ),
        ("for pair in rdd.collect():\n        print(pair)", "in map(tuple, batch.collect()):"),
        ("for pair in rdd.collect():\n        print(pair[0])", "for pair in batch.collect():"),
        ("print(dict(rdd.collect()))", "print(dict(batch.collect()))"),
        ("print(rdd.collectAsMap())", "print(dict(batch.collect()))"),
        (
            "found = rdd.collect()\n    print(found)",
            "found = [tuple(row) for row in batch.collect()]",
        ),
        ("found = rdd.collect()\n    print(len(found))", "found = batch.collect()"),
        ("print(rdd.take(2))", "print([tuple(row) for row in batch.take(2)])"),
        ("print(rdd.first())", "print(tuple(batch.first()))"),
        ("rdd.foreach(lambda pair: print(pair[1]))", "batch.foreach(lambda pair: print(pair[1]))"),
        ("rdd.foreach(lambda pair: print(pair))", "batch.foreach(lambda row: print(tuple(row)))"),
    ],
)
def test_rows_are_tuples_where_code_can_tell(before: str, after: str) -> None:
    assert after in body([before], "pairs").text


def test_other_code_stays_as_it_is() -> None:
    lines = ['"""Says what there is."""', "x = 'rdd'  # rdd", "print(  x,", "        1)"]
    text = body([*lines, "print(rdd.count())"]).text
    assert "\n".join(f"    {line}" for line in lines) in text
    assert "def process(batch, batch_id):" in text


def test_a_name_of_its_own_stays() -> None:
    text = body(["print(records.count())"], head="records").text
    assert "def process(records, batch_id):" in text
    assert "    print(records.count())" in text


def test_a_variable_called_batch_is_not_hidden() -> None:
    text = body(["batch = 2", "print(rdd.count() // batch)"]).text
    assert "def process(rdd, batch_id):" in text


def test_a_stream_that_is_aggregated_is_given_to_the_function() -> None:
    text = body(["print(rdd.count())"], "pairs").text
    assert "def process(batch):" in text
    assert '    pairs = batch.groupBy("value").count()\n    process(pairs)\n' in text


def test_a_label_is_the_time_of_the_computation() -> None:
    found = body(['print("batch", time, rdd.count())'], head="time, rdd")
    assert "    time = datetime.now().replace(microsecond=0)\n" in found.text
    assert "import sys\nfrom datetime import datetime\n" in found.text
    assert any("no longer that of its interval" in each for each in found.differences)


def test_a_time_that_nothing_uses_is_gone() -> None:
    assert "datetime" not in body(["print(rdd.count())"], head="time, rdd").text


def test_rows_with_names_become_a_select() -> None:
    lines = [
        "if not rdd.isEmpty():",
        "    spark = SparkSession.builder.getOrCreate()",
        "    frame = spark.createDataFrame(rdd.map(lambda line: Row(text=line, n=len(line))))",
        "    frame.show()",
    ]
    text = body(lines).text
    assert "frame = batch.select(" in text
    assert 'F.length(F.col("value")).cast("long").alias("n")' in text
    assert "    spark =" not in text


def test_a_session_that_is_used_is_that_of_the_batch() -> None:
    lines = ["spark = SparkSession.builder.getOrCreate()", 'spark.sql("SELECT 1").show()']
    assert "    spark = batch.sparkSession\n" in body([*lines, "print(rdd.count())"]).text


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("BATCH_TIME", "rdd.saveAsTextFile(str(time))"),
        ("ARRIVAL_ORDER", "open(rdd.first())"),
        ("DRIVER_STATE", "x.add(rdd.count())"),
    ],
)
def test_what_differs_is_stated_with_consent(code: str, line: str) -> None:
    function = f"x = set()\n\n\ndef process(time, rdd):\n    {line}"
    refused = rewritten(function, "lines.repartition(2).foreachRDD(process)")
    assert isinstance(refused, Reason)
    assert refused.code == code
    found = rewritten(function, "lines.repartition(2).foreachRDD(process)", unsafe=True)
    assert isinstance(found, Rewritten)
    assert len(found.differences) > 1
