"""``spark.streaming.concurrentJobs``: outputs of one batch run at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.batch.output_pool import OutputPool
from dstream_compat.exceptions import BatchFailedError
from dstream_compat.testing import ManualClock
from tests.support.streaming.stepwise import DEADLINE, Run

SETTING = "spark.streaming.concurrentJobs"


@pytest.fixture
def two_at_once(sc: SparkContext) -> Iterator[None]:
    conf: Any = sc._jsc.sc().conf()
    conf.set(SETTING, "2")
    yield
    conf.remove(SETTING)


@pytest.mark.slow
def test_two_outputs_meet(sc: SparkContext, two_at_once: None) -> None:
    meeting = threading.Barrier(2, timeout=DEADLINE)
    found: list[Any] = []

    def meet(rdd: Any) -> None:
        records = rdd.map(lambda x: x + 1).collect()
        meeting.wait()
        found.append((records, threading.get_ident(), rdd.context.getLocalProperty("mine")))

    with Run(sc) as run:
        source = run.ssc.queueStream([[1, 2], [3]])
        source.foreachRDD(meet)
        source.map(lambda x: 10 * x).foreachRDD(meet)
        run.start()
        run.advance()
        run.advance()
    assert sorted(records for records, _, _ in found) == [[2, 3], [4], [11, 21], [31]]
    assert len({thread for _, thread, _ in found[:2]}) == 2


@pytest.mark.slow
def test_an_output_fails_beside_another(sc: SparkContext, two_at_once: None) -> None:
    with Run(sc) as run:
        source = run.ssc.queueStream([[1, 2], [3]])
        source.map(lambda x: 1 // (x - 2)).foreachRDD(lambda rdd: rdd.collect())
        run.keep("plain", source)
        run.start()
        run.advance()
        with pytest.raises(BatchFailedError, match="ZeroDivisionError"):
            run.ssc.awaitTerminationOrTimeout(60)
        run.advance()
        run.advance()  # batches follow each other, so the one before has ended
        assert run.batches("plain")[:2] == [[1, 2], [3]]


@pytest.mark.slow
def test_stop_inside_an_output(sc: SparkContext, two_at_once: None) -> None:
    with Run(sc) as run:
        source = run.ssc.queueStream([[1]])
        source.foreachRDD(lambda rdd: run.ssc.stop(stopSparkContext=False))
        source.foreachRDD(lambda rdd: rdd.count())
        run.start()
        ManualClock(run.ssc).advance(1)
        assert run.ssc.awaitTerminationOrTimeout(DEADLINE)


def test_one_at_a_time_is_the_callers_thread(sc: SparkContext) -> None:
    order: list[Any] = []
    pool = OutputPool(sc, 1)
    pool.run([lambda n=n: order.append((n, threading.get_ident())) for n in range(3)])  # type: ignore[misc]
    assert order == [(n, threading.get_ident()) for n in range(3)]


def test_an_exception_ends_what_was_not_begun(sc: SparkContext) -> None:
    begun: list[int] = []

    def call(number: int) -> None:
        begun.append(number)
        raise KeyError(number)

    with pytest.raises(KeyError):
        OutputPool(sc, 2).run([lambda n=n: call(n) for n in range(50)])  # type: ignore[misc]
    assert len(begun) < 50
