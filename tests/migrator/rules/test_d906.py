"""Jobs that run with Python 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.scan import scan
from tests.migrator.conftest import JOB
from tests.migrator.helpers import codes

FIRES = [
    ("run.sh", "export PYSPARK_PYTHON=python2\n"),
    ("run.sh", "PYSPARK_DRIVER_PYTHON=/usr/bin/python2.7 spark-submit x.py\n"),
    ("spark-defaults.conf", "spark.pyspark.python  /usr/bin/python2.7\n"),
    ("a.sh", "x --conf spark.pyspark.driver.python=python2\n"),
    ("app.yaml", 'kind: SparkApplication\nspec:\n  pythonVersion: "2"\n'),
    ("Dockerfile", "FROM python:2.7-slim\n"),
    ("Dockerfile", "FROM registry/python:2\n"),
]
SILENT = [
    ("run.sh", "export PYSPARK_PYTHON=python3\n"),
    ("run.sh", "export PYSPARK_PYTHON=$PYTHON\n"),
    ("run.sh", "# PYSPARK_PYTHON=python2\n"),
    ("run.sh", "echo python2\n"),
    ("run.sh", "PYSPARK_PYTHON=python3.11 python2=1\n"),
    ("run.sh", "X_PYSPARK_PYTHON_X=python2\n"),
    ("app.yaml", 'pythonVersion: "3"\n'),
    ("app.yaml", "pythonVersion: '3.2'\n"),
    ("app.yaml", "replicas: 2\n"),
    ("Dockerfile", "FROM python:3.12\n"),
    ("Dockerfile", "FROM debian:2\n"),
    ("Dockerfile", "RUN apt install python2\n"),
    ("a.conf", "spark.pyspark.python python3\n"),
    ("job.py", "x = 'python2'\n"),
]


@pytest.mark.parametrize(("name", "text"), FIRES)
def test_fires(name: str, text: str) -> None:
    assert [c.partition(":")[2] for c in codes(text.encode(), name)] == ["D906"]


@pytest.mark.parametrize(("name", "text"), SILENT)
def test_silent(name: str, text: str) -> None:
    assert "D906" not in [c.partition(":")[2] for c in codes(text.encode(), name)]


@pytest.mark.parametrize(("name", "text"), FIRES)
def test_only_where_there_are_streams(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    assert scan(tmp_path, "check").files == []
    (tmp_path / "job.py").write_text(JOB)
    found = {f.path: [x.code for x in f.findings] for f in scan(tmp_path, "check").files}
    assert found[name] == ["D906"]
