"""The first batch that fails while it is computed is not committed before the job goes on."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext, testing
from dstream_compat.batch import commit_delay
from dstream_compat.batch.commit_delay import CommitDelay
from dstream_compat.clock import SettableClock
from dstream_compat.exceptions import BatchFailedError
from dstream_compat.lifecycle import BatchAborted, Lifecycle, Phase
from dstream_compat.source.handover import Handover
from dstream_compat.storage.files import LocalStorage
from dstream_compat.storage.spool import Spool
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.lives import pair, put, running
from tests.support.streaming.rebuilt_lives import REBUILD, SEEN, see, wait_for_totals


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit_delay, "_LEAST_SECONDS", 0.1)


class Delayed(NamedTuple):
    """A commit that is delayed, with what decides how long."""

    commit: CommitDelay
    clock: SettableClock
    life: Lifecycle


def delayed(can_read_again: bool = True) -> Delayed:
    clock, life = SettableClock(), Lifecycle()
    return Delayed(CommitDelay(clock, life, can_read_again), clock, life)


def waiting(delay: CommitDelay) -> tuple[threading.Thread, list[BaseException]]:
    """Wait for the batch of 1 s in a thread, until that of 2 s is due."""
    raised: list[BaseException] = []

    def wait() -> None:
        try:
            delay.wait(1000, 2000)
        except BatchAborted as error:
            raised.append(error)

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread, raised


@pytest.mark.slow
@pytest.mark.usefixtures("quick")
def test_job_goes_on_when_the_next_batch_is_due(
    caplog: pytest.LogCaptureFixture,
) -> None:
    commit, clock, _ = delayed()
    clock.advance(1999)
    with caplog.at_level(logging.WARNING, "dstream_compat"):
        thread, raised = waiting(commit)
        thread.join(0.5)
        assert thread.is_alive()
        clock.advance(1)
        thread.join(DEADLINE)
    assert not thread.is_alive() and not raised
    assert "the batch of 1000 ms failed while it was computed" in caplog.text
    caplog.clear()
    commit.wait(5000, 1 << 62)  # the job has shown that it goes on
    assert not caplog.text


@pytest.mark.slow
def test_a_late_batch_is_held_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    commit, clock, _ = delayed()
    monkeypatch.setattr(commit_delay, "_LEAST_SECONDS", 0.5)
    clock.advance(10_000)
    began = time.monotonic()
    commit.wait(1000, 2000)
    assert time.monotonic() - began > 0.5


def test_no_batch_is_held_back_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit_delay, "_MOST_SECONDS", 0.2)
    thread, raised = waiting(delayed().commit)
    thread.join(DEADLINE)
    assert not thread.is_alive() and not raised


@pytest.mark.parametrize("phase", [Phase.HALTING, Phase.DRAINING])
def test_a_stop_ends_the_wait(phase: Phase) -> None:
    commit, _, life = delayed()
    thread, raised = waiting(commit)
    life.advance(phase)
    thread.join(DEADLINE)
    assert len(raised) == 1
    assert "a restart computes it again" in str(raised[0])


def test_a_graceful_stop_goes_on_to_what_cannot_be_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    commit, _, life = delayed(can_read_again=False)
    looked = threading.Event()
    wait_for = life.wait_for

    def look(phase: Phase, seconds: float | None) -> bool:
        looked.set()
        return wait_for(phase, seconds)

    monkeypatch.setattr(life, "wait_for", look)
    thread, raised = waiting(commit)
    assert looked.wait(DEADLINE)
    life.advance(Phase.DRAINING)
    thread.join(DEADLINE)
    assert not thread.is_alive() and not raised


def test_what_failed_is_not_handed_over_to_another_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def spool() -> Spool:
        return Spool(LocalStorage(), str(tmp_path / "handover"))

    before = Handover(spool())
    before.put(1000, {0: [()]})
    before.put(2000, {0: [()], 1: b"an error"})
    assert before.get(2000) == {0: [()], 1: b"an error"}
    after = Handover(spool())
    assert after.has(1000) and not after.has(2000)
    found: list[Any] = []
    waits = threading.Event()
    wait = after._lock.wait

    def noted(seconds: float) -> bool:
        waits.set()
        return wait(seconds)

    monkeypatch.setattr(after._lock, "wait", noted)
    thread = threading.Thread(target=lambda: found.append(after.get(2000)), daemon=True)
    thread.start()
    assert waits.wait(DEADLINE)
    after.put(2000, {0: [()], 1: [()]})
    thread.join(DEADLINE)
    assert found == [{0: [()], 1: [()]}]
    assert Handover(spool()).has(2000)


def test_what_is_committed_is_on_disk(tmp_path: Path) -> None:
    def spool() -> Spool:
        return Spool(LocalStorage(), str(tmp_path / "handover"))

    handover = Handover(spool())
    handover.put(1000, {0: b"an error"})
    handover.put(2000, {0: [()]})
    handover.withdraw(2000)
    assert not Handover(spool()).has(1000) and not Handover(spool()).has(2000)
    for tick in (1000, 2000):
        handover.make_durable(tick)
    assert Handover(spool()).get(1000) == {0: b"an error"}
    assert Handover(spool()).get(2000) == handover.get(2000) == {0: [()]}
    handover.forget(2000)
    assert not Handover(spool()).has(2000)


def test_what_an_earlier_life_handed_over_is_withdrawn_too(tmp_path: Path) -> None:
    def spool() -> Spool:
        return Spool(LocalStorage(), str(tmp_path / "handover"))

    Handover(spool()).put(1000, {0: [()]})
    handover = Handover(spool())
    handover.withdraw(1000)
    assert not Handover(spool()).has(1000)
    handover.make_durable(1000)
    assert Handover(spool()).get(1000) == {0: [()]}


def test_nobody_waits_for_a_handover_when_the_job_ends(tmp_path: Path) -> None:
    handover = Handover(Spool(LocalStorage(), str(tmp_path / "handover")))
    handover.release()
    with pytest.raises(FileNotFoundError, match="5000 ms"):
        handover.get(5000)


def looked_up(line: str) -> str:
    if "bad" in line:
        raise ValueError("a bad record")
    return line


def mended(line: str) -> str:
    return line.upper()


def stateless(lines: Any) -> None:
    lines.map(looked_up).foreachRDD(see("totals"))


def with_state(lines: Any) -> None:
    lines.map(looked_up).map(pair).updateStateByKey(running).foreachRDD(see("totals"))


def with_state_mended(lines: Any) -> None:
    lines.map(mended).map(pair).updateStateByKey(running).foreachRDD(see("totals"))


def behind_a_function(lines: Any) -> None:
    looked = lines.map(pair).transform(lambda rdd: rdd.map(lambda p: (looked_up(p[0]), p[1])))
    looked.updateStateByKey(running).foreachRDD(see("totals"))


def behind_a_function_mended(lines: Any) -> None:
    looked = lines.map(pair).transform(lambda rdd: rdd.map(lambda p: (mended(p[0]), p[1])))
    looked.updateStateByKey(running).foreachRDD(see("totals"))


def refusing(new: list[int], old: int | None) -> int:
    if len(new) > 1:
        raise ValueError("a bad record")
    return running(new, old)


def function_in_front(lines: Any) -> None:
    doubled = lines.map(pair).transform(lambda rdd: rdd.union(rdd))
    doubled.updateStateByKey(refusing).foreachRDD(see("totals"))


def function_in_front_mended(lines: Any) -> None:
    once = lines.map(mended).map(pair).transform(lambda rdd: rdd.distinct())
    once.updateStateByKey(refusing).foreachRDD(see("totals"))


def acting(lines: Any) -> None:
    totals = lines.map(looked_up).map(pair).updateStateByKey(running)
    totals.transform(first_ones).foreachRDD(see("totals"))


def acting_mended(lines: Any) -> None:
    totals = lines.map(mended).map(pair).updateStateByKey(running)
    totals.transform(first_ones).foreachRDD(see("totals"))


def first_ones(rdd: Any) -> Any:
    return rdd.context.parallelize(sorted(rdd.collect())[:9])


@pytest.fixture
def rebuild(sc: SparkContext) -> Iterator[Callable[[], None]]:
    jconf: Any = sc._conf._jconf
    SEEN.clear()
    yield lambda: jconf.set(REBUILD, "true")
    jconf.remove(REBUILD)


def life(sc: SparkContext, place: Path, define: Callable[[Any], None] | None) -> StreamingContext:
    (place / "in").mkdir(exist_ok=True)

    def setup() -> StreamingContext:
        assert define is not None, "setup is not to be called"
        made = StreamingContext(sc, 1)
        made.checkpoint(str(place / "checkpoint"))
        define(made.textFileStream(str(place / "in")))
        return made

    ssc = StreamingContext.getOrCreate(str(place / "checkpoint"), setup)
    ssc.start()
    return ssc


def batch(ssc: StreamingContext, place: Path, second: int, text: str) -> None:
    put(place / "in", second - 0.5, text)
    testing.ManualClock(ssc).advance_to(second)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("define", "with_mended"),
    [
        (with_state, with_state_mended),
        (acting, acting_mended),
        (behind_a_function, behind_a_function_mended),
        (function_in_front, function_in_front_mended),
    ],
    ids=["one query", "a function that acts", "two queries", "what was handed over"],
)
@pytest.mark.parametrize(
    "gracefully", [False, pytest.param(True, marks=pytest.mark.full)], ids=["hard", "graceful"]
)
def test_mended_code_computes_the_failed_batch(
    sc: SparkContext,
    tmp_path: Path,
    rebuild: Callable[[], None],
    define: Callable[[Any], None],
    with_mended: Callable[[Any], None],
    gracefully: bool,
) -> None:
    ssc = life(sc, tmp_path, define)
    try:
        first = 0 if define is function_in_front else 1
        batch(ssc, tmp_path, 1, "A\n" * first)
        wait_for_totals(1)
        batch(ssc, tmp_path, 2, "a\nbad\n")
        with pytest.raises(BatchFailedError, match="a bad record"):
            ssc.awaitTermination(DEADLINE)
    finally:
        ssc.stop(False, gracefully)
    rebuild()
    ssc = life(sc, tmp_path, with_mended)
    try:
        batch(ssc, tmp_path, 3, "b\n")
        wait_for_totals(3)
    finally:
        ssc.stop(False)
    totals = [(at, records) for name, at, records in SEEN if name == "totals"]
    assert totals == [
        (1.0, [("A", 1)] * first),
        (2.0, [("A", 1 + first), ("BAD", 1)]),
        (3.0, [("A", 1 + first), ("B", 1), ("BAD", 1)]),
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("quick", "rebuild")
def test_a_job_that_goes_on_does_without_the_batch(sc: SparkContext, tmp_path: Path) -> None:
    ssc = life(sc, tmp_path, stateless)
    try:
        batch(ssc, tmp_path, 1, "a\nbad\n")
        with pytest.raises(BatchFailedError, match="a bad record"):
            ssc.awaitTermination(DEADLINE)
        batch(ssc, tmp_path, 2, "a\n")
        wait_for_totals(2)
    finally:
        ssc.stop(False)
    for second in (4, 6):  # no restart stumbles over it
        ssc = life(sc, tmp_path, None)
        try:
            batch(ssc, tmp_path, second, "b\n")
            wait_for_totals(second)
            assert not ssc.awaitTerminationOrTimeout(0.1)
        finally:
            ssc.stop(False)
    assert {at for _, at, _ in SEEN} >= {2.0, 4.0, 6.0}
    assert 1.0 not in {at for _, at, _ in SEEN}


def asking(flag: str) -> Callable[[Any], Any]:
    def ask(value: Any) -> Any:
        if Path(flag).exists():
            raise ConnectionError(f"{Path(flag).name} is away")
        return value

    return ask


@pytest.mark.slow
@pytest.mark.usefixtures("rebuild")
def test_a_function_of_state_that_needs_a_service(sc: SparkContext, tmp_path: Path) -> None:
    flag = tmp_path / "service"
    ask = asking(str(flag))

    def define(lines: Any) -> None:
        counted = lines.map(pair).updateStateByKey(lambda new, old: ask(running(new, old)))
        counted.foreachRDD(see("totals"))

    ssc = life(sc, tmp_path, define)
    try:
        batch(ssc, tmp_path, 1, "a\n")
        wait_for_totals(1)
        flag.touch()
        batch(ssc, tmp_path, 2, "a\n")
        with pytest.raises(BatchFailedError, match="service is away"):
            ssc.awaitTermination(DEADLINE)
    finally:
        ssc.stop(False)
    flag.unlink()
    ssc = life(sc, tmp_path, None)
    try:
        wait_for_totals(2)
    finally:
        ssc.stop(False)
    assert [(at, records) for _, at, records in SEEN] == [(1.0, [("a", 1)]), (2.0, [("a", 2)])]


def windows(lines: Any) -> None:
    pairs = lines.map(looked_up).map(pair)
    pairs.reduceByKeyAndWindow(max, None, 2, 2).foreachRDD(see("totals"))


@pytest.mark.slow
@pytest.mark.usefixtures("rebuild")
def test_an_error_that_a_window_has_kept_holds_nothing_back(
    sc: SparkContext, tmp_path: Path
) -> None:
    """It was committed in an interval without outputs, so no restart can make it good."""
    ssc = life(sc, tmp_path, windows)
    assert ssc._job is not None
    try:
        for second, text in ((1, "a\n"), (2, "a\n"), (3, "bad\n"), (4, "a\n")):
            batch(ssc, tmp_path, second, text)
            if second == 2:
                wait_for_totals(2)
            if second == 3:
                ssc._job.scheduler.await_committed(3000, lambda: None)
        with pytest.raises(BatchFailedError, match="a bad record"):
            ssc.awaitTermination(DEADLINE)
        held_until = time.monotonic() + 0.6 * commit_delay._MOST_SECONDS

        def held() -> None:
            assert time.monotonic() < held_until, "no next batch is due, ever"

        ssc._job.scheduler.await_committed(4000, held)
    finally:
        ssc.stop(False)
    ssc = life(sc, tmp_path, None)
    try:
        batch(ssc, tmp_path, 6, "b\n")
        wait_for_totals(6)
        assert not ssc.awaitTerminationOrTimeout(0.1)
    finally:
        ssc.stop(False)
    assert [(at, records) for _, at, records in SEEN] == [(2.0, [("a", 1)]), (6.0, [("b", 1)])]


def windows_mended(lines: Any) -> None:
    pairs = lines.map(mended).map(pair)
    pairs.reduceByKeyAndWindow(max, None, 2, 2).foreachRDD(see("totals"))


@pytest.mark.slow
def test_all_intervals_of_a_micro_batch_are_computed_again(
    sc: SparkContext, tmp_path: Path, rebuild: Callable[[], None]
) -> None:
    """No output needs the interval that fails, but it is not committed before one does."""
    ssc = life(sc, tmp_path, windows)
    try:
        batch(ssc, tmp_path, 2, "a\n")
        wait_for_totals(2)
        put(tmp_path / "in", 2.5, "bad\n")
        batch(ssc, tmp_path, 4, "a\n")
        with pytest.raises(BatchFailedError, match="a bad record"):
            ssc.awaitTermination(DEADLINE)
    finally:
        ssc.stop(False)
    rebuild()
    ssc = life(sc, tmp_path, windows_mended)
    try:
        wait_for_totals(4)
    finally:
        ssc.stop(False)
    assert SEEN[-1] == ("totals", 4.0, [("A", 1), ("BAD", 1)])


@pytest.mark.slow
@pytest.mark.usefixtures("rebuild")
def test_a_failed_batch_waits_until_its_outputs_can_run(sc: SparkContext, tmp_path: Path) -> None:
    sink, database = tmp_path / "sink", tmp_path / "database"
    to_sink, to_database = asking(str(sink)), asking(str(database))
    write = see("totals")

    def define(lines: Any) -> None:
        asked = lines.transform(to_database)
        asked.foreachRDD(lambda at, rdd: write(at, to_sink(rdd)))

    sink.touch()
    ssc = life(sc, tmp_path, define)
    try:
        batch(ssc, tmp_path, 1, "a\n")
        with pytest.raises(BatchFailedError, match="sink is away"):
            ssc.awaitTermination(DEADLINE)
        assert ssc._job is not None
        ssc._job.scheduler.await_committed(1000, lambda: None)
    finally:
        ssc.stop(False)
    sink.unlink()
    database.touch()
    ssc = life(sc, tmp_path, None)
    try:
        batch(ssc, tmp_path, 2, "b\n")
        with pytest.raises(BatchFailedError, match="database is away"):
            ssc.awaitTermination(DEADLINE)
    finally:
        ssc.stop(False)
    database.unlink()
    ssc = life(sc, tmp_path, None)
    try:
        batch(ssc, tmp_path, 3, "c\n")
        wait_for_totals(3)
    finally:
        ssc.stop(False)
    assert ("totals", 1.0, ["a"]) in SEEN
