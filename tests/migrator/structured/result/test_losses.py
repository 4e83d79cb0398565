"""What a job asks for and its result does not do is named; what is kept is not."""

from __future__ import annotations

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """\
from operator import add

from pyspark import SparkConf, SparkContext
from dstream_compat import StateSpec, StreamingContext

conf = SparkConf().setAppName("Job").set("{key}", "1")
sc = SparkContext(conf=conf)
ssc = StreamingContext(sc, 5)
lines = ssc.socketTextStream("localhost", 9999)
words = lines.flatMap(lambda line: line.split(" "))
{body}
ssc.start()
{end}
"""
COUNT = """\
def count(key, value, state):
    total = state.get() + 1 if state.exists() else 1
    state.update(total)
    return key


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


@pytest.mark.parametrize(
    "method",
    [
        *("reduceByKey(add, 4)", "groupByKey(4).mapValues(len)"),
        "mapWithState(StateSpec.function(count).numPartitions(4))",
    ],
)
def test_numbers_of_partitions_of_shuffles(method: str) -> None:
    found = result(f"{COUNT}words.map(lambda word: (word, 1)).{method}.pprint()")
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
    assert result(end="ssc.awaitTermination(5)\nssc.stop(True)").differences == ()
    end = "ssc.awaitTermination(5)\nssc.stop(stopGraceFully=True)"
    (found,) = result(end=end).differences
    assert "interrupts its batch" in found


def test_several_queries() -> None:
    state = "words.map(lambda word: (word, 1)).updateStateByKey(lambda a, b: len(a) + (b or 0))"
    found = result(f"{PLAIN}\n{state}.pprint()")
    assert any("side by side" in each for each in found.differences)


def test_a_conf_without_defaults_is_refused() -> None:
    text = JOB.format(body=PLAIN, key="x", end="").replace("SparkConf()", "SparkConf(False)")
    found = rewrite(text)
    assert isinstance(found, Reason)
    assert found.code == "SETTING"


@pytest.mark.parametrize(("unicode", "moves"), [("True", True), ("False", False)])
def test_bytes_of_static_files_are_refused(unicode: str, moves: bool) -> None:
    body = f"""known = sc.textFile("known", use_unicode={unicode}).map(lambda line: (line, 1))
words.map(lambda w: (w, 1)).transform(lambda rdd: rdd.join(known)).pprint()"""
    assert isinstance(rewrite(JOB.format(body=body, key="x", end="")), Rewritten) is moves


@pytest.mark.parametrize("arguments", ["", "True", "True, False", "stopGraceFully=False"])
def test_a_stop_that_does_not_wait(arguments: str) -> None:
    assert result(end=f"ssc.awaitTermination(5)\nssc.stop({arguments})").differences == ()
    assert not any("stopGraceFully" in each for each in created(arguments).differences)


@pytest.mark.parametrize("arguments", ["True, True", "stopGraceFully=True", "True, WAITS"])
def test_a_stop_that_may_wait(arguments: str) -> None:
    for found in (result(end=f"ssc.stop({arguments})"), created(arguments)):
        assert any("stopGraceFully" in each for each in found.differences)


def created(arguments: str) -> Rewritten:
    found = rewrite(CREATED.format(arguments=arguments))
    assert isinstance(found, Rewritten), found
    return found


CREATED = """\
from pyspark import SparkContext
from pyspark.streaming import StreamingContext

WAITS = True


def create():
    sc = SparkContext(appName="Job")
    ssc = StreamingContext(sc, 5)
    ssc.checkpoint("cp")
    ssc.socketTextStream("localhost", 9999).pprint()
    return ssc


ssc = StreamingContext.getOrCreate("cp", create)
ssc.start()
ssc.awaitTerminationOrTimeout(60)
ssc.stop({arguments})
"""


@pytest.mark.parametrize(
    ("folder", "is_said"),
    [
        ("hdfs:///checkpoints", True),
        ("hdfs://namenode:8020/checkpoints", False),
        ("/checkpoints", False),
        ("s3a://bucket/checkpoints", False),
    ],
)
def test_a_checkpoint_without_the_host_of_hdfs(folder: str, is_said: bool) -> None:
    found = result(f'ssc.checkpoint("{folder}")\n{PLAIN}')
    assert any("write it, as in" in each for each in found.differences) == is_said
