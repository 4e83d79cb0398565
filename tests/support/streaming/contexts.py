"""Contexts of the tests of life cycles: made by a fixture, which stops what a test left running."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.job import job, query_run
from dstream_compat.lifecycle import Phase
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE

MakeContext = Callable[[], StreamingContext]


def advance(ssc: StreamingContext, intervals: int = 1) -> None:
    """Let intervals of one second pass."""
    ManualClock(ssc).advance(intervals)


@contextmanager
def patient_stops() -> Iterator[None]:
    """Let a hard stop wait longer for a running batch than the two seconds that users wait."""
    with patch.object(query_run, "GRACE_SECONDS", 60.0), patch.object(job, "GRACE_SECONDS", 60.0):
        yield


def stop_hard(ssc: StreamingContext, leave: threading.Event) -> None:
    """Stop a context, and let its running output end as soon as it knows."""
    stopper = threading.Thread(target=ssc.stop, args=(False,))
    with patient_stops():
        stopper.start()
        assert ssc._job is not None
        assert ssc._life.wait_for(Phase.HALTING, DEADLINE)
        leave.set()
        stopper.join(DEADLINE)
    assert not stopper.is_alive()


def stop_gracefully(ssc: StreamingContext, leave: threading.Event | None = None) -> None:
    """Stop a context that drains, and let its running output and then the last interval end."""
    stopper = threading.Thread(target=ssc.stop, args=(False, True))
    stopper.start()
    assert ssc._job is not None
    deadline = time.monotonic() + DEADLINE
    while ssc._job.scheduler._until is None:
        assert time.monotonic() < deadline
        stopper.join(0.01)
    if leave is not None:
        leave.set()
    advance(ssc)
    stopper.join(DEADLINE)
    assert not stopper.is_alive()


@contextmanager
def without_checkpoint_directory(sc: SparkContext) -> Iterator[None]:
    """Take the folder away that all tests share."""
    spark, jvm = sc._jsc.sc(), sc._jvm
    assert jvm is not None
    folder = spark.checkpointDir()
    set_folder = getattr(spark, "checkpointDir_$eq")
    set_folder(jvm.scala.Option.empty())
    try:
        yield
    finally:
        set_folder(folder)
