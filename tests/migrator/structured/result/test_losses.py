"""What a job asks for and its result does not do is named; what is kept is not."""

from __future__ import annotations

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

JOB = """\
from operator import add

from pyspark import SparkConf, SparkContext
from pyspark.streaming import StreamingContext

conf = SparkConf().setAppName("Job").set("{key}", "1")
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 5)
lines = ssc.socketTextStream("localhost", 9999)
words = lines.flatMap(lambda line: line.split(" "))
{body}
ssc.start()
{end}
"""
PLAIN = "words.map(lambda word: (word, 1)).reduceByKey(add).pprint()"


def result(body: str = PLAIN, key: str = "x", end: str = "ssc.awaitTermination()") -> Rewritten:
    found = rewrite(JOB.format(body=body, key=key, end=end))
    assert isinstance(found, Rewritten), found
    return found


def test_a_plain_job_loses_nothing() -> None:
    assert result().differences == ()


@pytest.mark.parametrize("key", ["blockInterval", "stopGracefullyOnShutdown"])
def test_settings_of_streaming(key: str) -> None:
    found = result(key=f"spark.streaming.{key}")
    assert f"spark.streaming.{key}" not in found.text
    assert any(f"`spark.streaming.{key}`" in each for each in found.differences)


@pytest.mark.parametrize("method", ["reduceByKey(add, 4)", "groupByKey(4).mapValues(len)"])
def test_numbers_of_partitions_of_shuffles(method: str) -> None:
    found = result(f"words.map(lambda word: (word, 1)).{method}.pprint()")
    assert any("spark.sql.shuffle.partitions" in each for each in found.differences)


@pytest.mark.parametrize(
    ("method", "kept"),
    [
        ("repartition(4)", ".repartition(4)"),
        ("transform(lambda rdd: rdd.coalesce(1))", ".coalesce(1)"),
        ("transform(lambda rdd: rdd.coalesce(3, shuffle=True))", ".repartition(3)"),
        ("transform(lambda rdd: rdd.coalesce(3, False))", ".coalesce(3)"),
    ],
)
def test_partitions_stay(method: str, kept: str) -> None:
    found = result(f'words.{method}.saveAsTextFiles("out")')
    assert kept in found.text
    assert not any("partitions" in each for each in found.differences)


def test_partitions_of_a_batch_stay() -> None:
    body = 'words.foreachRDD(lambda rdd: rdd.coalesce(1).saveAsTextFile("out"))'
    assert 'batch.coalesce(1).write.text("out")' in result(body).text


def test_a_state_without_a_folder() -> None:
    found = result("words.countByWindow(20, 10).pprint()")
    assert any("on a cluster" in each for each in found.differences)
    found = result('ssc.checkpoint("cp")\nwords.countByWindow(20, 10).pprint()')
    assert not any("on a cluster" in each for each in found.differences)


def test_a_graceful_stop() -> None:
    assert result(end="ssc.stop(True)").differences == ()
    (found,) = result(end="ssc.stop(stopGraceFully=True)").differences
    assert "interrupts its batch" in found
