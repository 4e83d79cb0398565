"""Java classes of Spark Streaming."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    "sc._jvm.org.apache.spark.streaming.Duration(1)\n",
    'from py4j.java_gateway import java_import\njava_import(j, "org.apache.spark.streaming.*")\n',
    "gateway.jvm.org.apache.spark.streaming.kafka.KafkaUtils()\n",
]
SILENT = [
    "sc._jvm.org.apache.log4j.Logger  # StreamingContext\n",
    "sc._jvm.org.apache.spark.sql.streaming.Trigger  # StreamingContext\n",
    '"""org.apache.spark.streaming"""\n',
    "# org.apache.spark.streaming\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D602" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D602" not in [c.partition(":")[2] for c in codes(source)]
