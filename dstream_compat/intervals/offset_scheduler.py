"""A scheduler for queries that read tables, too: its intervals are Spark's offsets.

Spark asks all sources of a query for their offsets at once. So where it reads Kafka or a user's
DataFrame, ours has to let it wait there until an interval is due; what they have is known then.

Decision 0063: Spark's numbers of micro-batches are the clock.
"""

from __future__ import annotations

import json
import pickle
import threading
from collections.abc import Callable
from typing import Any, Final

from pyspark import SparkContext

from ..storage.files import Storage, storage_for
from ..wire.frames import Intervals
from .scheduler import Scheduler, Work

NEW: Final = "new"
RUN: Final = "run"

Offset = dict[str, Any]


def _offset(phase: str, hi: int, zero: int) -> Offset:
    return {"phase": phase, "t": hi, "zero": zero}


class OffsetScheduler(Scheduler):
    """Answers Spark's planner, then gives what the micro-batch reads that Spark has planned.

    Parameters
    ----------
    query_folder : str
        Spark's checkpoint of the query
    args, options : object
        those of ``Scheduler``
    """

    def __init__(self, query_folder: str, sc: SparkContext, *args: Any, **options: Any) -> None:
        super().__init__(sc, *args, **options)
        self._query_storage = storage_for(sc, query_folder)
        self._query_folder = query_folder
        self._planning = threading.Lock()
        self._ended = threading.Event()
        self._running: Work | None = None

    def next(
        self,
        batch: int,
        check: Callable[[], None] = lambda: None,
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
        if start is None:
            start = logged_offset(self._query_storage, self._query_folder)
        start = start or self.initial_offset()
        self._note_committed(start)
        asker = self._ask()
        zero = self._begin(self._intervals_of(start))
        last = start["t"] if start["phase"] == RUN else self._first(zero)
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
            self._offered = hi = self._planned_inputs.plan_after(last, due, zero).hi
        return _offset(RUN, hi, zero)

    def partitions(self, start: Offset, end: Offset) -> list[bytes]:
        """Return one row for each task, pickled: by it the task finds what it reads."""
        if start == end:
            return []  # Spark before 4.2 asks so where a query goes on, and reads nothing
        self._note_committed(start)
        lo = start["t"] if start["phase"] == RUN else self._first(end["zero"])
        intervals = Intervals(lo, end["t"], end["zero"], self.interval)
        self._running = self._work(intervals.hi, intervals, with_initial=start["phase"] == NEW)
        first = intervals.hi * self.slots
        return [pickle.dumps(first + task) for task in range(self.slots)]

    def commit(self, end: Offset) -> None:
        """Forget the inputs of durable micro-batches."""
        self._planned_inputs.forget(end["t"])

    def _note_committed(self, start: Offset) -> None:
        # Spark asks for what follows an offset only when its micro-batch is committed.
        self._set_committed(start["t"] if start["phase"] == RUN else start["zero"])

    def _intervals_of(self, start: Offset) -> Intervals | None:
        if start["phase"] != RUN:
            return None
        return Intervals(start["t"], start["t"], start["zero"], self.interval)


def logged_offset(storage: Storage, folder: str) -> Offset | None:
    """Return where our source ended in the last micro-batch that Spark has logged.

    Spark before 4.2 asks a Python source for its latest offset without saying where it is to start.
    It logs each micro-batch before it asks for the next one, so its log says that.

    Parameters
    ----------
    storage : Storage
        where the folder is
    folder : str
        Spark's checkpoint of the query
    """
    log = f"{folder.rstrip('/')}/offsets"
    entries = storage.list(log) if storage.exists(log) else []
    numbers = [int(entry.name) for entry in entries if entry.name.isdigit()]
    if not numbers:
        return None
    _version, _metadata, ours, *_others = storage.read(f"{log}/{max(numbers)}").decode().split("\n")
    offset: Offset = json.loads(ours)
    return offset
