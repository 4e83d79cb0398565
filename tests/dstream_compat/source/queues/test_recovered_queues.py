"""Queues that survive a recovery, with their partitions."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.checkpoints import never
from tests.support.streaming.differential import Recorder

pytestmark = [pytest.mark.slow, pytest.mark.full]

BATCHES = 4
RECORDER = Recorder()
FOUND: dict[tuple[str, float], Any] = {}

# A checkpoint holds these by name.


def one_by_one(at: datetime, rdd: Any) -> None:
    note("one by one", at, rdd)


def all_at_once(at: datetime, rdd: Any) -> None:
    note("all at once", at, rdd)


def all_at_once_and_default(at: datetime, rdd: Any) -> None:
    note("all at once, default", at, rdd)


def last(at: datetime, rdd: Any) -> None:
    RECORDER.last()(at, rdd)


def note(name: str, at: datetime, rdd: Any) -> None:
    found = rdd.glom().collect()
    assert FOUND.setdefault((name, at.timestamp()), found) == found  # what runs again is the same


def define(sc: SparkContext, folder: Path | None) -> StreamingContext:
    ssc = StreamingContext(sc, 1)
    if folder is not None:
        ssc.checkpoint(str(folder))
    squares = sc.parallelize(range(5), 2).map(lambda n: n * n)
    items: list[Any] = [squares, sc.emptyRDD(), sc.parallelize("ab", 2)]
    default: Any = sc.parallelize(range(10, 15), 4)
    ssc.queueStream(items[:2], default=default).foreachRDD(one_by_one)
    ssc.queueStream(items, oneAtATime=False).foreachRDD(all_at_once)
    ssc.queueStream(items, False, default).foreachRDD(all_at_once_and_default)
    ssc.queueStream([[]]).foreachRDD(last)
    return ssc


def run(ssc: StreamingContext, first: int, until: int) -> None:
    RECORDER.forget()
    ssc.start()
    clock = ManualClock(ssc)
    try:
        for number in range(first, until + 1):
            clock.advance(1)
            RECORDER.wait(number)
    finally:
        ssc.stop(stopSparkContext=False)


def test_partitions_are_those_of_an_uninterrupted_run(sc: SparkContext, tmp_path: Path) -> None:
    FOUND.clear()
    run(define(sc, None), 1, BATCHES)
    expected = dict(FOUND)
    assert [len(expected["one by one", at]) for at in (1, 2, 3, 4)] == [2, 0, 4, 4]
    assert [len(expected["all at once", at]) for at in (1, 2)] == [4, 1]
    FOUND.clear()
    run(define(sc, tmp_path), 1, 1)
    run(StreamingContext.getOrCreate(str(tmp_path), never), 2, BATCHES)
    assert expected == FOUND


FAILURES: dict[float, str] = {}


def note_failure(at: datetime, rdd: Any) -> None:
    try:
        FAILURES[at.timestamp()] = str(rdd.collect())
    except Exception as error:
        FAILURES[at.timestamp()] = str(error)
        raise


def test_what_could_not_be_read_is_named(
    sc: SparkContext, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In the process that was given it, it fails as without a checkpoint."""
    FAILURES.clear()
    ssc = StreamingContext(sc, 1)
    ssc.checkpoint(str(tmp_path))
    good, bad = sc.parallelize([1], 1), sc.parallelize([0], 1).map(lambda n: 1 // n)
    ssc.queueStream([good, bad, good, bad, good], default=bad).foreachRDD(note_failure)
    ssc.queueStream([[]]).foreachRDD(last)
    run(ssc, 1, 2)
    assert FAILURES[1] == "[1]"
    assert "ZeroDivisionError" in FAILURES[2]
    assert "recovery" not in FAILURES[2]
    assert "item 1 of a queueStream, counted from 0, cannot be read" in caplog.text
    run(StreamingContext.getOrCreate(str(tmp_path), never), 3, 6)
    assert [FAILURES[at] for at in (3, 5)] == ["[1]"] * 2
    named = "item 3 of a queueStream, counted from 0, is an RDD that could not be read"
    assert named in FAILURES[4]
    assert "ZeroDivisionError" in FAILURES[4]
    assert "the default of a queueStream is an RDD that could not be read" in FAILURES[6]
    assert "item 3 of a queueStream, counted from 0, is lost: ZeroDivisionError" in caplog.text
