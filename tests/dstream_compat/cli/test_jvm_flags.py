"""A JVM that run and submit start has flags of its own, unless the user has some of their kind."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark import SparkConf

from dstream_compat.cli import defaults
from dstream_compat.cli.archive import OPTIONS
from dstream_compat.cli.jvm_flags import (
    COMPILER,
    HEAP,
    HOME,
    jvm_environment,
    jvm_environment_set,
    with_jvm_flags,
)
from dstream_compat.cli.options import spark_home

BOTH = f"{HEAP} {COMPILER}"
JAVA_OPTIONS = "spark.driver.extraJavaOptions"


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the settings folder of a Spark that has none, and let no archive be found."""
    (tmp_path / "conf").mkdir()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("SPARK_CONF_DIR", raising=False)
    return tmp_path / "conf"


def test_they_stand_before_the_users(home: Path) -> None:
    assert with_jvm_flags({"A": "b"}, []) == {"A": "b", OPTIONS: BOTH}
    assert with_jvm_flags({OPTIONS: "-Dx=1"}, []) == {OPTIONS: f"{BOTH} -Dx=1"}


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
    assert with_jvm_flags({}, arguments) == {OPTIONS: BOTH}


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
    assert with_jvm_flags({"A": "b"}, arguments) == {"A": "b", OPTIONS: COMPILER}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--driver-java-options", "-XX:TieredStopAtLevel=1"],
        ["--driver-java-options=-XX:-TieredCompilation"],
        ["--conf", f"{JAVA_OPTIONS}=-XX:Tier4CompileThreshold=15000"],
        ["--conf", f"{JAVA_OPTIONS}=-XX:CompileThresholdScaling=0.5"],
        ["--conf", f"{JAVA_OPTIONS}=-Xint"],
    ],
)
def test_thresholds_of_the_users_are_left_alone(arguments: list[str]) -> None:
    assert with_jvm_flags({}, arguments) == {OPTIONS: HEAP}


def test_nothing_changes_where_the_user_names_both() -> None:
    environment = {OPTIONS: "-XX:+UseZGC -Xcomp"}
    assert with_jvm_flags(environment, []) == environment


@pytest.mark.parametrize("name", [OPTIONS, "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"])
def test_so_is_one_of_the_environment(name: str) -> None:
    changed = with_jvm_flags({name: "-XX:+UseSerialGC"}, [])
    before = COMPILER if name != OPTIONS else f"{COMPILER} -XX:+UseSerialGC"
    assert changed == {name: "-XX:+UseSerialGC", OPTIONS: before}


def test_so_is_one_of_a_file(home: Path) -> None:
    (home / "spark-defaults.conf").write_text(f"{JAVA_OPTIONS} -XX:+UseShenandoahGC\n")
    assert with_jvm_flags({}, []) == {OPTIONS: COMPILER}


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

    assert seen == [BOTH, COMPILER]
    assert OPTIONS not in defaults.os.environ


def test_scripts_of_spark_need_not_look_for_its_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(HOME)
    found = spark_home()
    with jvm_environment_set([]):
        assert defaults.os.environ[HOME] == found
    assert HOME not in defaults.os.environ
    assert jvm_environment([])[HOME] == found


def test_the_home_of_the_user_stays(home: Path) -> None:
    with jvm_environment_set([]):
        assert defaults.os.environ[HOME] == str(home.parent)
    assert defaults.os.environ[HOME] == str(home.parent)
    assert jvm_environment([])[HOME] == str(home.parent)
