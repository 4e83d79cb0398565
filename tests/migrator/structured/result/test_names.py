"""Names of a job are not those that its rewriting makes or imports."""

from __future__ import annotations

import ast

import pytest

from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

JOB = """
from pyspark import SparkContext
from pyspark.streaming import StreamingContext


def {name}(rdd):
    print(rdd.count())


sc = SparkContext(appName="Names")
ssc = StreamingContext(sc, 1)
lines = ssc.textFileStream("in")
{stream} = lines{calls}
{stream}.foreachRDD({name})
ssc.start()
ssc.awaitTermination()
"""
SPLIT, STRIP = ".flatMap(lambda line: line.split())", ".map(lambda line: line.strip())"


def job(name: str = "show", stream: str = "records", calls: str = SPLIT) -> str:
    return JOB.format(name=name, stream=stream, calls=calls)


@pytest.mark.parametrize(
    ("name", "stream", "calls"),
    [
        ("WHITESPACE", "records", SPLIT),
        ("show", "WHITESPACE", SPLIT),
        ("WHITESPACE_CHARACTERS", "records", STRIP),
        ("show", "WHITESPACE_CHARACTERS", STRIP),
    ],
)
def test_constants_have_a_name_of_their_own(name: str, stream: str, calls: str) -> None:
    found = rewrite(job(name, stream, calls))
    assert isinstance(found, Rewritten)
    tree = ast.parse(found.text)
    constants = [
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    assert constants == [f"{name if stream == 'records' else stream}2"]
    assert found.text.count(constants[0]) > 1


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (job("SparkSession"), "SparkSession"),
        (job(stream="SparkSession"), "SparkSession"),
        (job("math").replace("records.f", "lines.window(3, 2).pprint()\nrecords.f"), "math"),
        (job(calls=".window(4, 2)").replace("show", "Row"), "Row"),
        (job(calls=".window(4, 2)").replace("show", "StatefulProcessor"), "StatefulProcessor"),
    ],
)
def test_names_of_imports_are_refused(text: str, name: str) -> None:
    found = rewrite(text)
    assert isinstance(found, Reason)
    assert (found.code, f"`{name}` is a name of the job" in found.text) == ("NAME", True), found


def test_an_import_of_the_job_is_no_other_name() -> None:
    text = "from pyspark.sql import Row, SparkSession\n" + job(calls=".window(4, 2)")
    assert isinstance(rewrite(text), Rewritten)


@pytest.mark.parametrize(
    ("above", "name"),
    [
        ("def spark(text):\n    spark = text\n    return spark", "spark2"),
        ("class spark:\n    pass", "spark2"),
        ("def tell(text):\n    spark = text\n    return spark", "spark"),
        ("def tell(spark):\n    return spark", "spark"),
    ],
)
def test_the_session_has_a_name_of_its_own(above: str, name: str) -> None:
    found = rewrite(f"{above}\n\n{job()}")
    assert isinstance(found, Rewritten), found
    assert f"\n{name} = SparkSession.builder" in found.text
