"""Which past batches there are, without Spark; clocks and threads are scripted."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from dstream_compat.batch.past_rdds import PastRDDs
from dstream_compat.clock import SettableClock
from dstream_compat.exceptions import StreamingStateError

NODE: Any = SimpleNamespace(id=1, slide=1_000, label="map")
DEADLINE = 60.0


class Rig:
    """Past batches of a job that began at 10 s."""

    def __init__(self, now: int, committed: int | None = None) -> None:
        self.clock = SettableClock(now)
        self.asked = threading.Event()
        self.in_batch = False
        self.scheduler: Any = SimpleNamespace(
            zero=10_000, clock=self.clock, last_commit=committed, imported=None, halted=False
        )
        self.past = PastRDDs(self.scheduler, self._is_in_batch, 60_000)

    def _is_in_batch(self) -> bool:
        self.asked.set()
        return self.in_batch

    def keep(self, tick: int) -> None:
        rdd = f"of {tick}"
        kept: Any = SimpleNamespace(hold=lambda: None, release=lambda: None, rdd=lambda node: rdd)
        self.past.keep(tick, kept)


def test_batches_that_are_not_due_are_left_out() -> None:
    rig = Rig(12_500)
    rig.keep(11_000)
    rig.keep(12_000)
    assert rig.past.slice(NODE, 5_000, 20_000) == ["of 11000", "of 12000"]
    assert rig.past.slice(NODE, 13_000, 20_000) == []


def test_batches_that_are_late_are_waited_for() -> None:
    rig, found = Rig(13_500), list[Any]()
    rig.keep(11_000)
    thread = threading.Thread(target=lambda: found.extend(rig.past.slice(NODE, 11_000, 20_000)))
    thread.start()
    assert rig.asked.wait(DEADLINE)
    rig.keep(12_000)
    rig.keep(13_000)
    thread.join(DEADLINE)
    assert found == ["of 11000", "of 12000", "of 13000"]


def test_an_output_does_not_wait_for_later_batches() -> None:
    rig = Rig(13_500)
    rig.keep(11_000)
    rig.in_batch = True
    with pytest.raises(StreamingStateError, match="12000 ms has not been processed yet"):
        rig.past.slice(NODE, 11_000, 13_000)


@pytest.mark.parametrize("closed", [True, False])
def test_nothing_is_waited_for_after_a_stop(closed: bool) -> None:
    rig = Rig(13_500)
    rig.scheduler.halted = not closed
    if closed:
        rig.past.close()
    with pytest.raises(StreamingStateError, match=r"11000 ms has not .* was stopped"):
        rig.past.slice(NODE, 11_000, 13_000)


def test_batches_of_an_earlier_process_are_not_remembered() -> None:
    rig = Rig(14_000, committed=13_000)
    with pytest.raises(StreamingStateError, match="12000 ms is not remembered"):
        rig.past.slice(NODE, 12_000, 13_000)
    rig.keep(14_000)
    with pytest.raises(StreamingStateError, match="12000 ms is not remembered"):
        rig.past.slice(NODE, 12_000, 14_000)
    assert rig.past.slice(NODE, 14_000, 15_000) == ["of 14000"]
    assert rig.past.slice(NODE, 8_000, 9_000) == []


def test_batches_of_another_engine_are_not_remembered() -> None:
    rig = Rig(14_000)
    rig.scheduler.imported = SimpleNamespace(since=13_000)
    with pytest.raises(StreamingStateError, match="13000 ms is not remembered"):
        rig.past.slice(NODE, 13_000, 13_000)


def test_nothing_is_there_before_the_query_has_begun() -> None:
    rig = Rig(14_000)
    rig.scheduler.zero = None
    assert rig.past.slice(NODE, 0, 14_000) == []
