"""What a hard stop has cut off runs again after a recovery, whatever its functions made of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.exceptions import QueryFailedError
from dstream_compat.source.queues.source import QueueInput
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE, START

pytestmark = pytest.mark.slow

SEEN: list[tuple[str, float, list[Any]]] = []
HELD: set[tuple[str, float]] = set()
"""Where functions wait until the stop has cut them off."""
FAILING: set[tuple[str, float]] = set()
CHANGED = threading.Condition()
WORDS = [["a"], ["b", "a"], ["c"]]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    for each in (SEEN, HELD, FAILING):
        each.clear()
    yield


def note(name: str, at: datetime, rdd: Any) -> Any:
    second = at.timestamp() - START
    records = sorted(rdd.collect())
    with CHANGED:
        SEEN.append((name, second, records))
        CHANGED.notify_all()
    if (name, second) in HELD:
        wait_for_the_stop(rdd)
    if (name, second) in FAILING:
        raise OSError("the database is down")
    return rdd


def wait_for_the_stop(rdd: Any) -> None:
    """Run a job that is only ended by being cancelled, and think nothing of that."""
    try:
        rdd.context.parallelize([0], 1).foreach(lambda _: threading.Event().wait(DEADLINE))
    except Exception:
        return
    raise AssertionError("it was not cancelled")


def total(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def plain(words: Any) -> None:
    words.foreachRDD(lambda at, rdd: note("words", at, rdd) and None)


def behind(words: Any) -> None:
    pairs = words.transform(lambda at, rdd: note("transform", at, rdd).map(lambda word: (word, 1)))
    totals = pairs.updateStateByKey(total)
    totals.foreachRDD(lambda at, rdd: note("totals", at, rdd) and None)
    pairs.foreachRDD(lambda at, rdd: note("last", at, rdd) and None)


def live(
    sc: SparkContext, place: Path, define: Callable[[Any], None], seconds: int, *until: Any
) -> None:
    """Run some batches, the late ones together, until something was seen; then stop hard."""
    folder = str(place / "checkpoint")

    def setup() -> StreamingContext:
        made = StreamingContext(sc, 1)
        made.checkpoint(folder)
        ManualClock(made).advance(START)
        define(made.queueStream([list(batch) for batch in WORDS]))
        return made

    ssc = StreamingContext.getOrCreate(folder, setup)
    ssc.start()
    clock = ManualClock(ssc)
    clock.advance(START + seconds - clock.now())
    try:
        with CHANGED:
            assert CHANGED.wait_for(
                lambda: set(until) <= {(name, second) for name, second, _ in SEEN}, DEADLINE
            ), SEEN
    finally:
        ssc.stop(stopSparkContext=False)


def test_an_output_that_swallows_its_end(sc: SparkContext, tmp_path: Path) -> None:
    HELD.add(("words", 2.0))
    live(sc, tmp_path, plain, 2, ("words", 2.0))
    assert SEEN[-1] == ("words", 2.0, ["a", "b"])
    HELD.clear()
    live(sc, tmp_path, plain, 3, ("words", 3.0))
    assert SEEN[-2:] == [("words", 2.0, ["a", "b"]), ("words", 3.0, ["c"])]


@pytest.mark.parametrize("fails", [False, True], ids=["swallowed", "raised"])
def test_the_first_batch_behind_a_transform(sc: SparkContext, tmp_path: Path, fails: bool) -> None:
    """The second query has got nothing of it, neither records nor an error."""
    HELD.add(("transform", 1.0))
    if fails:
        FAILING.add(("transform", 1.0))
    live(sc, tmp_path, behind, 1, ("transform", 1.0))
    assert SEEN == [("transform", 1.0, ["a"])]
    HELD.clear()
    FAILING.clear()
    SEEN.clear()
    live(sc, tmp_path, behind, 2, ("last", 2.0))
    assert [seen for seen in SEEN if seen[0] == "totals"] == [
        ("totals", 1.0, [("a", 1)]),
        ("totals", 2.0, [("a", 2), ("b", 1)]),
    ]


def test_a_failed_batch_behind_a_transform(sc: SparkContext, tmp_path: Path) -> None:
    """The second query has committed it when the first one is cut off in a later interval."""
    FAILING.add(("last", 1.0))
    HELD.add(("totals", 2.0))
    live(sc, tmp_path, behind, 2, ("totals", 2.0))
    FAILING.clear()
    HELD.clear()
    SEEN.clear()
    live(sc, tmp_path, behind, 3, ("last", 3.0))
    assert [seen for seen in SEEN if seen[0] != "transform"] == [
        ("totals", 1.0, [("a", 1)]),
        ("last", 1.0, [("a", 1)]),
        ("totals", 2.0, [("a", 2), ("b", 1)]),
        ("last", 2.0, [("a", 1), ("b", 1)]),
        ("totals", 3.0, [("a", 2), ("b", 1), ("c", 1)]),
        ("last", 3.0, [("c", 1)]),
    ]


def test_a_source_that_cannot_be_started_again(
    sc: SparkContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was cut off runs again before sources are started; nothing goes on without one."""
    HELD.add(("words", 2.0))
    live(sc, tmp_path, plain, 2, ("words", 2.0))
    HELD.clear()
    started = threading.Event()

    def fail(*_: object) -> None:
        assert started.wait(DEADLINE)
        raise OSError("its port is taken")

    monkeypatch.setattr(QueueInput, "start", fail)
    ssc = StreamingContext.getOrCreate(str(tmp_path / "checkpoint"), lambda: None)
    try:
        ssc.start()
        started.set()
        ManualClock(ssc).advance(5)
        with pytest.raises(QueryFailedError, match="its port is taken"):
            ssc.awaitTerminationOrTimeout(DEADLINE)
    finally:
        ssc.stop(stopSparkContext=False)
    assert SEEN[-1] == ("words", 2.0, ["a", "b"])
    assert {second for _, second, _ in SEEN} == {1.0, 2.0}
