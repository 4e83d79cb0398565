"""A job's stderr holds what somebody can act on, and little else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dstream_compat.daemon import quiet_without_reader
from dstream_compat.spark import console
from tests.support.fenced import DOCS
from tests.support.streaming.processes import JOBS, run_job, run_python

BEFORE_THE_JOB = [
    # as every job of Spark begins
    r"WARNING: Using incubator modules: jdk\.incubator\.vector",
    r"Using Spark's default log4j profile: org/apache/spark/log4j2-defaults\.properties",
    r'Setting default log level to "WARN"\.',
    r"To adjust logging level use sc\.setLogLevel\(newLevel\)\. For SparkR, .*",
    r".* WARN Utils: Your hostname, .* resolves to a loopback address: .*",
    r".* WARN Utils: Set SPARK_LOCAL_IP if you need to bind to another address",
    r".* WARN NativeCodeLoader: Unable to load native-hadoop library for your platform.*",
    r".* WARN Utils: Service '\w+' could not bind on port \d+\. Attempting port \d+\.",
    r"Java HotSpot.*|OpenJDK 64-Bit Server VM warning: .*",
]
OF_THE_JOB = [
    # what matters: a slow disk, a slow machine
    r".* WARN StateStore: Loaded state store provider in loadTimeMs=\d+ .*",
    r"WARNING dstream_compat: a graceful stop did not end within .*",
]
NOISE = [
    "doesn't contain key",
    "No more data to read",
    "Disabling AQE",
    "Failed to cancel job group",
    "Starting execution of UDF",
    "Starting Streaming TransformWithState",
    "[Stage ",
]


def unknown(lines: list[str], known: list[str]) -> list[str]:
    """Return the lines that are none of these."""
    pattern = re.compile("|".join(known))
    return [line for line in lines if line.strip() and not pattern.fullmatch(line)]


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the job prints before its first marker and after each, as the markers come."""
    folder = tmp_path_factory.mktemp("console")
    job = str(JOBS / "console.py")
    done = run_python("-m", "dstream_compat", "run", job, "quiet", str(folder))
    assert done.code == 0, done.err[-3000:]
    return re.split(r"^== \w+ ==\n", done.err, flags=re.MULTILINE)


@pytest.mark.parametrize("logger", console._MESSAGES)
def test_what_is_filtered_is_documented(logger: str) -> None:
    page = (DOCS / "production" / "console.md").read_text(encoding="utf-8")
    assert f"`{logger.rpartition('.')[2]}`" in page


@pytest.mark.slow
def test_stderr_is_empty_but_for_known_lines(printed: list[str]) -> None:
    before, warn, between, _, after = printed
    assert unknown(before.splitlines(), BEFORE_THE_JOB) == []
    assert unknown(warn.splitlines(), OF_THE_JOB) == []
    assert (between, after) == ("", "")


@pytest.mark.slow
def test_info_is_shown_without_what_nobody_can_act_on(printed: list[str]) -> None:
    info = printed[3]
    assert " INFO DAGScheduler: " in info
    assert " INFO TransformWithStateInPySparkStateServer: " in info
    assert [noise for noise in NOISE if noise in info] == []


@pytest.mark.slow
def test_errors_and_loggers_with_a_level_are_shown(tmp_path: Path) -> None:
    done = run_job("console", "failing", str(tmp_path))
    assert done.code == 1
    assert "ValueError: of the job" in done.err
    assert re.search(r" ERROR \w+: .*", done.err)
    assert "WARN TransformWithStateInPySparkStateServer: Map state state doesn't" in done.err
    assert "Disabling AQE" not in done.err


@pytest.mark.parametrize("error", [BrokenPipeError, ConnectionResetError])
def test_worker_whose_reader_is_gone_ends(error: type[OSError]) -> None:
    def worker(*args: object) -> int:
        assert args == ("socket", True)
        raise error

    assert quiet_without_reader(worker)("socket", True) == 1


def test_worker_ends_as_it_would() -> None:
    def worker(*args: object) -> int:
        raise OSError("of the disk")

    assert quiet_without_reader(lambda *args: 7)("socket", True) == 7
    with pytest.raises(OSError, match="of the disk"):
        quiet_without_reader(worker)("socket", True)
