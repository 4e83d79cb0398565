"""What run and submit add to the settings of the JVM that they start."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import Mock

import pytest
from pyspark import SparkConf, __version__
from pyspark.errors import PySparkRuntimeError

from dstream_compat.cli import defaults
from dstream_compat.cli.defaults import HDFS_RETRIES, PAGES, PROGRESS, SOCKETS, submit_defaults
from dstream_compat.cli.jars import jars_folder
from dstream_compat.cli.options import option
from dstream_compat.source.kafka.connector import connector_package

OURS = connector_package("4.3.0")
SMALL_PAGES = ["--conf", f"{PAGES}=4m"]
LARGE_PAGES = ["--conf", f"{SOCKETS}=true", "--conf", f"{HDFS_RETRIES}=true"]
ON = [*LARGE_PAGES, *SMALL_PAGES]
OLD = "org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8"
OLD_JARS = (
    "spark-streaming-kafka-0-8-assembly_2.11-2.4.8.jar",
    "spark-streaming-kafka-assembly_2.10-1.6.3.jar",
    "spark-streaming-kafka-0-10_2.12-3.5.0.jar",
)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder of a Spark that has no settings and no jars."""
    (tmp_path / "spark" / "jars").mkdir(parents=True)
    (tmp_path / "spark" / "conf").mkdir()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "spark"))
    monkeypatch.delenv("SPARK_CONF_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "spark"


@pytest.fixture
def defaults_file(home: Path) -> Path:
    return home / "conf" / "spark-defaults.conf"


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


@pytest.fixture
def fetched() -> str:
    """Return the jars that were fetched beforehand, as spark-submit takes them."""
    folder = jars_folder("4.3.0")
    folder.mkdir(parents=True)
    names = ("a.jar", "org.apache.spark_spark-sql-kafka-0-10_2.13-4.3.0.jar")
    for name in names:
        (folder / name).touch()
    return ",".join(str(folder / name) for name in names)


def test_jars_that_were_fetched_take_the_place_of_the_package(
    script: str, plain: str, fetched: str
) -> None:
    assert submit_defaults([], plain, "4.3.0") == ON
    assert submit_defaults([], script, "4.3.0") == ["--jars", fetched, *ON]
    given = ["--jars", "/x.jar"]
    assert submit_defaults(given, script, "4.3.0") == ["--jars", f"/x.jar,{fetched}", *ON]
    assert option(submit_defaults([], script, "4.2.0"), "--packages") is not None, (
        "of another Spark"
    )


@pytest.mark.parametrize(
    ("given", "packages"),
    [
        (["--packages", "a:b:1"], f"a:b:1,{OURS}"),
        (["--master", "k8s://x", "--deploy-mode", "cluster"], OURS),
        (["--master", "spark://x", "--conf", "spark.submit.deployMode=cluster"], OURS),
        (["--master", "yarn", "--deploy-mode", "cluster"], None),
        (["--master", "spark://x"], None),
    ],
)
def test_where_fetched_jars_are_not_used(
    script: str, fetched: str, given: list[str], packages: str | None
) -> None:
    """Ivy has to see all packages at once, and a driver elsewhere has no files of this machine."""
    result = submit_defaults(given, script, "4.3.0")
    assert option(result, "--packages") == packages
    assert option(result, "--jars") == (None if packages else fetched)


@pytest.mark.usefixtures("launched")
@pytest.mark.parametrize("fails", [False, True])
def test_no_module_is_imported_beside_what_follows(
    monkeypatch: pytest.MonkeyPatch, plain: str, fails: bool
) -> None:
    order: list[str] = []

    def launch(conf: SparkConf) -> None:
        order.append("launch")
        if fails:
            raise PySparkRuntimeError("no JVM")

    def beside(what: str, warm: object) -> Mock:
        order.append(f"begin {what}")
        return Mock(join=lambda: order.append("join"))

    monkeypatch.setattr(defaults, "beside", beside)
    start = defaults._with_defaults(launch, plain)
    with pytest.raises(PySparkRuntimeError) if fails else nullcontext():
        start(SparkConf(loadDefaults=False))
    assert order == ["begin modules of a job", "launch", "join"]


def test_submit_keeps_what_the_user_chose(script: str, plain: str) -> None:
    chosen = (f"{SOCKETS}=false", f"{PAGES}=16m", f"{HDFS_RETRIES}=false")
    off = [part for one in chosen for part in ("--conf", one)]
    assert submit_defaults(off, plain, "4.3.0") == off
    for given in (["--packages", OURS], ["--jars", "/x/spark-sql-kafka-0-10_2.13-4.3.0.jar"]):
        assert submit_defaults([*given, *off], script, "4.3.0") == [*given, *off]


@pytest.mark.parametrize(
    ("given", "small"),
    [
        (["--driver-memory", "32g"], True),
        (["--driver-memory=512M"], True),
        (["--conf", "spark.executor.memory=8g", "--driver-memory", "2g"], True),
        (["--driver-memory", "33g"], False),
        (["--executor-memory", "1t"], False),
        (["--conf", "spark.driver.memory=48g"], False),
        (["--conf", "spark.memory.offHeap.size=200g"], False),
        (["--conf", "spark.memory.offHeap.size=1073741824"], False),  # a form that is not read
        (["--driver-memory", "much"], False),
    ],
)
def test_pages_are_small_where_a_task_has_enough_of_them(
    plain: str, given: list[str], small: bool
) -> None:
    result = submit_defaults(given, plain, "4.3.0")
    assert result == [*given, *(ON if small else LARGE_PAGES)]


def test_memory_of_the_environment_counts_for_pages(
    plain: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_DRIVER_MEMORY", "40g")
    assert submit_defaults([], plain, "4.3.0") == LARGE_PAGES
    assert submit_defaults(["--driver-memory", "4g"], plain, "4.3.0") == [
        "--driver-memory",
        "4g",
        *ON,
    ]


@pytest.mark.parametrize("joined", [True, False])
def test_submit_replaces_connectors_of_old_versions(plain: str, joined: bool) -> None:
    old = f"a:b:1,{OLD}"
    given = [f"--packages={old}"] if joined else ["--packages", old]
    assert submit_defaults(given, plain, "4.3.0") == ["--packages", f"a:b:1,{OURS}", *ON]


def test_submit_keeps_the_packages_of_settings(script: str, defaults_file: Path) -> None:
    defaults_file.write_text("spark.jars.packages x:y:1\n")
    assert option(submit_defaults([], script, "4.3.0"), "--packages") == f"x:y:1,{OURS}"
    for conf in (["--conf", "spark.jars.packages=a:b:1"], ["--conf=spark.jars.packages=a:b:1"]):
        result = submit_defaults(conf, script, "4.3.0")
        assert option(result, "--packages") == f"a:b:1,{OURS}"


def test_submit_keeps_what_a_file_chose(script: str, defaults_file: Path) -> None:
    chosen = f"{SOCKETS} false\n{PAGES} 64m\n{HDFS_RETRIES} false\nspark.jars.packages {OURS}\n"
    defaults_file.write_text(chosen)
    assert submit_defaults([], script, "4.3.0") == []


@pytest.mark.parametrize("where", ["home", "jars", "pattern", "class path", "class path/*", "conf"])
def test_a_connector_that_is_there_is_not_added(script: str, home: Path, where: str) -> None:
    folder = home / "jars" if where == "home" else home / "more"
    folder.mkdir(exist_ok=True)
    jar = folder / "spark-sql-kafka-0-10_2.13-4.3.0.jar"
    given = {
        "home": [],
        "jars": ["--conf", f"spark.jars=/x.jar,file:{jar}"],
        "pattern": ["--jars", f"{folder}/*.jar"],
        "class path": ["--driver-class-path", f"/y:{jar}"],
        "class path/*": ["--driver-class-path", f"/y:{folder}/*"],
        "conf": ["--conf", f"spark.driver.extraClassPath={jar}"],
    }[where]
    if where in ("home", "pattern", "class path/*"):
        assert "--packages" in submit_defaults(given, script, "4.3.0")
        jar.touch()
    assert submit_defaults(given, script, "4.3.0") == [*given, *ON]


@pytest.mark.parametrize("name", OLD_JARS)
def test_old_jars_are_left_out(
    plain: str, defaults_file: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    options = ["--jars", f"/x/a.jar,/x/{name}", "--name", "x"]
    result = submit_defaults(options, plain, "4.3.0")
    assert result == ["--jars", "/x/a.jar", "--packages", OURS, "--name", "x", *ON]
    assert f"Ignoring packages of an old Kafka connector: /x/{name}" in caplog.text
    # an option without a value beats the file, too
    defaults_file.write_text(f"spark.jars hdfs:///x/{name}\nspark.jars.packages {OLD},{OURS}\n")
    assert submit_defaults([], plain, "4.3.0") == ["--jars", "", "--packages", OURS, *ON]
    assert f"{OLD}, hdfs:///x/{name}" in caplog.text


def test_old_jars_of_a_pattern_are_left_out(plain: str, home: Path) -> None:
    for name in ("a.jar", "spark-sql-kafka-0-10_2.13-4.3.0.jar", OLD_JARS[0]):
        (home / "conf" / name).touch()
    result = submit_defaults([f"--jars={home}/conf/*.jar"], plain, "4.3.0")
    kept = [f"{home}/conf/{name}" for name in ("a.jar", "spark-sql-kafka-0-10_2.13-4.3.0.jar")]
    assert result == ["--jars", ",".join(kept), *ON]


def test_submit_searches_the_jobs_other_modules(plain: str, tmp_path: Path) -> None:
    Path(plain).write_text("import pipeline\n")
    (tmp_path / "files").mkdir()
    module = tmp_path / "files" / "pipeline.py"
    module.write_text("import pyspark.streaming.kafka\n")
    for files in (["--py-files", f"/x.zip,{module}"], ["--conf", f"spark.submit.pyFiles={module}"]):
        assert "--packages" in submit_defaults(files, plain, "4.3.0")
    assert "--packages" not in submit_defaults([], plain, "4.3.0")
    module.rename(tmp_path / "pipeline.py")
    assert "--packages" in submit_defaults([], plain, "4.3.0")


def test_a_script_that_cannot_be_read_is_for_spark_submit_to_report(tmp_path: Path) -> None:
    assert submit_defaults([], str(tmp_path / "missing.py"), "4.3.0") == ON


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch, plain: str) -> Any:
    """Start a JVM that is none; returns its settings and its arguments."""
    seen: list[SparkConf] = []
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "")  # so that it is as before when the test ends
    monkeypatch.delenv("PYSPARK_SUBMIT_ARGS")
    monkeypatch.delenv("PYSPARK_GATEWAY_PORT", raising=False)
    for name in defaults._KAFKA:
        monkeypatch.delitem(sys.modules, name, raising=False)

    def start(
        conf: SparkConf | None = None, *, kafka: bool = False, given: str = "", script: str = plain
    ) -> Any:
        if given:
            monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", given)
        if kafka:
            monkeypatch.setitem(sys.modules, defaults._KAFKA[0], ModuleType("kafka"))
        defaults._with_defaults(seen.append, script)(conf)
        sent = {} if seen[-1] is None else dict(seen[-1].getAll())
        return sent, os.environ.get("PYSPARK_SUBMIT_ARGS")

    return start


def test_run_adds_the_connector_when_kafka_was_imported(launched: Any) -> None:
    package = connector_package(__version__)
    conf, arguments = launched(kafka=True)
    assert (conf[SOCKETS], conf[PAGES]) == ("true", "4m")
    assert arguments == f"--packages {package} pyspark-shell"
    _, arguments = launched(kafka=True, given="--master local[1] --packages a:b:1 pyspark-shell")
    assert arguments == f"--packages a:b:1,{package} --master 'local[1]' pyspark-shell"


def test_run_adds_the_connector_when_kafka_will_be_imported(launched: Any, script: str) -> None:
    _, arguments = launched(script=script)
    assert arguments == f"--packages {connector_package(__version__)} pyspark-shell"


def test_run_keeps_pages_of_the_script_and_of_arguments(launched: Any) -> None:
    own = SparkConf(loadDefaults=False).set(PAGES, "32m")
    conf, _ = launched(own)
    assert conf[PAGES] == "32m"
    conf, _ = launched(given=f"--conf {PAGES}=2m pyspark-shell")
    assert PAGES not in conf
    conf, _ = launched(SparkConf(loadDefaults=False).set("spark.driver.memory", "64g"))
    assert PAGES not in conf


def test_run_shows_stages_where_asked_to(launched: Any) -> None:
    conf, _ = launched()
    assert conf[PROGRESS] == "false"
    conf, _ = launched(given=f"--conf {PROGRESS}=true pyspark-shell")
    assert PROGRESS not in conf
    conf, _ = launched(SparkConf(loadDefaults=False).set(PROGRESS, "true"), given="pyspark-shell")
    assert conf[PROGRESS] == "true"


def test_run_keeps_the_packages_of_settings(
    launched: Any, script: str, defaults_file: Path
) -> None:
    settings = f"{SOCKETS} false\n{PROGRESS} true\n{PAGES} 1m\n{HDFS_RETRIES} false\n"
    defaults_file.write_text(f"{settings}spark.jars.packages x:y:1\n")
    package = connector_package(__version__)
    conf, arguments = launched(script=script)
    assert (conf, arguments) == ({}, f"--packages x:y:1,{package} pyspark-shell")
    own = SparkConf(loadDefaults=False).set("spark.jars.packages", "of:conf:1")
    _, arguments = launched(own, script=script, given="pyspark-shell")
    assert arguments == f"--packages of:conf:1,{package} pyspark-shell"
    given = "--conf spark.jars.packages=a:b:1"
    _, arguments = launched(own, script=script, given=f"{given} pyspark-shell")
    assert arguments == f"--packages a:b:1,{package} {given} pyspark-shell"


def test_run_leaves_old_jars_out_of_the_conf_of_the_script(launched: Any) -> None:
    conf = SparkConf(loadDefaults=False).set("spark.jars", f"/x/a.jar,/x/{OLD_JARS[0]}")
    _, arguments = launched(conf)
    package = connector_package(__version__)
    assert arguments == f"--jars /x/a.jar --packages {package} pyspark-shell"
    assert conf.get("spark.jars") == "/x/a.jar"  # the SparkContext is made with it


def test_a_jvm_that_runs_is_left_alone(
    launched: Any, script: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    assert launched(kafka=True, script=script) == ({}, None)
    assert not caplog.records


def test_run_adds_nothing_else(launched: Any) -> None:
    conf, arguments = launched()
    assert (conf[SOCKETS], arguments) == ("true", None)
    given = "--jars /x/spark-sql-kafka-0-10_2.13-4.3.0.jar pyspark-shell"
    _, arguments = launched(kafka=True, given=given)
    assert arguments == given
