"""The thread that looks at variables at each batch time; without Spark."""

from __future__ import annotations

import threading

from dstream_compat.clock import SettableClock
from dstream_compat.intervals.variables import VariableWatch

DEADLINE = 60.0


class Noted:
    """Variables that note when they were looked at."""

    def __init__(self) -> None:
        self.times: list[int] = []
        self._changed = threading.Condition()

    def note(self, due: int) -> None:
        with self._changed:
            self.times.append(due)
            self._changed.notify_all()

    def same_until(self, last: int, due: int, interval: int) -> int:
        raise AssertionError("a watch asks nothing")

    def wait_for(self, due: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: due in self.times, DEADLINE), self.times


def test_each_batch_time_is_noted_and_those_of_a_jump_at_once() -> None:
    clock, noted = SettableClock(10_500), Noted()
    watch = VariableWatch(noted, clock, 1_000)
    watch.start()
    noted.wait_for(10_000)
    clock.advance(500)
    noted.wait_for(11_000)
    clock.advance(1_000)
    noted.wait_for(12_000)
    clock.advance(5_000)
    noted.wait_for(17_000)
    assert list(dict.fromkeys(noted.times)) == [10_000, 11_000, 12_000, 17_000]
    watch.end()
    watch._thread.join(DEADLINE)
    assert not watch._thread.is_alive()
