"""Packages for another Scala."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.spark.versions import installed_spark
from tests.support.migrator.fixes import fixed_report, fixed_text
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


SPARK = installed_spark()
SAFE = [
    ("org.apache.spark:spark-avro_2.11:2.4.8", f"org.apache.spark:spark-avro_2.13:{SPARK}"),
    ("com.databricks:spark-avro_2.11:4.0.0", f"org.apache.spark:spark-avro_2.13:{SPARK}"),
    (
        "org.apache.spark:spark-sql-kafka-0-10_2.12:3.5.0",
        f"org.apache.spark:spark-sql-kafka-0-10_2.13:{SPARK}",
    ),
    (
        "a:b:1,org.apache.spark:spark-mllib_2.11:2.4.8",
        f"a:b:1,org.apache.spark:spark-mllib_2.13:{SPARK}",
    ),
]
UNSAFE = [
    ("a.b:c_2.11:1.0", "a.b:c_2.13:1.0"),
    ("a.b:c_2.12:1.0-s_2.12", "a.b:c_2.13:1.0-s_2.12"),
    ("a.b:c_2.10:1.0,a.b:d:1", "a.b:c_2.13:1.0,a.b:d:1"),
]
LEFT = [
    "x --jars c_2.12-1.0.jar job.py\n",
    "x --packages a.b:c_2.11:1.0,$P{x} job.py\n",
    "x --class a.B --packages a.b:c_2.11:1.0 a.jar\n",
    "x --class a.B --packages org.apache.spark:spark-avro_2.11:2.4.8 a.jar\n",
    "echo a.b:c_2.11:1.0 is old\n",
    "# x --packages a.b:c_2.11:1.0 job.py\n",
    "x --packages a.b:c_2.13:1.0 job.py\n",
    "x --packages org.apache.spark:spark-avro_2.13:4.0.0 job.py\n",
]


@pytest.mark.parametrize(("before", "after"), SAFE)
def test_safe(before: str, after: str) -> None:
    line = "spark-submit --packages {} \\\n  job.py\n"
    assert fixed_text("run.sh", line.format(before)) == line.format(after)


@pytest.mark.parametrize(("before", "after"), UNSAFE)
def test_unsafe(before: str, after: str) -> None:
    line = "x = '--packages {} pyspark-shell'\n"
    assert fixed_text("job.py", line.format(before)) == line.format(before)
    assert fixed_text("job.py", line.format(before), unsafe=True) == line.format(after)


@pytest.mark.parametrize("text", LEFT)
def test_left(text: str) -> None:
    assert fixed_report("run.sh", text, unsafe=True).content is None


def test_what_an_unsafe_fix_may_change() -> None:
    text = "x --packages a.b:c_2.11:1.0 job.py\n"
    (finding,) = fixed_report("run.sh", text, unsafe=True).findings
    assert finding.message == (
        "`a.b:c_2.11:1.0` becomes `a.b:c_2.13:1.0`; there may be no build of this version for "
        "Scala 2.13"
    )


FILES = {
    "run.sh": "spark-submit --packages com.databricks:spark-avro_2.10:2.0.1 job.py\n",
    "submit.py": 'ARGS = "--packages com.databricks:spark-csv_2.11:1.5.0 pyspark-shell"\n',
    "conf/spark.conf": "spark.jars.packages graphframes:graphframes:0.8,a.b:c-d_2.12:1.0\n",
    "deploy.json": '{"jars": ["s3://jars/spark-redis_2.11-2.4.0.jar"]}\n',
    "docs/notes.md": "```\npyspark --jars elasticsearch-spark_2.11.jar\n```\n",
}
OTHERS = {
    "a.sh": "spark-submit --packages com.databricks:spark-avro_2.13:1.0 job.py\n",
    "b.sh": "wget https://archive.apache.org/kafka_2.11-2.0.0.tgz\n",
    "c.py": 'FOLDER = "/opt/kafka_2.12-2.5.0/bin"\n',
    "d.json": '{"scala_2.11": "python", "release": "x_2.10"}\n',
}


def test_files_that_name_nothing_else_are_read(tmp_path: Path) -> None:
    found = project(tmp_path, {"job.py": JOB, **FILES, **OTHERS})
    assert {f.path for f in found.files if any(x.code == "D902" for x in f.findings)} == set(FILES)


def test_not_without_dstream_code(tmp_path: Path) -> None:
    assert project(tmp_path, FILES).files == []
