"""A scheduler whose intervals are Spark's offsets: of queries that read tables, too.

Spark asks all sources of a query for their offsets at once. So where it reads Kafka or a user's
DataFrame, ours has to let it wait there until an interval is due; what they have is known then.
"""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable
from typing import Any, Final

from ..engine.frames import Clock
from .scheduler import Scheduler, Work

NEW: Final = "new"
RUN: Final = "run"

Offset = dict[str, Any]


def _offset(phase: str, hi: int, zero: int) -> Offset:
    return {"phase": phase, "t": hi, "zero": zero}


class OffsetScheduler(Scheduler):
    """Answers Spark's planner, then gives what the micro-batch reads that Spark has planned."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._planning = threading.Lock()
        self._ended = threading.Event()
        self._running: Work | None = None
        self.logged: Callable[[], Offset | None] = lambda: None
        """Returns the last offset that Spark has logged; used where Spark does not say it."""

    def next(
        self,
        batch: int,
        wanted: Callable[[], None] = lambda: None,
        due: Callable[[], None] = lambda: None,
    ) -> Work | None:
        """Return what Spark's planner has asked for last."""
        if self._running is None:
            raise RuntimeError("Spark began a micro-batch without asking what it reads")
        due()
        return self._running

    def end(self) -> None:
        """Note that the query has ended."""
        self._ended.set()

    # What the planner asks.

    def initial_offset(self) -> Offset:
        """Return the offset of a new query."""
        return _offset(NEW, 0, 0)

    def latest_offset(self, start: Offset | None) -> Offset:
        """Return the end of the next micro-batch; waits until an interval is due.

        Records leave their source when an interval is planned. So a plan that Spark did not log,
        because its planner died or a disk was full, is offered again instead of made anew.
        """
        start = start or self.logged() or self.initial_offset()
        self._note_committed(start)
        asker = self._ask()
        zero = self._begin(self._clock_of(start))
        last = start["t"] if start["phase"] == RUN else zero
        due = self._wait_until_due(last, asker)
        if due is None:
            if asker == self._asker:
                # With an answer Spark would ask the tables, and log a micro-batch of their rows
                # that has no interval. Its planner waits until it is interrupted.
                self._ended.wait()
            return start
        with self._planning:
            if asker != self._asker:
                return start
            self._offered = hi = self._inputs.plan_after(last, due, zero).hi
        return _offset(RUN, hi, zero)

    def partitions(self, start: Offset, end: Offset) -> list[bytes]:
        """Return one row for each task, pickled: by it the task finds what it reads."""
        if start == end:
            return []  # Spark before 4.2 asks so where a query goes on, and reads nothing
        self._note_committed(start)
        lo = start["t"] if start["phase"] == RUN else end["zero"]
        clock = Clock(lo, end["t"], end["zero"], self._interval)
        self._running = self._work(clock.hi, clock, with_initial=start["phase"] == NEW)
        first = clock.hi * self.slots
        return [pickle.dumps(first + task) for task in range(self.slots)]

    def commit(self, end: Offset) -> None:
        """Forget the inputs of durable micro-batches."""
        self._inputs.forget(end["t"])

    def _note_committed(self, start: Offset) -> None:
        # Spark asks for what follows an offset only when its micro-batch is committed.
        self._set_committed(start["t"] if start["phase"] == RUN else start["zero"])

    def _clock_of(self, start: Offset) -> Clock | None:
        if start["phase"] != RUN:
            return None
        return Clock(start["t"], start["t"], start["zero"], self._interval)
