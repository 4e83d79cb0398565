"""Spark's Streaming tab: what REST and metrics say of both engines, and the tab in a browser."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock

import pyspark
import pytest
from pyspark import SparkContext

from dstream_compat.graph.nodes import Graph
from dstream_compat.listeners.events import StreamingStarted
from dstream_compat.listeners.streaming_tab import StreamingTab
from tests.support.jvm import OPTIONS
from tests.support.metrics import METRIC, expressions, scraped
from tests.support.streaming.processes import JOBS, ROOT, kill_group, run_python

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.slow

TIMES = re.compile("Time$|Delay$")
THERE = {"tab": True, "rest": 200, "gauges": True}
GONE = {"tab": False, "rest": 404, "gauges": False}
ENGINES = ("dstreams", "ours")
BROWSER_SECONDS = 120.0


class Job:
    """A job that shows the tab, and what it has told so far."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._told: dict[str, Any] = {}

    def told(self, step: str) -> Any:
        assert self._process.stdout is not None
        while step not in self._told:
            line = self._process.stdout.readline()
            assert line, f"the job ended before {step}; it told {list(self._told)}"
            told = json.loads(line)
            self._told[told["step"]] = told
        return self._told[step]


@pytest.fixture(scope="module")
def job() -> Iterator[Job]:
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, str(JOBS / "tab.py"), folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=dict(os.environ, PYTHONPATH=str(ROOT)),
            start_new_session=True,
        )
        try:
            yield Job(process)
        finally:
            kill_group(process.pid)


def without_times(told: dict[str, Any]) -> dict[str, Any]:
    """What is the same on each run: of a time, that it is there."""
    return {key: "time" if TIMES.search(key) else value for key, value in told.items()}


def ids(told: dict[str, Any]) -> dict[str, Any]:
    """Whether an output has jobs: their numbers are those of the SparkContext."""
    return told | {"jobIds": bool(told["jobIds"])}


def failure(text: str | None) -> str | None:
    """The error in a reason, without Java's stack."""
    return text and re.findall(r"^\w+Error: .*$", text, re.MULTILINE)[0]


def test_batches_are_those_of_dstreams(job: Job) -> None:
    """Ours counts the two lines of the file as well, as its listeners do."""
    expected, got = ([without_times(one) for one in job.told(e)["batches"]] for e in ENGINES)
    for batch in (*expected, *got):
        batch["firstFailureReason"] = failure(batch.get("firstFailureReason"))

    assert [one["inputSize"] for one in expected] == [1, 1, 1]
    expected[-1]["inputSize"] += 2
    assert got == expected
    assert [one["numTotalOutputOps"] for one in got] == [3, 4, 3]
    assert [one["numFailedOutputOps"] for one in got] == [0, 1, 0]
    one = without_times(job.told("ours")["batch"])
    assert one | {"firstFailureReason": None} == got[-1]


def test_statistics_are_those_of_dstreams(job: Job) -> None:
    expected, got = (without_times(job.told(engine)["statistics"]) for engine in ENGINES)
    expected["numProcessedRecords"] += 2
    expected["avgInputRate"] = got["avgInputRate"]
    assert got == expected
    assert got["avgInputRate"] == pytest.approx(5 / 3)
    assert got["numReceivedRecords"] == 3


def test_receivers_are_those_of_dstreams(job: Job) -> None:
    """All streams have the names that they had."""
    expected, got = (job.told(engine)["receivers"] for engine in ENGINES)
    assert expected[1]["eventRates"][0] == [1000, 0.0]
    expected[1]["eventRates"][0] = [1000, 2.0]
    expected[1]["avgEventRate"] = pytest.approx(2 / 3)
    assert got == expected
    assert got[0] == job.told("ours")["receiver"]
    names = ["SocketReceiver-0", "File stream [1]", "Queue stream [2]"]
    assert [one["streamName"] for one in got] == names


def test_outputs_have_the_names_of_the_user(job: Job) -> None:
    expected, got = (job.told(engine)["operations"] for engine in ENGINES)
    source = (JOBS / "tab.py").read_text().splitlines()
    assert got.keys() == expected.keys()
    for at, outputs in got.items():
        for mine, theirs in zip(outputs, expected[at], strict=True):
            name, line = mine["name"].split(" at tab.py:")
            assert f".{name}(" in source[int(line) - 1]
            assert mine["description"].startswith(f"{JOBS / 'tab.py'}:{line}")
            for one in (mine, theirs):
                del one["name"], one["description"]
                one["failureReason"] = failure(one.get("failureReason"))
            assert ids(without_times(mine)) == ids(without_times(theirs))
    reasons = [one["failureReason"] for one in got["2000"]]
    assert reasons == [None, None, "ValueError: the second batch fails", None]


def test_gauges_are_those_of_dstreams(job: Job) -> None:
    expected, got = (job.told(engine)["gauges"] for engine in ENGINES)
    assert len(got) == 18
    assert got.keys() == expected.keys()
    for name in got:
        if TIMES.search(name) or "Delay" in name:
            assert got[name] >= 0
        else:
            more = 2 if name == "totalProcessedRecords" else 0
            assert (name, got[name]) == (name, expected[name] + more)


def test_metrics_of_the_dashboard_and_the_alerts_are_there(job: Job) -> None:
    """Each one that they name comes out of the rules by which Prometheus renames Spark's."""
    text = job.told("ours")["prometheus"]
    there = scraped(re.findall(r"^(\w+)\{", text, re.MULTILINE))
    named = [(expr, METRIC.findall(expr)) for expr in expressions()]

    assert {app for _, app in there} == {"tab"}
    assert len(there) == 18
    assert {name for _, names in named for name in names} <= {name for name, _ in there}
    plain = [expr for expr, names in named if not names]
    assert plain == ["prometheus", 'up{job="spark-streaming"} == 0']


@pytest.mark.parametrize("engine", ENGINES)
def test_the_tab_comes_and_goes(job: Job, engine: str) -> None:
    assert job.told(engine)["shown"] == THERE
    assert job.told(f"{engine} ended")["shown"] == GONE


def test_no_folder_is_made(job: Job) -> None:
    assert not job.told("ours ended")["made"]


def test_the_setting_switches_it_off(job: Job) -> None:
    assert job.told("off")["shown"] == GONE


def test_the_tab_in_a_browser(job: Job, browser: Browser) -> None:
    """From the list of batches to one of them, and to a job of one of its outputs."""
    page = browser.new_page()
    page.set_default_timeout(BROWSER_SECONDS * 1000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(job.told("running")["url"])
    page.click("a.nav-link:text-is('Streaming')")
    wait_for(page, "3 completed batches")
    page.click(".expand-input-rate")
    for name in ("SocketReceiver-0", "File stream [1]", "Queue stream [2]"):
        wait_for(page, name)

    page.click("a[href*='batch?id=2000']")
    wait_for(page, "the second batch fails")
    for line in output_lines():
        wait_for(page, f"foreachRDD at tab.py:{line}")
    page.click("td a[href*='/jobs/job/?id=']")
    wait_for(page, "Details for Job")
    # a fault of Spark's own page
    assert set(errors) <= {"onClickTimeline is not defined"}
    page.close()


def wait_for(page: Page, text: str) -> None:
    """Wait until a page has a text, however its spaces are written."""
    has = "text => (document.body?.textContent ?? '').replace(/\\s+/g, ' ').includes(text)"
    page.wait_for_function(has, arg=text)


def output_lines() -> list[int]:
    lines = (JOBS / "tab.py").read_text().splitlines()
    return [number for number, line in enumerate(lines, 1) if ".foreachRDD(" in line]


@pytest.mark.full
def test_a_spark_without_the_classes_of_dstreams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job runs as ever, and says once that there is no tab."""
    installed = Path(pyspark.__file__).parent
    (tmp_path / "bin").symlink_to(installed / "bin")
    (tmp_path / "jars").mkdir()
    for jar in (installed / "jars").glob("*.jar"):
        if not jar.name.startswith("spark-streaming_"):
            (tmp_path / "jars" / jar.name).symlink_to(jar)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    settings = "--master local[1] --conf spark.ui.port=0 pyspark-shell"
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", settings)
    # an archive of classes would have them
    monkeypatch.setenv("SPARK_SUBMIT_OPTS", " ".join(OPTIONS))

    run = run_python("-m", "dstream_compat", "run", str(JOBS / "small.py"), "a")

    assert run.code == 0, run.err
    assert "counted: [('a', 3)]" in run.out
    (warning,) = [line for line in run.err.splitlines() if "dstream_compat:" in line]
    assert "Spark's tab Streaming and its metrics are not there" in warning
    assert "org.apache.spark.streaming" in warning


@pytest.mark.full
def test_metrics_reach_a_sink_without_the_ui(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = "spark.metrics.conf.driver.sink.csv"
    given = {
        "class": "org.apache.spark.metrics.sink.CsvSink",
        "directory": tmp_path,
        "period": 1,
        "unit": "seconds",
    }
    settings = " ".join(f"--conf {sink}.{name}={value}" for name, value in given.items())
    monkeypatch.setenv(
        "PYSPARK_SUBMIT_ARGS",
        f"--master local[2] --conf spark.ui.enabled=false {settings} pyspark-shell",
    )

    run = run_python("-m", "dstream_compat", "run", str(JOBS / "metrics.py"), str(tmp_path))

    assert run.code == 0, run.err
    (file,) = tmp_path.glob("*.StreamingMetrics.streaming.totalCompletedBatches.csv")
    values = [line.split(",")[1] for line in file.read_text().splitlines()[1:]]
    assert any(int(value) >= 3 for value in values), run.err


def test_events_that_are_dropped_are_told_once(
    sc: SparkContext, caplog: pytest.LogCaptureFixture
) -> None:
    tab = StreamingTab(sc, Graph(1000), {})
    tab._thread = threading.Thread()  # never started: nothing is taken away meanwhile
    tab._java = Mock()
    for _ in range(10_003):
        tab.note("onStreamingStarted", StreamingStarted(0))
    tab._feed()
    tab._dropped += 1
    tab._feed()
    (said,) = [record.getMessage() for record in caplog.records if "skipped" in record.getMessage()]
    assert "skipped 3 events so far: their queue of 10000 was full" in said
