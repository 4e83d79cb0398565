"""Which intervals a micro-batch takes, and what they read: the driver's half of the source."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from pyspark import SparkContext

from ..clock import Clock, ManualClock
from ..engine.frames import ABSENT, ERROR, pack, pack_clock
from ..engine.frames import Clock as TickClock
from .base import Source, SourceEvents, Timeline
from .planned import PlannedInputs
from .reading import Partition
from .spool import Spool

NEW: Final = "new"
WARM: Final = "warm"
RUN: Final = "run"

Offset = dict[str, Any]


def _offset(phase: str, hi: int, zero: int) -> Offset:
    return {"phase": phase, "t": hi, "zero": zero}


class Scheduler:
    """Answers Spark's planner; every batch interval gets its batch, however late.

    Parameters
    ----------
    sc : SparkContext
        used to compute queue RDDs
    clock, interval : Clock, int
        batch times are the multiples of ``interval`` milliseconds
    sources : mapping
        source node id to source
    initial : callable
        returns the frames of initial state, once
    spool : Spool, optional
        keeps planned inputs; see ``PlannedInputs``
    slots : int
        number of tasks of the first stage
    most : int
        intervals that one micro-batch takes at most
    on_begin : callable
        called with the zero time when the first interval begins
    events : SourceEvents
        told what happens
    tables : bool
        whether Spark reads tables beside our own source. If not, a micro-batch without any interval
        is run first, so that none is late because of the start
    """

    def __init__(
        self,
        sc: SparkContext,
        clock: Clock,
        interval: int,
        sources: Mapping[int, Source],
        initial: Callable[[], Sequence[bytes]],
        spool: Spool | None,
        slots: int,
        most: int,
        on_begin: Callable[[int], None],
        events: SourceEvents | None = None,
        tables: bool = False,
    ) -> None:
        self._clock = clock
        self._interval = interval
        self._sources = sources
        self._initial = initial
        self._inputs = PlannedInputs(sc, interval, sources, spool)
        self._slots = slots
        self.most = most
        self._on_begin = on_begin
        self._events = events or SourceEvents()
        self._tables = tables
        self.running: TickClock | None = None
        self.beginning = False
        """Whether sources are being started, or have been."""
        self._wake = threading.Condition()
        self._planning = threading.Lock()
        self._asker = 0
        self._begun: int | None = None
        self._committed: int | None = None
        self._halted = False
        self._until: int | None = None
        self._drained = threading.Event()
        self._ended = threading.Event()
        self._offered = 0

    # What the planner asks.

    def initial_offset(self) -> Offset:
        """Return the offset of a new query."""
        return _offset(NEW, 0, 0)

    def latest_offset(self, start: Offset) -> Offset:
        """Return the end of the next micro-batch; waits until an interval is due.

        Records leave their source when an interval is planned. So a plan that Spark did not log,
        because its planner died or a disk was full, is offered again instead of made anew.
        """
        self._set_committed(start)
        if start["phase"] == NEW and not self._tables:
            return _offset(WARM, 0, 0)
        with self._wake:
            self._asker += 1
            me = self._asker
            self._wake.notify_all()  # whoever asked before has lost its planner
        zero = self._begin(start)
        last = start["t"] if start["phase"] == RUN else zero
        due = self._wait_until_due(last, me)
        if due is None:
            if self._tables and me == self._asker:
                # With an answer Spark would ask the tables, and log a micro-batch of their rows
                # that has no interval. Its planner waits until it is interrupted.
                self._ended.wait()
            return start
        with self._planning:
            if me != self._asker:
                return start
            self._offered = hi = self._inputs.plan_after(last, due)
        return _offset(RUN, hi, zero)

    def _wait_until_due(self, last: int, me: int) -> int | None:
        with self._wake:
            while not self._halted and me == self._asker:
                due = self._clock.now() // self._interval * self._interval
                if self._until is not None:
                    due = min(due, self._until)
                    if last >= self._until:
                        self._drained.set()
                        return None
                due = min(due, last + self.most * self._interval)
                if due > last:
                    return due
                self._clock.wait(self._wake, last + self._interval)
        return None

    def partitions(self, start: Offset, end: Offset) -> list[bytes]:
        """Return what each task of a micro-batch reads, pickled: the planner cannot load it."""
        return [pickle.dumps(task, 5) for task in self._tasks(start, end) if task]

    def _tasks(self, start: Offset, end: Offset) -> list[list[Partition | bytes]]:
        tasks: list[list[Partition | bytes]] = [[] for _ in range(self._slots)]
        if end["phase"] != RUN:
            clock = TickClock(0, 0, 0, self._interval)
            tasks[0].append(pack_clock(clock, 0))
            self._add_initial(tasks)
            return tasks
        self._set_committed(start)
        if self._begun is None:
            self._go_on_at(end["t"])
        lo = start["t"] if start["phase"] == RUN else end["zero"]
        self.running = clock = TickClock(lo, end["t"], end["zero"], self._interval)
        tasks[0].append(pack_clock(clock, 0))
        if start["phase"] == NEW:
            self._add_initial(tasks)
        inputs = self._inputs.of(lo, end["t"])
        self._events.planned(clock.ticks(), end["zero"], inputs)
        used = 0
        for (node, tick), parts in inputs.items():
            if isinstance(parts, bytes):
                tasks[0].append(pack(ERROR, node, tick, (), parts))
                continue
            if parts is None:
                tasks[0].append(pack(ABSENT, node, tick))
                continue
            # A stream with a partition for each task has them in order, others share what is left.
            first = used if len(parts) < self._slots else 0
            for number, items in enumerate(parts):
                task = tasks[(first + number) % self._slots]
                task.append(Partition(node, tick, number, items))
            used = first + len(parts)
        return tasks

    def _add_initial(self, tasks: list[list[Partition | bytes]]) -> None:
        """Deal the initial states out: what one task is given travels in it."""
        for number, frame in enumerate(self._initial()):
            tasks[number % self._slots].append(frame)

    def commit(self, end: Offset) -> None:
        """Forget the inputs of durable micro-batches."""
        self._inputs.forget(end["t"])

    # What the context asks.

    def await_committed(self, tick: int | None, wanted: Callable[[], None]) -> int:
        """Wait until Spark has committed an interval; returns the last one that it has.

        Parameters
        ----------
        tick : int, optional
            batch time in milliseconds; None waits until it is known which is the last one
        wanted : callable
            called from time to time; ends the wait by raising
        """
        with self._wake:
            while self._committed is None or (tick is not None and self._committed < tick):
                wanted()
                self._wake.wait(0.05)
            return self._committed

    @property
    def committed(self) -> int | None:
        """The last interval that Spark has committed, as far as is known (milliseconds)."""
        return self._committed

    @property
    def draining(self) -> bool:
        """Whether what was received is to be processed, and nothing more."""
        return self._until is not None

    def halt(self) -> None:
        """Offer no further micro-batch."""
        with self._wake:
            self._halted = True
            self._wake.notify_all()
        self._events.ending()

    def end(self) -> None:
        """Be told that the query has ended."""
        self._ended.set()

    def drain(self) -> threading.Event:
        """Receive nothing more and process what was received; the event says that it is done."""
        for source in self._sources.values():
            source.stop_receiving()
        with self._wake:
            if self._until is None:
                # As on the real engine, the interval that has begun is the last one.
                due = self._clock.now() // self._interval * self._interval
                self._until = max(due, self._offered) + self._interval
            self._wake.notify_all()
        self._events.ending()
        return self._drained

    def _set_committed(self, start: Offset) -> None:
        # Spark asks for what follows an offset only when its micro-batch is committed.
        with self._wake:
            self._committed = start["t"] if start["phase"] == RUN else start["zero"]
            self._wake.notify_all()

    def _begin(self, start: Offset) -> int:
        if self._begun is None:
            self.beginning = True
            fresh = start["phase"] != RUN
            if fresh:
                self._begun = self._clock.begin() // self._interval * self._interval
            else:
                self._go_on_at(start["t"])
                self._begun = int(start["zero"])
                self._inputs.recall(start["t"], start["zero"])
            self._events.begun(self._begun, self._begun if fresh else start["t"])
            timeline = Timeline(self._clock, self._interval, self._begun, self._events)
            for source in self._sources.values():
                source.start(timeline)
            self._on_begin(self._begun)
        return self._begun

    def _go_on_at(self, time: int) -> None:
        """Let a manual clock of a recovered context go on where it was, as the real engine does."""
        if isinstance(self._clock, ManualClock):
            self._clock.jump(time)
