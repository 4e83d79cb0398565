"""Connector packages."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

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
    'app = "spark-streaming-kafka"\n',
    'image = "spark-streaming-kafka:1.0"\n',
    'pod = "spark-streaming-kafka-0"\n',
    'group = "com.acme:spark-streaming-kafka:1.0"\n',
]
TEXTS = [
    ("a.sh", "x --packages org.apache.spark:spark-streaming-kafka:1.6.0\n"),
    ("a.sh", "x --packages org.apache.bahir:spark-streaming-mqtt:2.4.0\n"),
    ("a.sh", "x --packages a:spark-streaming-kafka_2.11\n"),
    ("a.sh", "x --jars spark-streaming-kafka.jar\n"),
    ("a.sh", "ls jars/spark-streaming-kafka-assembly-1.6.0\n"),
    ("pom.xml", "<artifactId>spark-streaming-kafka</artifactId>\n"),
    ("build.sbt", 'x += "org.apache.spark" %% "spark-streaming-kafka" % v\n'),
    ("build.sbt", 'x += "org.apache.spark" % "spark-streaming-kafka" % v\n'),
    ("build.gradle", "compile group: 'org.apache.spark', name: 'spark-streaming-kafka'\n"),
]
SILENT_TEXTS = [
    ("a.sh", "kubectl logs spark-streaming-kafka-0\n"),
    ("a.sh", "kubectl logs spark-streaming-kafka-0-8\n"),
    ("a.sh", "docker build -t spark-streaming-kafka:latest .\n"),
    ("a.sh", "docker build -t acme/spark-streaming-kafka:1.0 .\n"),
    ("a.sh", "kafka-topics --topic spark-streaming-kafka\n"),
    (
        "a.sh",
        "cd spark-streaming-kafka && ./run --class org.apache.spark.A spark-streaming-kafka\n",
    ),
    ("a.yaml", "metadata:\n  name: spark-streaming-kafka\n"),
    ("a.yaml", "image: acme/spark-streaming-kafka:1.0\n"),
    ("a.yaml", "topic: spark-streaming-flume-sink\n"),
    ("pom.xml", "<name>spark-streaming-kafka</name>\n"),
    ("build.sbt", 'name := "spark-streaming-kafka"\n'),
    ("settings.gradle", "rootProject.name = 'spark-streaming-kafka'\n"),
]


@pytest.mark.parametrize(("name", "text"), TEXTS)
def test_packages_in_texts(name: str, text: str) -> None:
    assert "D901" in [c.partition(":")[2] for c in codes(text.encode(), name)]


@pytest.mark.parametrize(("name", "text"), SILENT_TEXTS)
def test_other_names_in_texts(name: str, text: str) -> None:
    assert codes(text.encode(), name) == []


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D901" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D901" not in [c.partition(":")[2] for c in codes(source)]
