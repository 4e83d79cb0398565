"""The times that listeners are told lie around what really happened, on both engines."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from tests.support.streaming.differential import DEADLINE

pytestmark = pytest.mark.slow

BATCHES = 4
WORK = 0.6
INTERVALS = "spark.streaming.clock"


def now() -> float:
    return time.time() * 1000


@pytest.fixture
def wall_clock(sc: SparkContext) -> Iterator[None]:
    """Let streaming go by the system's clock."""
    before = sc._conf.get(INTERVALS)
    assert before is not None
    sc._conf.set(INTERVALS, "org.apache.spark.util.SystemClock")
    yield
    sc._conf.set(INTERVALS, before)


def listener_of(engine: Any, told: dict[int, tuple[Any, float]], changed: Any) -> Any:
    class Listener(engine.StreamingListener):  # type: ignore[misc]
        def onBatchCompleted(self, batchCompleted: Any) -> None:
            info = batchCompleted.batchInfo()
            outputs = info.outputOperationInfos()
            known = {
                "start": info.processingStartTime(),
                "end": info.processingEndTime(),
                "submitted": info.submissionTime(),
                "scheduling": info.schedulingDelay(),
                "processing": info.processingDelay(),
                "total": info.totalDelay(),
                "outputs": [(outputs[n].startTime(), outputs[n].endTime()) for n in (0, 1)],
            }
            with changed:
                told[info.batchTime().milliseconds()] = known, now()
                changed.notify_all()

    return Listener()


@pytest.mark.parametrize("engine", [real, ours], ids=["real", "ours"])
def test_times_lie_around_the_outputs(sc: SparkContext, wall_clock: None, engine: Any) -> None:
    told: dict[int, tuple[Any, float]] = {}
    changed = threading.Condition()
    worked: dict[int, list[tuple[float, float]]] = {}

    def works(at: Any, rdd: Any) -> None:
        begun = now()
        rdd.count()
        end = time.monotonic() + WORK  # far longer than the interval: batches are late
        while time.monotonic() < end:
            threading.Event().wait(WORK)
        worked.setdefault(round(at.timestamp() * 1000), []).append((begun, now()))

    ssc = engine.StreamingContext(sc, 0.2)
    numbers = ssc.queueStream([[n] for n in range(BATCHES)])
    numbers.foreachRDD(works)
    numbers.foreachRDD(works)
    ssc.addStreamingListener(listener_of(engine, told, changed))
    ssc.start()
    try:
        with changed:
            assert changed.wait_for(lambda: len(told) >= BATCHES, DEADLINE)
    finally:
        ssc.stop(stopSparkContext=False)
    ticks = sorted(told)[:BATCHES]
    assert [b - a for a, b in pairwise(ticks)] == [200] * (BATCHES - 1)
    before = 0
    for tick in ticks:
        info, heard = told[tick]
        assert tick <= info["submitted"] <= info["start"]
        # DStreams note the start when they hear of it, which may be a little later.
        assert before <= info["start"] <= worked[tick][0][engine is real] + 1
        assert worked[tick][1][1] - 1 <= info["end"] <= heard + 1
        for (started, ended), (begun, done) in zip(info["outputs"], worked[tick], strict=True):
            assert engine is real or info["start"] <= started
            assert tick <= started <= begun + 1
            assert done - 1 <= ended <= info["end"]
        assert info["scheduling"] == info["start"] - info["submitted"]
        assert info["processing"] == info["end"] - info["start"] >= WORK * 1000
        assert info["total"] == info["scheduling"] + info["processing"]
        before = info["end"]
    delays = [told[tick][0]["scheduling"] for tick in ticks]
    # Each batch takes six intervals, so each one waits longer than the one before.
    assert all(later > earlier for earlier, later in pairwise(delays))
