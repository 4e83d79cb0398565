"""The scheduler alone: nothing that it took out of a source is ever lost."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dstream_compat.clock import ManualClock
from dstream_compat.engine.frames import (
    CLOCK,
    COUNT_OF,
    ERROR,
    INITIAL,
    RECORDS,
    pack,
    unpack,
    unpack_clock,
)
from dstream_compat.source.base import Items, Source
from dstream_compat.source.reading import Chunk, Partition, read_entries
from dstream_compat.source.scheduler import Scheduler
from dstream_compat.source.spool import Spool
from dstream_compat.storage import LocalStorage


class Once(Source):
    """Gives each interval's records exactly once, as a socket does."""

    label = "once"

    def __init__(self) -> None:
        self.asked: list[int] = []
        self.fail_next = False

    def plan(self, sc: Any, ticks: Sequence[int]) -> dict[int, list[Items]]:
        if self.fail_next:
            self.fail_next = False
            raise OSError("the folder cannot be listed")
        assert not set(ticks) & set(self.asked), "asked twice"
        self.asked += ticks
        return {tick: [(Chunk(RECORDS, 1, pickle.dumps([tick])),)] for tick in ticks}

    def memory(self) -> Any:
        return list(self.asked)

    def restore(self, memory: Any) -> None:
        self.asked = list(memory)


def make(
    sources: dict[int, Source], clock: ManualClock, spool: Spool | None = None, most: int = 20
) -> Scheduler:
    sc: Any = None
    return Scheduler(sc, clock, 1000, sources, list, spool, 2, most, lambda zero: None)


def begin(scheduler: Scheduler) -> dict[str, Any]:
    warm = scheduler.latest_offset(scheduler.initial_offset())
    assert warm["phase"] == "warm"
    scheduler._begin(warm)  # as the next question does, at whatever time it comes
    return warm


def read(scheduler: Scheduler, start: Any, end: Any) -> list[Partition | bytes]:
    return [entry for task in scheduler.partitions(start, end) for entry in pickle.loads(task)]


def ticks_of(entries: list[Partition | bytes]) -> list[int]:
    return [entry.tick for entry in entries if isinstance(entry, Partition)]


def test_one_micro_batch_carries_late_intervals_up_to_the_limit() -> None:
    clock = ManualClock(10_400)
    scheduler = make({1: Once()}, clock, most=3)
    warm = begin(scheduler)
    clock.advance(600)
    first = scheduler.latest_offset(warm)
    assert first == {"phase": "run", "t": 11_000, "zero": 10_000}
    clock.advance(5_000)
    second = scheduler.latest_offset(first)
    assert second["t"] == 14_000
    entries = read(scheduler, first, second)
    assert ticks_of(entries) == [12_000, 14_000, 13_000], "the two tasks take turns"
    (head,) = [unpack(entry) for entry in entries if isinstance(entry, bytes)]
    assert head.kind == CLOCK
    assert list(unpack_clock(head).ticks()) == [12_000, 13_000, 14_000]
    assert scheduler.latest_offset(second)["t"] == 16_000


def test_what_was_planned_but_not_logged_is_offered_again() -> None:
    clock = ManualClock()
    scheduler = make({1: Once()}, clock)
    warm = begin(scheduler)
    clock.advance(2_000)
    first = scheduler.latest_offset(warm)
    clock.advance(1_000)
    again = scheduler.latest_offset(warm)
    assert again == first
    assert ticks_of(read(scheduler, warm, again)) == [1_000, 2_000]


@pytest.mark.parametrize("failing", ["source", "disk"])
def test_failed_planning_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    clock, sources = ManualClock(), (Once(), Once())
    spool = Spool(LocalStorage(), str(tmp_path))
    scheduler = make({1: sources[0], 2: sources[1]}, clock, spool)
    warm = begin(scheduler)
    clock.advance(1_000)
    with monkeypatch.context() as patch:
        if failing == "disk":
            full = OSError("No space left on device")
            patch.setattr(spool, "keep", lambda *_: (_ for _ in ()).throw(full))
        else:
            sources[1].fail_next = True
        with pytest.raises(OSError, match=r"No space|listed"):
            scheduler.latest_offset(warm)
    clock.advance(5_000)
    end = scheduler.latest_offset(warm)
    assert end["t"] == 1_000
    assert ticks_of(read(scheduler, warm, end)) == [1_000, 1_000]
    assert spool.has(1_000)


def test_planner_that_died_takes_nothing() -> None:
    clock = ManualClock()
    scheduler = make({1: Once()}, clock)
    warm = begin(scheduler)
    answers: list[Any] = []
    dead = threading.Thread(target=lambda: answers.append(scheduler.latest_offset(warm)))
    dead.start()
    deadline = time.monotonic() + 30
    while scheduler._asker == 0:
        assert time.monotonic() < deadline
        threading.Event().wait(0.01)
    alive = threading.Thread(target=lambda: answers.append(scheduler.latest_offset(warm)))
    alive.start()
    dead.join(30)
    assert answers == [warm], "whoever asked first is sent away"
    clock.advance(1_000)
    alive.join(30)
    assert answers[1]["t"] == 1_000


def test_a_new_process_takes_over_plans_and_memory(tmp_path: Path) -> None:
    clock = ManualClock()
    scheduler = make({1: Once()}, clock, Spool(LocalStorage(), str(tmp_path)))
    warm = begin(scheduler)
    clock.advance(1_000)
    logged = scheduler.latest_offset(warm)
    clock.advance(1_000)
    scheduler.latest_offset(logged)
    source, later = Once(), ManualClock()
    recovered = make({1: source}, later, Spool(LocalStorage(), str(tmp_path)))
    assert ticks_of(read(recovered, warm, logged)) == [1_000]
    assert later.now() == 1_000, "a manual clock goes on where it was"
    later.advance(8_000)
    unlogged = recovered.latest_offset(logged)
    assert unlogged["t"] == 2_000, "it was spooled, so it is offered as it was"
    assert source.asked == [1_000, 2_000]
    assert recovered.latest_offset(unlogged)["t"] == 9_000


def test_drain_runs_the_interval_that_has_begun() -> None:
    clock = ManualClock()
    scheduler = make({1: Once()}, clock)
    warm = begin(scheduler)
    clock.advance(1_500)
    first = scheduler.latest_offset(warm)
    drained = scheduler.drain()
    clock.advance(700)
    last = scheduler.latest_offset(first)
    assert last["t"] == 2_000
    assert not drained.is_set()
    assert scheduler.latest_offset(last) == last
    assert drained.is_set()


def test_commit_forgets(tmp_path: Path) -> None:
    clock = ManualClock()
    scheduler = make({1: Once()}, clock, Spool(LocalStorage(), str(tmp_path)))
    offset = begin(scheduler)
    for _ in range(5):
        clock.advance(1_000)
        offset = scheduler.latest_offset(offset)
        scheduler.commit(offset)
    assert scheduler._inputs._planned == {}
    assert scheduler._inputs._memories == {}
    assert [path.name for path in tmp_path.iterdir()] == ["5000"]


def test_unreadable_entries_become_errors(tmp_path: Path) -> None:
    from dstream_compat.source.reading import FixedFile, TextFile

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
        sc, ManualClock(), 1000, {1: Once()}, lambda: frames, None, 2, 20, lambda zero: None
    )
    warm = scheduler.latest_offset(scheduler.initial_offset())
    first, second = map(pickle.loads, scheduler.partitions(scheduler.initial_offset(), warm))
    assert unpack(first[0]).kind == CLOCK
    assert (first[1:], second) == (frames[::2], frames[1::2])
