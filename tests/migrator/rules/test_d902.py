"""Packages for another Scala."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.migrator.reports import codes, project
from tests.support.migrator.runs import JOB

FIRES = [
    'conf.set("spark.jars.packages", "com.databricks:spark-avro_2.11:4.0.0")\n',
    'conf.set("spark.jars", "/opt/spark-avro_2.12-2.4.8.jar,b.jar")\n',
    'x = "--packages org.apache.spark:spark-sql-kafka-0-10_2.11:2.4.8 pyspark-shell"\n',
    'x = "--packages org.apache.spark:spark-streaming_2.10:1.6.0"\n',
]
SILENT = [
    'x = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.3.0"\n',
    'x = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"\n',
    'x = "table_2.11"\n',
    'x = "scala_2.12 is old"\n',
    'x = "v_2.11:x"\n',
    '"""Use com.databricks:spark-avro_2.11:4.0.0."""\n',
    "x = 'version 2.11:4.0'\n",
]


def test_other_files() -> None:
    line = "spark-submit --packages a.b:c_2.11:1.0,a.b:d_2.13:1.0 --jars e_2.12-1.0.jar job.py\n"
    assert codes(line.encode(), "run.sh") == ["1:D902", "1:D902"]


@pytest.mark.parametrize(
    "line",
    [
        "spark-submit --jars lib/kafka_2.11-0.10.0.1.jar job.py",
        "spark-submit --packages org.apache.kafka:kafka_2.11:0.10.0.1 job.py",
        "wget https://repo1.maven.org/maven2/c/spark-avro_2.11/4.0.0/spark-avro_2.11-4.0.0.jar",
        "spark-submit --packages=kafka_2.11:0.10 job.py",
    ],
)
def test_fires_in_scripts(line: str) -> None:
    assert codes(f"{line}\n".encode(), "run.sh") == ["1:D902"]


@pytest.mark.parametrize(
    "line",
    [
        "kafka_2.12-2.5.0/bin/kafka-server-start.sh kafka_2.12-2.5.0/config/server.properties",
        "cd kafka_2.12-2.5.0",
        "export KAFKA_HOME=/opt/kafka_2.11-0.10.1.0",
        "PATH=$PATH:/opt/kafka_2.11-0.10.1.0/bin",
        "wget https://archive.apache.org/dist/kafka/2.5.0/kafka_2.12-2.5.0.tgz",
        "tar -xzf kafka_2.12-2.5.0.tgz",
        "docker run solsson/kafka_2.12:1.0",
        "mv target/jobs_2.11-0.1.zip dist/",
    ],
)
def test_brokers_archives_and_images_are_no_packages(line: str) -> None:
    assert codes(f"{line}\n".encode(), "run.sh") == []


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D902" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D902" not in [c.partition(":")[2] for c in codes(source)]


STRUCTURED = (
    "from pyspark.sql import SparkSession\nspark = SparkSession.builder.config(\n"
    '    "spark.jars.packages", "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.0"\n'
    ').getOrCreate()\nspark.readStream.format("kafka").load()\n'
)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("new.py", STRUCTURED),
        ("new.py", STRUCTURED + "# once pyspark.streaming, a StreamingContext\n"),
        ("run.sh", "# spark-streaming\nspark-submit --packages a.b:c_2.11:1.0 job.py\n"),
        ("a.conf", "spark.streaming.blockInterval 1\nspark.jars.packages a.b:c_2.11:1.0\n"),
    ],
)
def test_only_where_there_are_streams(tmp_path: Path, name: str, text: str) -> None:
    assert "D902" not in [x.code for _, x in project(tmp_path, {name: text}).findings()]
    # read for another reason
    text += "# pyspark.streaming\n" if name == "new.py" else ""
    found = project(tmp_path, {name: text, "job.py": JOB}).findings()
    assert "D902" in [x.code for f, x in found if f.path == name]
