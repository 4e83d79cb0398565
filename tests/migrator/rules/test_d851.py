"""Broadcast variables and accumulators."""

from __future__ import annotations

import pytest

from tests.support.migrator.connect_cases import asked

CODE = "D851"
FIRES = [
    "b = sc.broadcast({})",
    "n = sc.accumulator(0)",
    "n = spark.sparkContext.accumulator(0)",
    "b = SparkContext.getOrCreate().broadcast(1)",
]
SILENT = [
    "from pyspark.sql.functions import broadcast\nx = df.join(broadcast(df), 'id')",
    "import pyspark.sql.functions as F\nx = F.broadcast(df)",
    "b = radio.broadcast(1)",
    "n = totals.accumulator(0)",
    "sc = other()\nsc.broadcast(1)",
    "x = df.observe('a')",
    "broadcast = 1\nx = broadcast",
    "x = 'sc.broadcast'",
    "def f(sc):\n    return sc.broadcasts",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert len(asked(source, CODE)) == 1


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert asked(source, CODE) == []
