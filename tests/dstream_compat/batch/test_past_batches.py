"""Past batches: `slice` of remembered ones, and failed ones that a recovery runs again."""

from __future__ import annotations

import threading
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.exceptions import StreamingStateError
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE, Recorder
from tests.support.streaming.lives import (
    CHANGED,
    pair,
    put,
    running,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("late", [False, True], ids=["prompt", "late"])
def test_slice_same_as_dstreams(sc: SparkContext, late: bool) -> None:
    found = []
    for engine in (real, ours):
        ssc = engine.StreamingContext(sc, 1)
        ssc.remember(4)
        numbers = ssc.queueStream([[1, 2], [3], [4], [5, 6], [7]])
        doubled = numbers.map(lambda n: n * 2)
        windows = doubled.window(2, 2).transform(lambda rdd: rdd.map(str))
        recorder = Recorder()
        windows.foreachRDD(lambda rdd: None)
        doubled.foreachRDD(recorder.last())
        ssc.start()
        try:
            clock = ManualClock(ssc)
            if late and engine is ours:
                clock.advance(5)
            else:
                for number in range(1, 6):
                    clock.advance(1)
                    recorder.wait(number)
            recorder.wait(5)
            begin = datetime.fromtimestamp(3)
            second = timedelta(seconds=1)
            slices = [
                numbers.slice(begin, begin + 2 * second),
                doubled.slice(3, 5),
                doubled.slice(begin + second, begin + second),
                windows.slice(begin, begin + second),
                doubled.slice(5, 4),
                doubled.slice(-4.5, 0),
            ]
            found.append([[sorted(rdd.collect()) for rdd in rdds] for rdds in slices])
            # DStreams compute later batches in advance: nothing is left for them
            for begin, end in ((3, 6), (2.5, 8.2), (6, 9)):
                rdds = doubled.slice(begin, end)
                found[-1].append([sorted(rdd.collect()) for rdd in rdds if not rdd.isEmpty()])
        finally:
            ssc.stop(stopSparkContext=False)
    assert found[1] == found[0]
    assert found[0][0] == [[4], [5, 6], [7]]
    assert found[0][-3:] == [[[8], [10, 12], [14]], [[6], [8], [10, 12], [14]], []]


def test_slice_refuses_what_is_not_there(ssc: ours.StreamingContext) -> None:
    numbers, recorder = ssc.queueStream([[1], [2], [3]]), Recorder()
    unused = numbers.map(str)
    numbers.foreachRDD(recorder.last())
    with pytest.raises(StreamingStateError, match="has not been initialized"):
        numbers.slice(1, 1)
    ssc.remember(2)
    with pytest.raises(StreamingStateError, match="already set as 2000 ms"):
        ssc.remember(4)
    ssc.start()
    ManualClock(ssc).advance(3)
    recorder.wait(3)
    assert [rdd.collect() for rdd in numbers.slice(2, 3)] == [[2], [3]]
    assert numbers.slice(-5, 0) == []
    with pytest.raises(StreamingStateError, match="map has not been initialized"):
        unused.slice(2, 3)
    with pytest.raises(StreamingStateError, match=r"1000 ms is not remembered.*asked for 2 s"):
        numbers.slice(1, 3)
    assert [rdd.collect() for rdd in numbers.slice(3, 4)] == [[3]], "4 s has not begun"


def test_slice_waits_for_batches_that_are_due(ssc: ours.StreamingContext) -> None:
    numbers, go_on, held = ssc.queueStream([[1], [2], [3]]), threading.Event(), threading.Event()

    def hold(rdd: Any) -> None:
        held.set()
        assert go_on.wait(DEADLINE)

    numbers.foreachRDD(hold)
    ssc.remember(60)
    ssc.start()
    clock = ManualClock(ssc)
    clock.advance(1)
    assert held.wait(DEADLINE)
    clock.advance(2)
    timer = threading.Timer(0.2, go_on.set)
    timer.start()
    try:
        assert [rdd.collect() for rdd in numbers.slice(1, 9)] == [[1], [2], [3]]
    finally:
        go_on.set()
        timer.join()


def test_slice_without_remember(ssc: ours.StreamingContext) -> None:
    numbers, recorder = ssc.queueStream([[1], [2]]), Recorder()
    numbers.foreachRDD(recorder.last())
    ssc.start()
    ManualClock(ssc).advance(1)
    recorder.wait(1)
    with pytest.raises(StreamingStateError, match=r"Call ssc\.remember\(seconds\) before"):
        numbers.slice(1, 1)
    ssc.remember(5)
    ManualClock(ssc).advance(1)
    recorder.wait(2)
    assert [rdd.collect() for rdd in numbers.slice(2, 2)] == [[2]]
    with pytest.raises(StreamingStateError, match=r"1000 ms is not remembered"):
        numbers.slice(1, 2)


def test_remember_after_the_start(ssc: ours.StreamingContext) -> None:
    """Streams that nothing but an operator reads are not there: nobody had asked for them."""
    numbers, recorder = ssc.queueStream([[1], [2]]), Recorder()
    doubled = numbers.map(lambda n: 2 * n)
    doubled.foreachRDD(recorder.last())
    ssc.start()
    ssc.remember(5)
    ManualClock(ssc).advance(1)
    recorder.wait(1)
    assert [rdd.collect() for rdd in doubled.slice(1, 1)] == [[2]]
    with pytest.raises(StreamingStateError, match=r"output of their own.*queueStream has none"):
        numbers.slice(1, 1)


# Failed batches. A checkpoint holds these functions by name.

LOG: list[tuple[str, float, list[Any]]] = []
FAILING: dict[str, set[float]] = {}


def log(name: str, at: datetime, rdd: Any) -> None:
    records = sorted(rdd.collect())
    with CHANGED:
        LOG.append((name, at.timestamp(), records))
        CHANGED.notify_all()
    if at.timestamp() in FAILING.get(name, ()):
        raise OSError("the database is down")


def first_output(at: datetime, rdd: Any) -> None:
    log("first", at, rdd)


def last_output(at: datetime, rdd: Any) -> None:
    log("last", at, rdd)


def wait_for_last(at: float) -> None:
    with CHANGED:
        assert CHANGED.wait_for(
            lambda: any(name == "last" and seen == at for name, seen, _ in LOG), DEADLINE
        ), LOG


def two_lives(engine: Any, sc: SparkContext, place: Path) -> list[tuple[str, float, list[Any]]]:
    """Run three batches of which the second fails; recover twice, the first time failing again."""
    folder, checkpoint = place / "in", str(place / "checkpoint")
    folder.mkdir(parents=True)

    def setup() -> Any:
        ssc = engine.StreamingContext(sc, 1)
        ssc.checkpoint(checkpoint)
        lines = ssc.textFileStream(str(folder))
        lines.map(pair).updateStateByKey(running).foreachRDD(first_output)
        lines.foreachRDD(last_output)
        return ssc

    LOG.clear()
    for life, seconds in enumerate(([1, 2, 3], [4], [5])):
        FAILING.update(first={3.0}, last={2.0} if life < 2 else set())
        ssc = engine.StreamingContext.getOrCreate(checkpoint, setup)
        ssc.start()
        for second in seconds:
            put(folder, second - 0.5, "abc"[second % 3])
            ManualClock(ssc).advance_to(second)
            wait_for_last(second)
        deadline = time.monotonic() + DEADLINE
        while not settled(ssc) and time.monotonic() < deadline:
            threading.Event().wait(0.05)
        ssc.stop(stopSparkContext=False)
    return list(LOG)


def settled(ssc: Any) -> bool:
    """Whether the checkpoint of the last batch is written: DStreams do it afterwards."""
    if hasattr(ssc, "_clock"):
        ssc._job.scheduler.await_committed(round(ManualClock(ssc).now() * 1000), lambda: None)
        return True
    return ssc.awaitTerminationOrTimeout(0.5) is False


def test_remember_after_the_start_is_saved(sc: SparkContext, tmp_path: Path) -> None:
    folder, checkpoint = tmp_path / "in", str(tmp_path / "checkpoint")
    folder.mkdir()

    def setup() -> ours.StreamingContext:
        made = ours.StreamingContext(sc, 1)
        made.checkpoint(checkpoint)
        made.textFileStream(str(folder)).foreachRDD(last_output)
        return made

    LOG.clear()
    FAILING.clear()
    ssc = ours.StreamingContext.getOrCreate(checkpoint, setup)
    ssc.start()
    ssc.remember(60)
    put(folder, 0.5, "a")
    ManualClock(ssc).advance_to(1)
    wait_for_last(1)
    assert settled(ssc)
    ssc.stop(stopSparkContext=False)
    again = ours.StreamingContext.getOrCreate(checkpoint, setup)
    with pytest.raises(StreamingStateError, match="already set as 60000 ms"):
        again.remember(4)
    again.stop(stopSparkContext=False)


def test_failed_batches_run_again_first(sc: SparkContext, tmp_path: Path) -> None:
    ours_log = two_lives(ours, sc, tmp_path / "ours")
    assert [(name, at) for name, at, _ in ours_log] == [
        *[(name, at) for at in (1.0, 2.0, 3.0) for name in ("first", "last")],
        *[(name, at) for at in (2.0, 4.0) for name in ("first", "last")],
        *[(name, at) for at in (2.0, 5.0) for name in ("first", "last")],
    ], "batch 3 is done: its last output succeeded"
    by_batch: dict[tuple[str, float], list[list[Any]]] = {}
    for name, at, records in ours_log:
        by_batch.setdefault((name, at), []).append(records)
    assert by_batch["first", 2.0] == [[("b", 1), ("c", 1)]] * 3
    assert by_batch["last", 2.0] == [["c"]] * 3
    assert by_batch["first", 5.0] == [[("a", 1), ("b", 2), ("c", 2)]]
