"""Source notebooks of Databricks."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes, report

HEAD = "# Databricks notebook source\n"
CELL = "\n# COMMAND ----------\n\n"


def test_cells_in_comments_are_read() -> None:
    source = (
        HEAD
        + "from pyspark.streaming import StreamingContext\n"
        + CELL
        + "# MAGIC %sh\n# MAGIC # spark.streaming.receiver.maxRate=1\n"
        + "# MAGIC spark-submit \\\n# MAGIC   --conf spark.streaming.receiver.maxRate=5 x.py\n"
        + CELL
        + "# MAGIC %md\n# MAGIC Set spark.streaming.receiver.maxRate=5 and\n"
        + CELL
        + "# MAGIC %scala\n# MAGIC // spark.streaming.receiver.maxRate=5\n"
        + '# MAGIC conf.set("spark.streaming.backpressure.enabled", "true")\n'
        + CELL
        + "ssc = StreamingContext(sc, 1)\n"
    )
    found = report(source)
    left = [(f.at.line, f.at.column, f.code) for f in found.findings if not f.is_fixed]
    assert left == [(9, 18, "D703"), (20, 19, "D702")]
    assert found.content == source.replace("pyspark.streaming", "dstream_compat").encode()


SILENT = [
    # no notebook
    "import x\n# MAGIC %sh\n# MAGIC x --conf spark.streaming.receiver.maxRate=5\n",
    "# Databricks notebook\n# MAGIC %sh x --conf spark.streaming.receiver.maxRate=5\n",
    # prose
    HEAD + "# MAGIC %md\n# MAGIC `spark.streaming.receiver.maxRate=5`\n",
    HEAD + "# MAGIC spark.streaming.receiver.maxRate=5\n",
    HEAD + "# spark.streaming.receiver.maxRate=5\n",
    HEAD + "# MAGIC %sql\n# MAGIC select 1 -- spark.streaming.receiver.maxRate=5\n",
    HEAD + "# MAGIC %html\n# MAGIC spark.streaming.receiver.maxRate=5\n",
]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert codes(source) == []


def test_magic_on_the_last_line() -> None:
    source = HEAD + "# MAGIC %pip install x spark-streaming-kafka-0-8_2.11-2.4.8.jar"
    assert codes(source) == ["2:D901"]
