"""Lives of a job whose graph is rebuilt by its code."""

from __future__ import annotations

import functools
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.lives import CHANGED, put

REBUILD = "spark.streaming.compat.rebuildGraph"


SEEN: list[tuple[str, float, list[Any]]] = []


Define = Callable[[Any], None]


def record(name: str, at: datetime, rdd: Any) -> None:
    records = sorted(rdd.collect())
    with CHANGED:
        SEEN.append((name, at.timestamp(), records))
        CHANGED.notify_all()


def see(name: str) -> Callable[[datetime, Any], None]:
    return functools.partial(record, name)  # saved by its name, without what it closes over


def wait_for_totals(second: int) -> None:
    with CHANGED:
        assert CHANGED.wait_for(
            lambda: any(name == "totals" and at == second for name, at, _ in SEEN), DEADLINE
        ), SEEN


def live(sc: SparkContext, place: Path, define: Define | None, second: int, text: str) -> None:
    """Run one batch, whose input is a line, after all batches before it."""
    (place / "in").mkdir(exist_ok=True)

    def setup() -> StreamingContext:
        assert define is not None, "setup is not to be called"
        made = StreamingContext(sc, 1)
        made.checkpoint(str(place / "checkpoint"))
        define(made.textFileStream(str(place / "in")))
        return made

    ssc = StreamingContext.getOrCreate(str(place / "checkpoint"), setup)
    try:
        ssc.start()
        put(place / "in", second - 0.5, text)
        ManualClock(ssc).advance_to(second)
        wait_for_totals(second)
        assert ssc._job is not None
        # a batch that is not committed would run again, with the new code
        ssc._job.scheduler.await_committed(second * 1000, lambda: None)
    finally:
        ssc.stop(stopSparkContext=False)


def count_up(key: Any, value: Any, state: Any) -> Any:
    if not state.isTimingOut():
        state.update((state.getOption() or 0) + 1)
    return key, state.get()
