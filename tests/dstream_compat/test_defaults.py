"""What run and submit add to the settings of the JVM that they start."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from pyspark import SparkConf, __version__

from dstream_compat import defaults
from dstream_compat.defaults import SOCKETS, option, submit_defaults, with_option
from dstream_compat.source.kafka_connector import connector_package

OURS = connector_package("4.3.0")
ON = ["--conf", f"{SOCKETS}=true"]


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "job.py"
    path.write_text("from pyspark.streaming.kafka import KafkaUtils\n")
    return str(path)


@pytest.fixture
def plain(tmp_path: Path) -> str:
    path = tmp_path / "plain.py"
    path.write_text("# kafka is not imported\n")
    return str(path)


def test_submit_adds_what_a_script_needs(script: str, plain: str) -> None:
    assert submit_defaults([], plain, "4.3.0") == ON
    assert submit_defaults(["--master", "yarn"], script, "4.3.0") == [
        *("--packages", OURS),
        *("--master", "yarn"),
        *ON,
    ]


def test_submit_keeps_what_the_user_chose(script: str, plain: str) -> None:
    off = ["--conf", f"{SOCKETS}=false"]
    assert submit_defaults(off, plain, "4.3.0") == off
    for given in (["--packages", OURS], ["--jars", "/x/spark-sql-kafka-0-10_2.13-4.3.0.jar"]):
        assert submit_defaults([*given, *off], script, "4.3.0") == [*given, *off]


@pytest.mark.parametrize("joined", [True, False])
def test_submit_replaces_connectors_of_old_versions(plain: str, joined: bool) -> None:
    old = "a:b:1,org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"
    given = [f"--packages={old}"] if joined else ["--packages", old]
    assert submit_defaults(given, plain, "4.3.0") == ["--packages", f"a:b:1,{OURS}", *ON]


def test_a_script_that_cannot_be_read_is_for_spark_submit_to_report(tmp_path: Path) -> None:
    assert submit_defaults([], str(tmp_path / "missing.py"), "4.3.0") == ON


def test_options() -> None:
    arguments = ["--a", "1", "--b=2", "--a=3", "script"]
    assert [option(arguments, name) for name in ("--a", "--b", "--c")] == ["3", "2", None]
    assert with_option(arguments, "--a", "9") == ["--a", "9", "--b=2", "script"]


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Start a JVM that is none; returns its settings and its arguments."""
    seen: list[SparkConf] = []
    launch = defaults._with_defaults(seen.append)
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "")  # so that it is as before when the test ends
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    for name in defaults._KAFKA:
        monkeypatch.delitem(sys.modules, name, raising=False)

    def start(conf: SparkConf | None = None, *, kafka: bool = False, given: str = "") -> Any:
        if given:
            monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", given)
        if kafka:
            monkeypatch.setitem(sys.modules, defaults._KAFKA[0], ModuleType("kafka"))
        launch(conf)
        return dict(seen[-1].getAll()), os.environ.get("PYSPARK_SUBMIT_ARGS")

    return start


def test_run_adds_the_connector_when_kafka_was_imported(launched: Any) -> None:
    package = connector_package(__version__)
    conf, arguments = launched(kafka=True)
    assert conf[SOCKETS] == "true"
    assert arguments == f"--packages {package} pyspark-shell"
    _, arguments = launched(kafka=True, given="--master local[1] --packages a:b:1 pyspark-shell")
    assert arguments == f"--packages a:b:1,{package} --master 'local[1]' pyspark-shell"


def test_run_adds_nothing_else(launched: Any) -> None:
    conf, arguments = launched()
    assert (conf[SOCKETS], arguments) == ("true", None)
    given = "--jars /x/spark-sql-kafka-0-10_2.13-4.3.0.jar pyspark-shell"
    _, arguments = launched(kafka=True, given=given)
    assert arguments == given
