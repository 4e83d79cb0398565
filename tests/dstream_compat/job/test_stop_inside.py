"""A stop that an output calls: it returns, and what it promises still happens."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from tests.support.streaming.contexts import MakeContext, advance
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.processes import our_frames, run_job
from tests.support.streaming.settings import setting
from tests.support.streaming.sockets import Server, server, socket_source  # noqa: F401  (a fixture)
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

Define = Callable[[Any], Any]


def running(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


STREAMS: dict[str, Define] = {
    "plain": lambda stream: stream,
    "behind": lambda stream: (
        stream.transform(lambda rdd: rdd.map(lambda n: (n % 2, n)))
        .updateStateByKey(running)
        .map(lambda pair: pair[1])
    ),
}


@pytest.mark.parametrize(
    ("where", "jobs"),
    [
        ("plain", "2"),
        ("behind", "1"),
        pytest.param("plain", "1", marks=pytest.mark.full),
        pytest.param("behind", "2", marks=pytest.mark.full),
    ],
)
def test_a_graceful_stop_returns_and_drains(
    sc: SparkContext, make: MakeContext, where: str, jobs: str
) -> None:
    ssc = make()
    seen: list[tuple[str, float, Any]] = []
    returned = threading.Event()

    def stops(time: Any, rdd: Any) -> None:
        if time.timestamp() == 1:
            ssc.stop(False, True)
            returned.set()
        assert returned.wait(DEADLINE)
        seen.append(("first", time.timestamp(), sorted(rdd.collect())))

    stream = STREAMS[where](ssc.queueStream([[1], [2], [3]]))
    stream.foreachRDD(stops)
    stream.foreachRDD(lambda time, rdd: seen.append(("second", time.timestamp(), rdd.count())))
    with ExitStack() as settings:
        settings.enter_context(setting(sc, "spark.streaming.compat.maxIntervals", "1"))
        settings.enter_context(setting(sc, "spark.streaming.concurrentJobs", jobs))
        ssc.start()
    advance(ssc, 3)
    assert returned.wait(DEADLINE)
    while not ssc.awaitTerminationOrTimeout(0.1):
        advance(ssc)
    firsts = [(at, records) for name, at, records in seen if name == "first"]
    totals = {"plain": [[1], [2], [3]], "behind": [[1], [1, 2], [2, 4]]}[where]
    assert firsts[:3] == [(float(at), records) for at, records in enumerate(totals, 1)]
    assert [at for name, at, _ in seen if name == "second"][:3] == [1.0, 2.0, 3.0]
    assert StreamingContext.getActive() is None


def test_a_graceful_stop_takes_what_was_received(
    sc: SparkContext,
    make: MakeContext,
    server: Server,  # noqa: F811
) -> None:
    ssc = make()
    seen: list[list[str]] = []
    entered, go_on = threading.Event(), threading.Event()

    def stops(rdd: Any) -> None:
        if not entered.is_set():
            entered.set()
            assert go_on.wait(DEADLINE)
            ssc.stop(False, True)
        seen.append(rdd.collect())

    ssc.socketTextStream("127.0.0.1", server.port).foreachRDD(stops)
    ssc.start()
    source = socket_source(ssc)
    server.accept()
    server.send(b"one\n")
    wait_for(lambda: source.count_received() == 1)
    advance(ssc)
    assert entered.wait(DEADLINE)
    server.send(b"two\nthree\n")
    wait_for(lambda: source.count_received() == 2)
    go_on.set()
    while not ssc.awaitTerminationOrTimeout(0.1):
        advance(ssc)
    assert seen[:2] == [["one"], ["two", "three"]]


@pytest.mark.full
@pytest.mark.parametrize("how", ["plain", "graceful"])
def test_the_spark_context_may_be_stopped_too(how: str) -> None:
    done = run_job("stops_itself", how)
    assert done.code == 0, done.err[-3000:]
    assert done.out.splitlines() == ["first [1, 2]", "stop returned", "second [1, 2]", "the end"]
    assert our_frames(done.err) == []
