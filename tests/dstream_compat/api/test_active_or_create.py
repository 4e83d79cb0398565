"""``getActiveOrCreate`` on both engines: the active context, a recovered or a new one."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE

pytestmark = pytest.mark.slow

CHANGED = threading.Condition()
DONE: list[float] = []
"""Batches of the running context; a checkpoint holds the output by name."""


def output(at: Any, rdd: Any) -> None:
    with CHANGED:
        DONE.append(at.timestamp())
        CHANGED.notify_all()


def never() -> Any:
    pytest.fail("setup must not be called")


def run_batch(ssc: Any, second: int) -> None:
    """Let a context, which stands at 0 s or where it was recovered, run up to a batch."""
    clock = ManualClock(ssc)
    clock.advance(second - clock.now())
    with CHANGED:
        assert CHANGED.wait_for(lambda: second in DONE, DEADLINE), DONE


def until(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline
        threading.Event().wait(0.05)


def is_saved(folder: Path) -> bool:
    """Whether a context can be recovered: DStreams write that after the first batch."""
    return any(folder.glob("checkpoint-*000")) or (folder / "dstream-compat" / "current").exists()


@pytest.mark.parametrize("engine", [real, ours], ids=["real", "ours"])
def test_three_ways(sc: SparkContext, tmp_path: Path, engine: Any) -> None:
    get, get_active = engine.StreamingContext.getActiveOrCreate, engine.StreamingContext.getActive
    folder, other = tmp_path / "checkpoint", tmp_path / "other"
    folder.mkdir()
    made: list[Any] = []

    def setup() -> Any:
        ssc = engine.StreamingContext(sc, 1)
        ssc.textFileStream(str(tmp_path)).foreachRDD(output)
        made.append(ssc)
        return ssc

    DONE.clear()
    ssc = get(str(folder), setup)
    assert made == [ssc]
    assert get_active() is None, "it is not started"
    ssc.start()
    assert get(str(folder), never) is get(str(other), never) is get(None, never) is ssc
    with pytest.raises(TypeError, match=r"setupFunc should be callable\."):
        get(str(folder), None)
    run_batch(ssc, 1)
    until(lambda: is_saved(folder))
    ssc.stop(stopSparkContext=False)
    assert not other.exists()
    assert get_active() is None

    again = get(str(folder), never)
    assert again is not ssc
    assert again.sparkContext is sc
    assert get_active() is None, "it is not started either"
    again.start()
    assert get(str(folder), never) is again
    run_batch(again, 2)
    again.stop(stopSparkContext=False)
    assert {1.0, 2.0} <= set(DONE)

    assert get(None, setup) is made[-1] and len(made) == 2, "without a folder it is a new one"
    made[-1].stop(stopSparkContext=False)
    assert get(str(other), setup) is made[-1] and len(made) == 3
    made[-1].stop(stopSparkContext=False)


@pytest.mark.parametrize("engine", [real, ours], ids=["real", "ours"])
def test_a_class_of_the_job_is_not_recovered(sc: SparkContext, tmp_path: Path, engine: Any) -> None:
    """A recovered context is Spark's own, whatever the arguments of the job's class are."""

    class Own(engine.StreamingContext):  # type: ignore[misc, name-defined]
        def __init__(self, folder: Path) -> None:
            super().__init__(sc, 1)
            self.textFileStream(str(folder)).foreachRDD(output)

    folder = tmp_path / "checkpoint"
    folder.mkdir()
    DONE.clear()
    ssc = Own.getOrCreate(str(folder), lambda: Own(tmp_path))
    assert type(ssc) is Own
    ssc.start()
    run_batch(ssc, 1)
    until(lambda: is_saved(folder))
    ssc.stop(stopSparkContext=False)
    again = Own.getOrCreate(str(folder), never)
    assert type(again) is engine.StreamingContext
    again.start()
    run_batch(again, 2)
    again.stop(stopSparkContext=False)
