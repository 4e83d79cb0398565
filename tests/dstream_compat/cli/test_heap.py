"""The heap of a JVM that run and submit start grows late, unless the user says how it grows."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkConf

from dstream_compat.cli import defaults
from dstream_compat.cli.archive import OPTIONS
from dstream_compat.cli.heap import with_lean_heap

RATIO = "-XX:GCTimeRatio=3"
JAVA_OPTIONS = "spark.driver.extraJavaOptions"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the settings folder of a Spark that has none, and let no archive be found."""
    (tmp_path / "conf").mkdir()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("SPARK_CONF_DIR", raising=False)
    return tmp_path / "conf"


def test_the_option_stands_before_the_users(home: Path) -> None:
    assert with_lean_heap({"A": "b"}, []) == {"A": "b", OPTIONS: RATIO}
    assert with_lean_heap({OPTIONS: "-Dx=1"}, []) == {OPTIONS: f"{RATIO} -Dx=1"}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--driver-java-options", "-Xss2m -Dgc=none"],
        ["--conf", f"{JAVA_OPTIONS}=-XX:+UseStringDeduplication"],
        ["--conf", "spark.executor.extraJavaOptions=-XX:+UseParallelGC"],
        ["--name", "-XX:+UseZGC"],
        ["job.py", "--driver-java-options", "-XX:+UseZGC"],
    ],
)
def test_other_options_make_no_difference(arguments: list[str]) -> None:
    assert with_lean_heap({}, arguments) == {OPTIONS: RATIO}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--driver-java-options", "-Xss2m -XX:+UseParallelGC"],
        ["--driver-java-options=-XX:GCTimeRatio=24"],
        ["--conf", f"{JAVA_OPTIONS}=-XX:+UseZGC"],
        ["-c", f"{JAVA_OPTIONS}=-XX:+UseG1GC"],
        ["--conf", "spark.driver.defaultJavaOptions=-XX:+UseSerialGC"],
    ],
)
def test_a_collector_of_the_users_is_left_alone(arguments: list[str]) -> None:
    assert with_lean_heap({"A": "b"}, arguments) == {"A": "b"}


@pytest.mark.parametrize("name", [OPTIONS, "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"])
def test_so_is_one_of_the_environment(name: str) -> None:
    environment = {name: "-XX:+UseSerialGC"}
    assert with_lean_heap(environment, []) == environment


def test_so_is_one_of_a_file(home: Path) -> None:
    (home / "spark-defaults.conf").write_text(f"{JAVA_OPTIONS} -XX:+UseShenandoahGC\n")
    assert with_lean_heap({}, []) == {}


def test_run_starts_the_jvm_with_it_and_leaves_no_trace(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("PYSPARK_GATEWAY_PORT", "PYSPARK_SUBMIT_ARGS", OPTIONS):
        monkeypatch.delenv(name, raising=False)
    for name in defaults._KAFKA:
        monkeypatch.delitem(defaults.sys.modules, name, raising=False)
    script = tmp_path / "job.py"
    script.write_text("")
    seen: list[str | None] = []
    launch = defaults._with_defaults(
        lambda conf: seen.append(defaults.os.environ.get(OPTIONS)), str(script)
    )

    launch(None)
    launch(SparkConf(loadDefaults=False).set(JAVA_OPTIONS, "-XX:+UseParallelGC"))

    assert seen == [RATIO, None]
    assert OPTIONS not in defaults.os.environ
