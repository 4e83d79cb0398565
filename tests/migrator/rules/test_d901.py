"""Connector packages."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

FIRES = [
    'conf.set("spark.jars.packages", "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8")\n',
    'os.environ["PYSPARK_SUBMIT_ARGS"] = "--jars spark-streaming-kafka-0-8-assembly.jar"\n',
    'x = "--packages org.apache.bahir:spark-streaming-mqtt_2.11:2.4.0 pyspark-shell"\n',
    'x = ("--packages "\n     "org.apache.spark:spark-streaming-flume_2.11:2.4.8")\n',
    'x = "org.apache.spark:spark-streaming-kinesis-asl_2.11:2.4.8"\n',
]
SILENT = [
    'x = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.0.0"  # StreamingContext\n',
    'x = "org.apache.spark:spark-streaming_2.11:2.4.8"\n',
    '"""spark-streaming-kafka-0-8"""\n',
    'x = "my-spark-streaming-kafka-job"\n',
    'app = "spark-streaming-kafka-wordcount"\n',
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D901" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D901" not in [c.partition(":")[2] for c in codes(source)]
