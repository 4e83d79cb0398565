"""Jobs that read streaming DataFrames, stopped and recovered."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession

from dstream_compat import DStream, StreamingContext
from dstream_compat.exceptions import CheckpointError
from dstream_compat.intervals.scheduler import Scheduler
from dstream_compat.testing import ManualClock
from tests.support.streaming.contexts import stop_gracefully
from tests.support.streaming.dataframe_fixtures import *  # noqa: F403
from tests.support.streaming.dataframe_fixtures import Folder
from tests.support.streaming.settings import setting
from tests.support.streaming.stepwise import DEADLINE

pytestmark = pytest.mark.slow

REBUILD = "spark.streaming.compat.rebuildGraph"
TOTALS: dict[int, Any] = {}
CHANGED = threading.Condition()


def keep_totals(time: datetime, rdd: Any) -> None:
    with CHANGED:
        TOTALS[round(time.timestamp())] = sorted(rdd.collect())
        CHANGED.notify_all()


def live(setup: Any, checkpoint: str, second: int, gracefully: bool = False) -> None:
    """Continue a job, or begin it, and run it until the batch of a second."""
    ssc = StreamingContext.getOrCreate(checkpoint, setup)
    try:
        ssc.start()
        clock = ManualClock(ssc)
        clock.advance(second - clock.now())
        with CHANGED:
            assert CHANGED.wait_for(lambda: second in TOTALS, DEADLINE), TOTALS
        if gracefully:
            stop_gracefully(ssc)
    finally:
        ssc.stop(False)


def test_a_recovered_job_needs_its_code(
    sc: SparkContext, spark: SparkSession, folder: Folder, tmp_path: Path
) -> None:
    checkpoint = str(tmp_path / "checkpoint")
    TOTALS.clear()

    def setup() -> StreamingContext:
        ssc = StreamingContext(sc, 1)
        words = DStream.from_dataframe(folder.frame(spark), ssc).map(lambda row: (row.word, 1))
        words.updateStateByKey(lambda new, old: (old or 0) + sum(new)).foreachRDD(keep_totals)
        return ssc

    folder.put((1, "a", 1))
    live(setup, checkpoint, 1)
    folder.put((1, "a", 1), (1, "b", 1))
    with pytest.raises(CheckpointError, match=REBUILD):
        live(setup, checkpoint, 2)
    with setting(sc, REBUILD, "true"):
        live(setup, checkpoint, 2)
    assert TOTALS == {1: [("a", 1)], 2: [("a", 2), ("b", 1)]}


@pytest.mark.parametrize("gracefully", [False, True], ids=["hard", "gracefully"])
def test_rows_that_come_during_a_stop(
    sc: SparkContext,
    spark: SparkSession,
    folder: Folder,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    gracefully: bool,
) -> None:
    """Spark must not log a micro-batch of theirs: there is no interval for it."""
    checkpoint = tmp_path / "checkpoint"
    halt = Scheduler.halt
    halted = threading.Event()
    TOTALS.clear()

    def setup() -> StreamingContext:
        ssc = StreamingContext(sc, 1)
        ssc.checkpoint(str(checkpoint))
        words = DStream.from_dataframe(folder.frame(spark), ssc).map(lambda row: (row.word, 1))
        words.updateStateByKey(lambda new, old: (old or 0) + sum(new)).foreachRDD(keep_totals)
        return ssc

    def rows_come(scheduler: Scheduler) -> None:
        halt(scheduler)
        if not halted.is_set():
            halted.set()
            folder.put((1, "b", 1))
            logged = f"dstream-compat/run-*/query/offsets/{1 + gracefully}"
            end = time.monotonic() + 2
            while not list(checkpoint.glob(logged)) and time.monotonic() < end:
                time.sleep(0.05)

    monkeypatch.setattr(Scheduler, "halt", rows_come)
    folder.put((1, "a", 1))
    with setting(sc, REBUILD, "true"):
        live(setup, str(checkpoint), 1, gracefully)
        assert halted.is_set()
        live(setup, str(checkpoint), 3)
    assert TOTALS[1] == [("a", 1)]
    assert TOTALS[3] == [("a", 1), ("b", 1)]
