"""An old Spark that SPARK_HOME names is refused before PySpark starts it."""

from __future__ import annotations

import os
from importlib.metadata import version
from pathlib import Path

import pytest

from dstream_compat.cli.run import run_script
from dstream_compat.cli.spark_home import unfit_home
from dstream_compat.cli.submit import submit
from tests.support.streaming.processes import run_python

OWN = version("pyspark")
MAJOR, MINOR = OWN.split(".")[:2]


def make_home(place: Path, *jars: str, launcher: bool = True) -> Path:
    for jar in jars:
        (place / jar).parent.mkdir(exist_ok=True, parents=True)
        (place / jar).touch()
    if launcher:
        (place / "bin").mkdir()
        (place / "bin" / "spark-submit").touch()
    return place


@pytest.mark.parametrize(
    ("jars", "said"),
    [
        (["jars/spark-core_2.11-2.4.8.jar"], "which holds Spark 2.4.8"),
        (["jars/spark-core_2.12-3.5.1.jar"], "which holds Spark 3.5.1"),
        (["jars/spark-core_2.11-2.4.0-cdh6.3.2.jar"], "which holds Spark 2.4.0-cdh6.3.2"),
        ([f"jars/spark-core_2.13-{MAJOR}.{MINOR}0.1.jar"], f"holds Spark {MAJOR}.{MINOR}0.1"),
        (["lib/spark-assembly-1.6.3-hadoop2.6.0.jar"], "which holds spark-assembly-1.6.3-hadoop2"),
    ],
)
def test_another_spark(
    jars: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPARK_HOME", str(make_home(tmp_path, *jars)))
    found = unfit_home()
    assert found is not None
    assert found.startswith(f"SPARK_HOME is {tmp_path}, ") and said in found
    assert f"the Spark that PySpark {OWN} brings" in found


@pytest.mark.parametrize(
    "jars",
    [
        [f"jars/spark-core_2.13-{OWN}.jar", "jars/spark-sql_2.13-1.0.jar"],
        [f"jars/spark-core_2.13-{MAJOR}.{MINOR}.99.jar"],
        [f"jars/spark-core_2.13-{MAJOR}.{MINOR}.0-amzn-0.jar"],
        ["jars/other.jar"],  # laid out in another way: Spark says itself if something is wrong
        [],
    ],
)
def test_spark_that_fits(jars: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_HOME", str(make_home(tmp_path, *jars)))
    assert unfit_home() is None


@pytest.mark.parametrize("value", [None, ""])
def test_no_home(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if value is None:
        monkeypatch.delenv("SPARK_HOME", raising=False)
    else:
        monkeypatch.setenv("SPARK_HOME", value)
    assert unfit_home() is None


@pytest.mark.parametrize("command", ["run", "submit"])
def test_nothing_runs(
    command: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("SPARK_HOME", str(tmp_path / "gone"))
    script = tmp_path / "job.py"
    script.write_text("print('it ran')\n")
    assert (run_script(str(script), []) if command == "run" else submit([str(script)])) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"SPARK_HOME is {tmp_path / 'gone'}, where there is no bin/spark-submit" in shown.err


@pytest.mark.slow
def test_what_spark_submit_has_started_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There, Spark is chosen already; on YARN, the variable is often set to nonsense."""
    script = tmp_path / "job.py"
    script.write_text("print('it ran')\n")
    monkeypatch.setenv("SPARK_HOME", os.devnull)
    monkeypatch.setenv("PYSPARK_GATEWAY_PORT", "1")
    done = run_python("-m", "dstream_compat.cli.launch", str(script))
    assert (done.code, done.out) == (0, "it ran\n"), done.err


WITHOUT_METADATA = """
import importlib.metadata

def unknown(name):
    raise importlib.metadata.PackageNotFoundError(name)

importlib.metadata.version = unknown
from dstream_compat.cli.spark_home import unfit_home
from dstream_compat.cli.submit import submit_command
print(unfit_home())
print(submit_command(["job.py"])[-1])
"""


@pytest.mark.slow
def test_pyspark_without_metadata(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Spark's own distribution, whose folder is put on the path."""
    monkeypatch.setenv("SPARK_HOME", str(make_home(tmp_path, f"jars/spark-core_2.13-{OWN}.jar")))
    done = run_python("-c", WITHOUT_METADATA)
    assert (done.code, done.out) == (0, "None\njob.py\n"), done.err
