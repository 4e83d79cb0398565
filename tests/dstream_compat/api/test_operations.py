"""A job in operation: how it is told to end, what Spark's UI and Spark's listeners show of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.streaming import StreamingQueryListener
from pyspark.traceback_utils import SCCallSiteSync

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import Recorder
from tests.support.streaming.events import LineServer
from tests.support.streaming.processes import (
    DEADLINE,
    JOBS,
    ROOT,
    java_of,
    kill_group,
    our_frames,
    wait_until_gone,
)

pytestmark = pytest.mark.slow


class Process(subprocess.Popen[str]):
    """A job; the lines may be processed at once, if an interval ends just then."""

    early: list[str]


@contextmanager
def waiting(mode: str, *launcher: str) -> Iterator[Process]:
    """Start the job and wait until two lines wait for their batch."""
    server = LineServer()
    process = Process(
        [sys.executable, *launcher, str(JOBS / "terminate.py"), mode, str(server.port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        start_new_session=True,
    )
    overdue = threading.Timer(DEADLINE, kill_group, (process.pid,))
    overdue.start()
    try:
        server.accept()
        server.send("a\nb\n")
        process.early = read_until(process, "received\n")
        yield process
    finally:
        overdue.cancel()
        server.close()
        kill_group(process.pid)


def read_until(process: Process, line: str) -> list[str]:
    """Return what comes before a line of the output."""
    assert process.stdout is not None
    before = []
    while (found := process.stdout.readline()) != line:
        assert found, "the job ended"
        before.append(found.rstrip("\n"))
    return before


@pytest.mark.parametrize("mode", [pytest.param("await", marks=pytest.mark.full), "busy"])
def test_sigterm_drains(mode: str) -> None:
    """What was received is processed, whatever the main thread does, and the process exits."""
    with waiting(mode) as process:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 128 + signal.SIGTERM, err
        assert [*process.early, *out.splitlines()] == ["got a", "got b", "finally"]
        assert not our_frames(err), err
        wait_until_gone(process.pid)


@pytest.mark.full
def test_sigterm_of_submit_drains() -> None:
    """There the JVM gets the signal; the driver is its child, whose output goes through it."""
    with waiting("await", "-m", "dstream_compat", "submit") as process:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 128 + signal.SIGTERM, err
        lines = [*process.early, *out.splitlines()]
        own = [line for line in lines if not line.startswith("WARNING")]
        assert own[:2] == ["got a", "got b"], err
        wait_until_gone(process.pid)


@pytest.mark.full
def test_sigterm_of_the_jvm_drains() -> None:
    """So it is if something ends the JVM alone: the main thread goes on behind the wait."""
    with waiting("await") as process:
        os.kill(java_of(process), signal.SIGTERM)
        out, err = process.communicate(timeout=DEADLINE)
        lines = [*process.early, *out.splitlines()]
        assert lines == ["got a", "got b", "awaited", "finally"], err
        wait_until_gone(process.pid)


def test_sigterm_without_the_setting_ends_at_once() -> None:
    with waiting("unset") as process:
        process.send_signal(signal.SIGTERM)
        out, _ = process.communicate(timeout=DEADLINE)
        assert process.returncode == -signal.SIGTERM
        assert out == ""
        wait_until_gone(process.pid)


def test_handler_of_the_user_stays() -> None:
    with waiting("handler") as process:
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 7, err
        assert out.splitlines() == ["mine", "finally"]
        wait_until_gone(process.pid)


def test_death_of_the_jvm_ends_the_process() -> None:
    """Whatever watches the job can start it again."""
    with waiting("forever") as process:
        os.kill(java_of(process), signal.SIGKILL)
        out, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 1, err
        assert out == "finally\n"
        assert "QueryFailedError" in err


def test_second_sigterm_ends_at_once() -> None:
    with waiting("impatient") as process:
        assert process.stderr is not None
        process.send_signal(signal.SIGTERM)
        while "SIGTERM: stopping gracefully" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=DEADLINE)
        assert process.returncode == -signal.SIGTERM
        wait_until_gone(process.pid)


def advance(ssc: StreamingContext) -> None:
    clock = ManualClock(ssc)
    clock.advance(1)


def shown_jobs(sc: SparkContext) -> dict[int, Any]:
    """What Spark's UI shows: job number to job."""
    java: Any = sc._jsc
    java.sc().listenerBus().waitUntilEmpty()
    jobs = java.sc().statusStore().jobsList(None)
    return {job.jobId(): job for job in (jobs.apply(number) for number in range(jobs.size()))}


def descriptions(sc: SparkContext, before: dict[int, Any]) -> dict[str, str]:
    """What Spark's UI shows of the jobs since then: name to description."""
    new = [job for number, job in shown_jobs(sc).items() if number not in before]
    return {job.name(): job.description().get() for job in new if job.description().isDefined()}


def test_jobs_show_batch_output_and_line(sc: SparkContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """As with DStreams, but without its link: there is no Streaming tab."""
    earlier = shown_jobs(sc)
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    words = ssc.queueStream([["a", "b"]]).map(lambda word: (word, 1))
    seen: list[dict[str, str | None]] = []

    def properties() -> dict[str, str | None]:
        names = ("job.description", "jobGroup.id", "streaming.internal.batchTime", "mine")
        return {name: sc.getLocalProperty(f"spark.{name}") for name in names}

    def count(rdd: Any) -> None:
        seen.append(properties())
        sc.setLocalProperty("spark.mine", "from the first output")
        sc.setJobGroup("mine", "mine")
        sc.setLocalProperty("spark.job.description", seen[0]["job.description"])
        # PySpark counts without a lock: while another thread is in a call, no job gets its line
        for thread in threading.enumerate():
            if thread.name == "dstream-compat-warming":
                thread.join(DEADLINE)
        monkeypatch.setattr(SCCallSiteSync, "_spark_stack_depth", 0)
        rdd.map(str).count()  # of a small one itself, the driver knows it

    words.foreachRDD(count)
    words.foreachRDD(lambda rdd: seen.append(properties()))
    words.foreachRDD(recorder.last())
    first = count.__code__.co_firstlineno + 12
    before = properties()
    ssc.start()
    try:
        advance(ssc)
        recorder.wait(1)
    finally:
        ssc.stop(stopSparkContext=False)
    at, here = f"{datetime.fromtimestamp(1):%H:%M:%S}", os.path.basename(__file__)
    assert [properties["job.description"] for properties in seen] == [
        f"Streaming job from [output operation {number}, batch time {at}]: "
        f"foreachRDD at {here}:{first + number}"
        for number in (0, 1)
    ]
    assert [properties["streaming.internal.batchTime"] for properties in seen] == ["1000"] * 2
    assert seen[1]["mine"] is None, "what an output sets is gone afterwards"
    assert seen[1]["jobGroup.id"] == seen[0]["jobGroup.id"] != "mine"
    assert properties() == before
    shown = descriptions(sc, earlier)
    assert shown.get(f"count at {__file__}:{first - 2}") == seen[0]["job.description"], shown
    assert any(text.startswith("queueStream -> map\n") for text in shown.values())


class Progress(StreamingQueryListener):
    """Collects what Spark tells about queries."""

    def __init__(self) -> None:
        self.names: list[str | None] = []
        self.batches: list[Any] = []
        self.changed = threading.Condition()

    def onQueryStarted(self, event: Any) -> None:
        self.names.append(event.name)

    def onQueryProgress(self, event: Any) -> None:
        with self.changed:
            self.batches.append(event.progress)
            self.changed.notify_all()

    def onQueryIdle(self, event: Any) -> None:
        """Nothing was due."""

    def onQueryTerminated(self, event: Any) -> None:
        """The context was stopped."""


def test_listener_of_the_users_session_sees_the_query(sc: SparkContext) -> None:
    spark = SparkSession.builder.getOrCreate()
    progress = Progress()
    spark.streams.addListener(progress)
    try:
        ssc = StreamingContext(sc, 1)
        words = ssc.queueStream([["a", "b", "a"]]).map(lambda word: (word, 1))
        words.updateStateByKey(lambda new, old: sum(new) + (old or 0)).foreachRDD(lambda rdd: None)
        ssc.start()
        try:
            advance(ssc)
            with progress.changed:
                assert progress.changed.wait_for(lambda: len(progress.batches) > 1, DEADLINE)
        finally:
            ssc.stop(stopSparkContext=False)
    finally:
        spark.streams.removeListener(progress)
    assert progress.names == ["queueStream -> map -> updateStateByKey"]
    batch = progress.batches[1]
    assert batch.numInputRows > 0
    assert {"triggerExecution", "addBatch", "latestOffset"} <= set(batch.durationMs)
    [state] = batch.stateOperators
    assert state.numRowsTotal > 0
    assert state.numRowsUpdated > 0
