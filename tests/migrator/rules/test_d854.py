"""Sessions from outside."""

from __future__ import annotations

import pytest

from tests.support.migrator.connect_cases import asked

CODE = "D854"
FIRES = [
    "def f(batch, i):\n    spark.table('a')\ndf.writeStream.foreachBatch(f)",
    "df.writeStream.foreachBatch(lambda batch, i: spark.sql('a'))",
    (
        "def f(batch, i):\n"
        "    x = spark.read.text('a')\n"
        "    y = spark.read.text('b')\n"
        "df.writeStream.foreachBatch(f)"
    ),
]
SILENT = [
    "def f(batch, i):\n    batch.sparkSession.table('a')\ndf.writeStream.foreachBatch(f)",
    (
        "def f(batch, i):\n"
        "    spark = batch.sparkSession\n"
        "    spark.table('a')\n"
        "df.writeStream.foreachBatch(f)"
    ),
    "def f(batch, spark):\n    spark.table('a')\ndf.writeStream.foreachBatch(f)",
    "def f():\n    spark.table('a')\nf()",
    "df.writeStream.foreachBatch(lambda batch, i: batch.show())",
    "def f(batch, i):\n    other.table('a')\ndf.writeStream.foreachBatch(f)",
    "spark = other()\ndf.writeStream.foreachBatch(lambda batch, i: spark.sql('a'))",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert len(asked(source, CODE)) == 1


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert asked(source, CODE) == []
