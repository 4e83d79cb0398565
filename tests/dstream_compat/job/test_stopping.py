"""Stopping a StreamingContext: by whom, when, and what of the running batches still ends."""

from __future__ import annotations

import logging
import threading
import time
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from tests.support.streaming.contexts import MakeContext, advance, stop_gracefully, stop_hard
from tests.support.streaming.differential import DEADLINE, Recorder
from tests.support.streaming.settings import setting

pytestmark = pytest.mark.slow


def test_stop_from_inside_an_output(make: MakeContext) -> None:
    ssc = make()
    times: list[float] = []

    def stop_in_second(time: Any, rdd: Any) -> None:
        times.append(time.timestamp())
        if len(times) == 2:
            ssc.stop(stopSparkContext=False)

    ssc.queueStream([[1]]).foreachRDD(stop_in_second)
    ssc.start()
    advance(ssc)
    advance(ssc)
    assert ssc.awaitTerminationOrTimeout(DEADLINE) is True
    assert times == [1.0, 2.0]


def test_stop_from_another_thread(make: MakeContext) -> None:
    ssc, recorder = make(), Recorder()
    ssc.queueStream([[1]]).foreachRDD(recorder.last())
    ssc.start()
    stopper = threading.Thread(target=ssc.stop, kwargs={"stopSparkContext": False})
    stopper.start()
    assert ssc.awaitTerminationOrTimeout(DEADLINE) is True
    stopper.join(DEADLINE)
    assert not stopper.is_alive()


def test_graceful_stop_lets_the_running_batch_end(make: MakeContext) -> None:
    ssc = make()
    entered, leave = threading.Event(), threading.Event()
    finished: list[str] = []

    def slow(rdd: Any) -> None:
        entered.set()
        assert leave.wait(DEADLINE)
        finished.extend(rdd.collect())

    stream = ssc.queueStream([["a"]])
    stream.foreachRDD(slow)
    stream.foreachRDD(lambda rdd: finished.append("next output"))
    ssc.start()
    advance(ssc)
    assert entered.wait(DEADLINE)
    stop_gracefully(ssc, leave)
    assert finished[:2] == ["a", "next output"]


def test_hard_stop_gives_the_running_batch_time_to_end(make: MakeContext) -> None:
    ssc = make()
    entered, leave = threading.Event(), threading.Event()
    ran: list[str] = []

    def first(rdd: Any) -> None:
        entered.set()
        assert leave.wait(DEADLINE)
        ran.append("first")

    stream = ssc.queueStream([["a"]])
    stream.foreachRDD(first)
    stream.foreachRDD(lambda rdd: ran.append("second"))
    ssc.start()
    advance(ssc, 2)
    assert entered.wait(DEADLINE)
    stop_hard(ssc, leave)
    assert ran == ["first", "second"], "the late second interval is dropped"


def test_hard_stop_drops_queued_batches(sc: SparkContext, make: MakeContext) -> None:
    ssc = make()
    entered, leave = threading.Event(), threading.Event()
    ran: list[list[Any]] = []

    def slow(rdd: Any) -> None:
        records = rdd.collect()
        entered.set()
        assert leave.wait(DEADLINE)
        ran.append(records)

    ssc.queueStream([["a"], ["b"], ["c"]]).foreachRDD(slow)
    with setting(sc, "spark.streaming.compat.maxIntervals", "1"):
        ssc.start()
    advance(ssc)
    assert entered.wait(DEADLINE)
    advance(ssc, 2)
    stop_hard(ssc, leave)
    assert ran == [["a"]]


def test_hard_stop_drops_the_rest_of_the_batch(make: MakeContext) -> None:
    ssc = make()
    entered = threading.Event()
    outcome: list[Any] = []

    def endless(rdd: Any) -> None:
        entered.set()
        try:
            rdd.foreach(lambda _: threading.Event().wait(600))
        except Exception as error:
            outcome.append(type(error).__name__)
            raise

    stream = ssc.queueStream([["a"]])
    stream.foreachRDD(endless)
    stream.foreachRDD(lambda rdd: outcome.append("next output"))
    ssc.start()
    advance(ssc)
    assert entered.wait(DEADLINE)
    begun = time.monotonic()
    ssc.stop(stopSparkContext=False)
    # two seconds to end by itself, and no patience beyond that
    assert 2 <= time.monotonic() - begun < 120
    assert outcome == ["Py4JJavaError"]
    assert ssc.awaitTerminationOrTimeout(0) is True


def test_stop_while_starting(make: MakeContext) -> None:
    ssc = make()
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    starter = threading.Thread(target=ssc.start)
    starter.start()
    while ssc._job is None:
        starter.join(0.01)
    ssc.stop(stopSparkContext=False)
    starter.join(DEADLINE)
    assert not starter.is_alive()
    assert ssc.awaitTerminationOrTimeout(DEADLINE) is True
    assert StreamingContext.getActive() is None


def test_a_graceful_stop_waits_no_longer_than_it_is_told(
    sc: SparkContext, make: MakeContext, caplog: pytest.LogCaptureFixture
) -> None:
    """What runs at that time ends, what has not begun is dropped."""
    ssc = make()
    entered, leave = threading.Event(), threading.Event()
    ran: list[list[Any]] = []

    def slow(rdd: Any) -> None:
        entered.set()
        assert leave.wait(DEADLINE)
        ran.append(rdd.collect())

    ssc.queueStream([["a"], ["b"], ["c"]]).foreachRDD(slow)
    with (
        setting(sc, "spark.streaming.gracefulStopTimeout", "100ms"),
        setting(sc, "spark.streaming.compat.maxIntervals", "1"),
    ):
        ssc.start()
    advance(ssc, 3)
    assert entered.wait(DEADLINE)
    with caplog.at_level(logging.WARNING):
        stopper = threading.Thread(target=ssc.stop, args=(False, True))
        stopper.start()
        deadline = time.monotonic() + 60
        while "did not end within 0.1 s" not in caplog.text:
            assert time.monotonic() < deadline
            stopper.join(0.01)
    assert ssc._job is not None
    while not ssc._job.scheduler.halted:
        assert time.monotonic() < deadline
        stopper.join(0.01)
    leave.set()
    stopper.join(DEADLINE)
    assert not stopper.is_alive()
    assert ran == [["a"]]
    assert ssc.awaitTerminationOrTimeout(0) is True
