"""What a stop lets end and what it drops, on both engines."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.contexts import patient_stops
from tests.support.streaming.differential import DEADLINE

pytestmark = pytest.mark.slow


class Stopped:
    """A context whose first output waits until it may go on."""

    def __init__(self, made: Any) -> None:
        self.ssc = made
        self.ran: list[Any] = []
        self.entered, self.leave = threading.Event(), threading.Event()
        self.stopper = threading.Thread()
        self.gracefully = False

    def start(self, first: Callable[[Any, Any], None], batches: list[list[str]]) -> None:
        stream = self.ssc.queueStream(batches)
        stream.foreachRDD(first)
        stream.foreachRDD(lambda time, rdd: self.ran.append(("second", time.timestamp())))
        self.ssc.start()
        ManualClock(self.ssc).advance(len(batches))
        assert self.entered.wait(DEADLINE)

    def waits(self, at: Any, rdd: Any) -> None:
        records = rdd.collect()
        self.entered.set()
        assert self.leave.wait(DEADLINE)
        self.ran.append(("first", at.timestamp(), records))

    def stop(self, gracefully: bool) -> None:
        """Begin to stop; the calling thread goes on."""
        self.gracefully = gracefully
        self.stopper = threading.Thread(target=self.ssc.stop, args=(False, gracefully))
        self.stopper.start()

    def join(self) -> None:
        """Wait until the context is stopped."""
        deadline = time.monotonic() + DEADLINE
        while self.stopper.is_alive():
            assert time.monotonic() < deadline
            if self.gracefully:  # it ends at an interval, of which a hard stop may still run one
                ManualClock(self.ssc).advance(1)
            self.stopper.join(0.2)
        assert self.ssc.awaitTerminationOrTimeout(0) is True


@pytest.fixture(params=[real.StreamingContext, ours.StreamingContext], ids=["real", "ours"])
def stopped(sc: SparkContext, request: pytest.FixtureRequest) -> Iterator[Stopped]:
    made = Stopped(request.param(sc, 1))
    yield made
    made.leave.set()
    made.ssc.stop(stopSparkContext=False)


def test_a_graceful_stop_runs_late_batches(stopped: Stopped) -> None:
    stopped.start(stopped.waits, [["a"], ["b"], ["c"]])
    stopped.stop(gracefully=True)
    stopped.stopper.join(0.5)
    assert stopped.stopper.is_alive()
    stopped.leave.set()
    stopped.join()
    expected = [
        seen
        for at, record in enumerate("abc", 1)
        for seen in (("first", at, [record]), ("second", at))
    ]
    assert stopped.ran[:6] == expected
    assert [seen[:2] for seen in stopped.ran[6:8]] in ([], [("first", 4.0), ("second", 4.0)])


def test_a_hard_stop_lets_the_running_batch_end(stopped: Stopped) -> None:
    stopped.start(stopped.waits, [["a"]])
    with patient_stops():
        stopped.stop(gracefully=False)
        stopped.leave.set()
        stopped.join()
    assert stopped.ran == [("first", 1.0, ["a"]), ("second", 1.0)]


def test_a_hard_stop_cancels_what_takes_longer(stopped: Stopped) -> None:
    def endless(at: Any, rdd: Any) -> None:
        stopped.entered.set()
        try:
            rdd.foreach(lambda _: threading.Event().wait(600))
        except Exception as error:
            stopped.ran.append(type(error).__name__)
            raise

    stopped.start(endless, [["a"], ["b"]])
    began = time.monotonic()
    stopped.stop(gracefully=False)
    stopped.join()
    while not stopped.ran:  # DStreams do not wait for the function
        assert time.monotonic() - began < 300, "600 s without being cancelled"
        threading.Event().wait(0.05)
    assert stopped.ran == ["Py4JJavaError"]
    stopped.ssc.sparkContext.cancelAllJobs()  # DStreams give up waiting, the task goes on


def test_a_stop_inside_an_output(stopped: Stopped) -> None:
    def stop_in_second(at: Any, rdd: Any) -> None:
        stopped.ran.append(("first", at.timestamp()))
        stopped.entered.set()
        if at.timestamp() == 2:
            stopped.ssc.stop(stopSparkContext=False)

    stopped.start(stop_in_second, [["a"]])
    ManualClock(stopped.ssc).advance(1)
    assert stopped.ssc.awaitTerminationOrTimeout(DEADLINE) is True
    ManualClock(stopped.ssc).advance(1)
    firsts = [seen for seen in stopped.ran if seen[0] == "first"]
    assert firsts == [("first", 1.0), ("first", 2.0)]
    assert ("second", 1.0) in stopped.ran
