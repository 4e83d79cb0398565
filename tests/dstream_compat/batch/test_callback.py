"""What Spark is told when a micro-batch fails: a failure, or an interruption that it asked for."""

from __future__ import annotations

import threading
import traceback
from types import SimpleNamespace
from typing import Any

import pytest
from py4j.protocol import Py4JError, Py4JJavaError

from dstream_compat.batch import callback
from dstream_compat.batch.callback import Callback
from dstream_compat.batch.rdds import MicroBatch
from dstream_compat.exceptions import QueryFailedError
from dstream_compat.lifecycle import BatchAborted, Lifecycle, Phase

CANCELLED = "org.apache.spark.SparkException: [SPARK_JOB_CANCELLED] Job 3 cancelled as part of ..."
FULL = "java.io.IOException: No space left on device"
# where Spark begins to look for an interruption
PATTERN = "py4j.protocol.Py4JJavaError: An error occurred while calling"


class JavaError(Py4JJavaError):  # type: ignore[misc]
    """An error of the JVM, without a JVM."""

    def __init__(self, text: str) -> None:
        Exception.__init__(self, "An error occurred while calling o1.count.\n")
        self.java_exception = text

    def __str__(self) -> str:
        stack = "\tat java.base/java.lang.Thread.run(Thread.java:840)\n" * 50
        return f"An error occurred while calling o1.count.\n: {self.java_exception}\n{stack}"


class Interrupted:
    """A thread of the JVM that is interrupted when it sleeps."""

    def sleep(self, milliseconds: int) -> None:
        raise Py4JError("java.lang.InterruptedException: sleep interrupted")


class Failing(Callback):
    """Fails in its first micro-batch, in a phase of the context."""

    def __init__(self, phase: Phase, error: BaseException) -> None:
        self.life = Lifecycle()
        self.life.advance(phase)
        self.idle = threading.Event()
        self._error = error
        self.scheduler: Any = SimpleNamespace(next=self._fail)
        java = SimpleNamespace(lang=SimpleNamespace(Thread=Interrupted()))
        self.sc: Any = SimpleNamespace(_jvm=SimpleNamespace(java=java))

    def _fail(self, *arguments: Any) -> None:
        raise self._error

    def run(self, batch: MicroBatch) -> None:
        raise AssertionError("nothing was computed")


def told(failing: Failing) -> str:
    """The traceback that py4j hands to Spark."""
    try:
        failing.call(None, 1)
    except BaseException:
        return traceback.format_exc()
    raise AssertionError("Spark would commit the micro-batch")


@pytest.mark.parametrize(
    ("phase", "text"),
    [(Phase.HALTING, CANCELLED), (Phase.ABORTING, CANCELLED), (Phase.ABORTING, FULL)],
)
def test_a_stop_is_an_interruption(phase: Phase, text: str) -> None:
    failing = Failing(phase, JavaError(text))
    assert "java.lang.InterruptedException" in told(failing)
    assert isinstance(failing.failure, BatchAborted)
    assert failing.idle.is_set()


def test_jobs_are_cancelled_before_the_stop() -> None:
    """As on Ctrl-C: PySpark's handler cancels all jobs, and the program ends after that."""
    failing = Failing(Phase.RUNNING, JavaError(CANCELLED))
    stop = threading.Timer(0.05, failing.life.advance, [Phase.HALTING])
    stop.start()
    assert "java.lang.InterruptedException" in told(failing)
    stop.join()
    assert isinstance(failing.failure, BatchAborted)


@pytest.mark.parametrize(
    ("phase", "text"),
    [(Phase.RUNNING, CANCELLED), (Phase.RUNNING, FULL), (Phase.HALTING, FULL)],
)
def test_a_failure_is_told_as_it_is(
    monkeypatch: pytest.MonkeyPatch, phase: Phase, text: str
) -> None:
    monkeypatch.setattr(callback, "_STOP_SECONDS", 0.05)
    failing = Failing(phase, JavaError(text))
    shown = told(failing)
    assert shown.endswith(f"QueryFailedError: {text}\n")
    assert PATTERN not in shown
    assert isinstance(failing.failure, QueryFailedError)
    assert str(failing.failure) == text


def test_other_errors_keep_their_traceback() -> None:
    failing = Failing(Phase.RUNNING, ZeroDivisionError("division by zero"))
    assert "in _fail" in told(failing)
