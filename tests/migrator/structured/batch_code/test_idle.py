"""A query has ticks where something is done in intervals without input, and nowhere else."""

from __future__ import annotations

import textwrap

import pytest

from migrator.structured.rewrite import Rewritten, rewrite

JOB = """
from pyspark import SparkContext
from pyspark.streaming import StateSpec, StreamingContext


def save(rdd):
    {body}


def known(key, value, state):
    return key


sc = SparkContext(appName="job")
ssc = StreamingContext(sc, 2)
ssc.checkpoint("checkpoint")
lines = ssc.textFileStream("in")
{code}
ssc.start()
ssc.awaitTermination()
"""


def rewritten(code: str, body: str = "print(1)") -> Rewritten:
    made = rewrite(
        JOB.format(code=code, body=textwrap.indent(body, "    ").strip()), batch_code=True
    )
    assert isinstance(made, Rewritten), made
    return made


def has_ticks(made: Rewritten) -> bool:
    marks = ["rate-micro-batch" in made.text, "tick IS NULL" in made.text]
    notes = [each for each in made.differences if "rate-micro-batch" in each]
    assert marks == [bool(notes)] * 2
    return bool(notes)


@pytest.mark.parametrize(
    "body",
    [
        "if due() and not rdd.isEmpty():\n    rdd.foreach(print)",
        "global latest\nlatest = rdd.map(lambda x: [x])",
    ],
)
def test_a_function_that_does_something_else_has_ticks(body: str) -> None:
    assert has_ticks(rewritten("lines.foreachRDD(save)", body))


@pytest.mark.parametrize(
    "body",
    [
        "if not rdd.isEmpty() and due():\n    rdd.foreach(print)",
        "if debug and not rdd.isEmpty():\n    rdd.foreach(print)",
    ],
)
def test_a_function_that_asks_first_has_none(body: str) -> None:
    assert not has_ticks(rewritten("lines.foreachRDD(save)", body))


@pytest.mark.parametrize(
    "code",
    [
        "lines.countByValue().count().pprint()",
        "lines.repartition(2).mapPartitions(list).pprint()",
        "lines.window(4).pprint()",
        "lines.countByWindow(4, 2).pprint()",
        "lines.map(len).map(lambda n: (n, n)).updateStateByKey(lambda new, old: 1).pprint()",
        "lines.map(lambda x: (x, x)).mapWithState(StateSpec.function(known).timeout(9)).pprint()",
        "lines.foreachRDD(lambda rdd: print(rdd.count()))",
        "lines.foreachRDD(lambda rdd: rdd.foreachPartition(print))",
        "lines.foreachRDD(lambda rdd: rdd.map(str.format('{}')).foreach(print))",
        "lines.transform(lambda rdd: rdd.context.parallelize([rdd.count()])).pprint()",
        "lines.transform(lambda rdd: rdd.fullOuterJoin(rdd)).pprint()",
        "lines.reduce(max).glom().pprint()",
    ],
)
def test_what_is_done_without_input_has_ticks(code: str) -> None:
    made = rewritten(code)
    assert has_ticks(made)
    assert not made.idle
    assert not any("intervals without input" in e for e in made.differences if "row of" not in e)


@pytest.mark.parametrize(
    "code",
    [
        "lines.pprint()",
        "lines.count().pprint()",
        "lines.filter(None).glom().mapPartitions(list).pprint()",
        "lines.map(lambda x: (x, x)).mapWithState(StateSpec.function(known)).pprint()",
        "lines.reduce(max).pprint()",
        "lines.countByValue().pprint()",
        "lines.foreachRDD(lambda rdd: rdd.filter(None).foreach(print))",
        "lines.transform(lambda rdd: rdd.distinct().sortBy(str)).pprint()",
        "lines.transformWith(lambda a, b: a.union(b), lines.map(len)).pprint()",
        "lines.transformWith(lambda a, b: a.subtract(b), lines.map(len)).pprint()",
    ],
)
def test_what_needs_records_has_none(code: str) -> None:
    made = rewritten(code)
    assert not has_ticks(made)
    assert not made.idle


@pytest.mark.parametrize(
    ("body", "acts"),
    [
        ("print(rdd.count())", True),
        ("if not rdd.isEmpty():\n    print(1)", False),
        ("if rdd.isEmpty():\n    print(1)", True),
        ("if rdd.isEmpty():\n    return\nprint(1)", False),
        ("if rdd.isEmpty():\n    print(1)\n    return\nprint(2)", True),
        ("if rdd.isEmpty():\n    return rdd.map(str)\nprint(1)", False),
        ("if rdd.isEmpty():\n    return print(1)\nprint(2)", True),
        ("if not rdd.isEmpty():\n    print(1)\nelse:\n    print(2)", True),
        ('"""What it does."""\nif rdd.count() > 0:\n    print(1)', False),
        ("if rdd.count() > 1:\n    print(1)", True),
        ("if len(rdd.take(1)) != 0 and save:\n    print(1)", False),
        ("some = rdd.map(str)\nif some.take(1):\n    print(1)", False),
        ("some = rdd.count()\nif some:\n    print(1)", True),
        ("rdd = rdd.map(str)\nrdd.foreach(print)", False),
        ("pass", False),
    ],
)
def test_a_function_that_looks_for_records(body: str, acts: bool) -> None:
    assert has_ticks(rewritten("lines.foreachRDD(save)", body)) is acts


def test_each_query_has_its_own_need() -> None:
    code = "more = ssc.textFileStream('more')\nmore.pprint()\nlines.window(4).pprint()"
    text = rewritten(code).text
    assert text.count("unionByName(ticks, allowMissingColumns=True)") == 1
    assert "more = batch.rdd.map(" in text
    assert 'lines = batch.where("tick IS NULL").rdd.map(' in text


def test_only_without_ticks_are_there_intervals_without_files() -> None:
    made = rewritten(
        "lines.saveAsTextFiles('lines')\nmore = ssc.textFileStream('more')\n"
        "more.window(4).pprint()\nmore.saveAsTextFiles('more')"
    )
    notes = [each for each in made.differences if "`saveAsTextFiles`" in each]
    assert ["there is no folder for an interval" in each for each in notes] == [True, False], notes


def test_queries_share_ticks() -> None:
    code = "more = ssc.textFileStream('more')\nmore.window(4).pprint()\nlines.window(4).pprint()"
    text = rewritten(code).text
    assert text.count("ticks = (") == 1
    assert text.count(".unionByName(ticks, allowMissingColumns=True)") == 2


def test_records_of_kafka_have_partitions_without_input() -> None:
    text = JOB.format(code="stream.count().pprint()", body="pass")
    text = text.replace(
        'lines = ssc.textFileStream("in")',
        "stream = KafkaUtils.createDirectStream(ssc, ['a'], {'metadata.broker.list': 'b:9092'})",
    )
    imported = "from pyspark.streaming.kafka import KafkaUtils\n"
    made = rewrite(imported + text, batch_code=True)
    assert isinstance(made, Rewritten), made
    assert has_ticks(made)
    assert "records = spark.sparkContext.parallelize([stream.count()], 1)\n" in made.text


def test_a_count_without_partitions_is_not_given() -> None:
    code = "lines.count().pprint()\nlines.filter(None).count().pprint()\nlines.foreachRDD(save)"
    text = rewritten(code).text
    assert text.count('has_input = not batch.where("tick IS NULL").isEmpty()\n') == 1
    assert "parallelize([lines.count()] if has_input else [], 1)" in text
    assert "parallelize([lines.filter(None).count()] if has_input else [], 1)" in text


def test_a_count_of_a_window_may_be_zero() -> None:
    made = rewritten("lines.window(4).count().pprint()")
    assert any("the count of a window without rows is 0" in each for each in made.differences)
