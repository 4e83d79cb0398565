"""The scheduler alone: nothing that it took out of a source is ever lost."""

from __future__ import annotations

import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.clock import SettableClock
from dstream_compat.exceptions import CheckpointError
from dstream_compat.intervals.offset_scheduler import OffsetScheduler
from dstream_compat.intervals.scheduler import Scheduler
from dstream_compat.source.base import Input
from dstream_compat.storage.files import LocalStorage
from dstream_compat.storage.spool import Spool
from dstream_compat.wire.frames import (
    COUNT_OF,
    ERROR,
    INITIAL,
    INTERVALS,
    pack,
    unpack,
    unpack_intervals,
)
from dstream_compat.worker.reading.entries import Partition, read_entries
from tests.support.streaming.schedulers import Once, ticks_of

DEADLINE = 60.0


def make(
    inputs: dict[int, Input], clock: SettableClock, spool: Spool | None = None, most: int = 20
) -> Scheduler:
    sc: Any = None
    return Scheduler(sc, clock, 1000, inputs, list, spool, 2, most, lambda zero: None)


def begin(scheduler: Scheduler) -> None:
    """Let the micro-batch pass that warms Spark up, and the sources start."""
    warm = scheduler.next(0)
    assert warm is not None
    assert not warm.intervals.ticks()
    scheduler._begin(None)  # as the next question does, at whatever time it comes


def test_one_micro_batch_carries_late_intervals_up_to_the_limit() -> None:
    clock = SettableClock(10_400)
    scheduler = make({1: Once()}, clock, most=3)
    begin(scheduler)
    clock.advance(600)
    first = scheduler.next(1)
    assert first is not None
    assert first.intervals == (10_000, 11_000, 10_000, 1000)
    clock.advance(5_000)
    second = scheduler.next(2)
    assert second is not None
    assert ticks_of(second) == [12_000, 14_000, 13_000], "the two tasks take turns"
    entries = [entry for task in second.tasks for entry in task]
    (head,) = [unpack(entry) for entry in entries if isinstance(entry, bytes)]
    assert head.kind == INTERVALS
    assert list(unpack_intervals(head).ticks()) == [12_000, 13_000, 14_000]
    third = scheduler.next(3)
    assert third is not None
    assert third.intervals.hi == 16_000


def test_a_micro_batch_that_runs_again_reads_the_same() -> None:
    clock = SettableClock()
    scheduler = make({1: Once()}, clock)
    begin(scheduler)
    clock.advance(2_000)
    first = scheduler.next(1)
    clock.advance(1_000)
    again = scheduler.next(1)
    assert again == first
    assert ticks_of(again) == [1_000, 2_000]
    assert ticks_of(scheduler.next(2)) == [3_000]


def test_what_was_interrupted_is_not_kept(tmp_path: Path) -> None:
    """A stop cancels jobs of sources; their errors are not those of the batch."""
    clock, spool = SettableClock(), Spool(LocalStorage(), str(tmp_path))
    scheduler = make({1: Once()}, clock, spool)
    begin(scheduler)
    clock.advance(1_000)
    called: list[str] = []

    def stop() -> None:
        called.append("wanted")
        raise InterruptedError

    with pytest.raises(InterruptedError):
        scheduler.next(1, stop, lambda: called.append("due"))
    assert called == ["due", "wanted"]
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("failing", ["source", "disk"])
def test_failed_planning_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    clock, sources = SettableClock(), (Once(), Once())
    spool = Spool(LocalStorage(), str(tmp_path))
    scheduler = make({1: sources[0], 2: sources[1]}, clock, spool)
    begin(scheduler)
    clock.advance(1_000)
    with monkeypatch.context() as patch:
        if failing == "disk":
            full = OSError("No space left on device")
            patch.setattr(spool, "keep", lambda *_: (_ for _ in ()).throw(full))
        else:
            sources[1].fail_next = True
        with pytest.raises(OSError, match=r"No space|listed"):
            scheduler.next(1)
    clock.advance(5_000)
    work = scheduler.next(1)
    assert work is not None
    assert work.intervals.hi == 1_000
    assert ticks_of(work) == [1_000, 1_000]
    assert spool.has(1_000), "what is computed is durable"


@pytest.mark.parametrize("offsets", [False, True])
def test_a_query_that_died_takes_nothing(offsets: bool, tmp_path: Path) -> None:
    clock = SettableClock()
    sc: Any = None
    kind = partial(OffsetScheduler, tmp_path.as_uri()) if offsets else Scheduler
    scheduler = kind(sc, clock, 1000, {1: Once()}, list, None, 2, 20, lambda zero: None)

    def ask() -> Any:
        if isinstance(scheduler, OffsetScheduler):
            return scheduler.latest_offset(scheduler.initial_offset())["t"]
        work = scheduler.next(1)
        return work and work.intervals.hi

    if not offsets:
        begin(scheduler)
    before = scheduler._asker
    answers: list[Any] = []
    dead = threading.Thread(target=lambda: answers.append(ask()))
    dead.start()
    deadline = time.monotonic() + 30
    while scheduler._asker == before:
        assert time.monotonic() < deadline
        threading.Event().wait(0.01)
    alive = threading.Thread(target=lambda: answers.append(ask()))
    alive.start()
    dead.join(30)
    assert answers == [0 if offsets else None], "whoever asked first is sent away"
    clock.advance(1_000)
    alive.join(30)
    assert answers[1] == 1_000


def test_a_wait_ends_by_what_the_caller_raises() -> None:
    scheduler = make({1: Once()}, SettableClock())
    begin(scheduler)

    def wanted() -> None:
        raise RuntimeError("Spark has ended")

    with pytest.raises(RuntimeError, match="Spark has ended"):
        scheduler.next(1, wanted)


def test_a_new_process_takes_over_plans_and_memory(tmp_path: Path) -> None:
    clock = SettableClock()
    scheduler = make({1: Once()}, clock, Spool(LocalStorage(), str(tmp_path)))
    begin(scheduler)
    clock.advance(1_000)
    scheduler.next(1)
    clock.advance(1_000)
    scheduler.next(2)
    source, later = Once(), SettableClock()
    recovered = make({1: source}, later, Spool(LocalStorage(), str(tmp_path)))
    assert ticks_of(recovered.next(2)) == [2_000], "it was not committed"
    assert recovered.last_commit == 1_000
    assert later.now() == 2_000, "a manual clock goes on where it was"
    assert source.asked == []
    later.advance(7_000)
    work = recovered.next(3)
    assert work is not None
    assert work.intervals == (2_000, 9_000, 0, 1000)
    assert source.asked == list(range(1_000, 10_000, 1_000))


def test_lost_plans_are_refused(tmp_path: Path) -> None:
    recovered = make({1: Once()}, SettableClock(), Spool(LocalStorage(), str(tmp_path)))
    with pytest.raises(CheckpointError, match=r"micro-batch 6 are not in .*Restore the folder"):
        recovered.next(7)


def test_drain_runs_the_interval_that_has_begun() -> None:
    clock = SettableClock()
    scheduler = make({1: Once()}, clock)
    begin(scheduler)
    clock.advance(1_500)
    scheduler.next(1)
    drained = scheduler.drain()
    clock.advance(700)
    last = scheduler.next(2)
    assert last is not None
    assert last.intervals.hi == 2_000
    assert not drained.is_set()
    assert scheduler.next(3) is None
    assert drained.is_set()


def test_commit_forgets(tmp_path: Path) -> None:
    clock = SettableClock()
    scheduler = make({1: Once()}, clock, Spool(LocalStorage(), str(tmp_path)))
    begin(scheduler)
    for batch in range(1, 6):
        clock.advance(1_000)
        scheduler.next(batch)
    assert list(scheduler._planned_inputs._planned) == [5_000]
    assert list(scheduler._planned_inputs._memories) == [4_000, 5_000]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["4000", "5000"]


def test_unreadable_entries_become_errors(tmp_path: Path) -> None:
    from dstream_compat.worker.reading.entries import FixedFile, TextFile

    (tmp_path / "x.bz2").write_bytes(b"BZh9")
    (tmp_path / "mark.txt").write_bytes(b"\xef\xbb\xbfa\n")
    items = {"missing": TextFile(str(tmp_path / "no")), "codec": TextFile(str(tmp_path / "x.bz2"))}
    items_fixed = FixedFile(str(tmp_path / "x.bz2"), 4)
    for item in (*items.values(), items_fixed):
        (frame,) = map(unpack, read_entries([Partition(1, 2, 0, (item,))]))
        assert frame.kind == ERROR
    frame, *counts = map(
        unpack, read_entries([Partition(1, 2, 0, (TextFile(str(tmp_path / "mark.txt")),))])
    )
    assert [(count.node, count.count) for count in counts] == [(1 | COUNT_OF, 1)]
    assert bytes(frame.payload) == b"a", "a byte order mark is no text"


def test_initial_states_are_dealt_out_among_the_tasks() -> None:
    """What a task is given travels in it, and Spark limits how much that may be."""
    frames = [pack(INITIAL, 7, 0, (part,), part=part) for part in range(5)]
    sc: Any = None
    scheduler = Scheduler(
        sc, SettableClock(), 1000, {1: Once()}, lambda: frames, None, 2, 20, lambda zero: None
    )
    warm = scheduler.next(0)
    assert warm is not None
    first, second = warm.tasks
    assert isinstance(first[0], bytes)
    assert unpack(first[0]).kind == INTERVALS
    assert (first[1:], second) == (frames[::2], frames[1::2])


class SlowVariables:
    """Variables that take until a test says so to be looked at."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.go_on = threading.Event()

    def note(self, due: int) -> None:
        raise AssertionError("the scheduler asks only what may run together")

    def same_until(self, last: int, due: int, interval: int) -> int:
        self.asked.set()
        assert self.go_on.wait(DEADLINE)
        return due


@pytest.mark.parametrize("halts", [True, False])
def test_a_stop_does_not_wait_while_variables_are_looked_at(halts: bool) -> None:
    clock, variables, found = SettableClock(10_400), SlowVariables(), list[Any]()
    scheduler = make({1: Once()}, clock)
    scheduler.variables = variables
    begin(scheduler)
    clock.advance(600)
    thread = threading.Thread(target=lambda: found.append(scheduler.next(1)), daemon=True)
    thread.start()
    assert variables.asked.wait(DEADLINE)
    other = threading.Thread(target=scheduler.halt if halts else scheduler.drain, daemon=True)
    other.start()
    other.join(5.0)
    waits = other.is_alive()
    variables.go_on.set()
    thread.join(DEADLINE)
    assert not waits
    assert [work is None for work in found] == [halts]
