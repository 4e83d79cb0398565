"""RDDs."""

from __future__ import annotations

import pytest

from tests.support.migrator.connect_cases import asked

CODE = "D850"
FIRES = [
    "x = sc.parallelize([1])",
    "x = sc.textFile('a').count()",
    "x = df.rdd",
    "x = df.where('id > 1').rdd.map(str)",
    "x = spark.sparkContext.emptyRDD()",
    "SparkContext.getOrCreate().wholeTextFiles('a')",
]
SILENT = [
    "x = spark.read.text('a')",
    "x = spark.createDataFrame([(1,)])",
    "x = other.parallelize([1])",
    "x = other.rdd",
    "sc = other()\nsc.textFile('a')",
    "df = load()\ndf.rdd",
    "x = spark.range(3)",
    "class A:\n    rdd = 1\nx = A().rdd",
    "def f(sc):\n    return sc.name",
    "x = Row(rdd=1).rdd",
    "print('sc.parallelize')",
    "# sc.parallelize([1])",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert len(asked(source, CODE)) == 1


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert asked(source, CODE) == []
