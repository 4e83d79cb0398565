"""Decides which intervals a micro-batch takes, and plans what they read."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pyspark import SparkContext

from ..clock import Clock, SettableClock
from ..source.base import Input, SourceEvents, Timeline
from ..storage.spool import Spool
from ..wire.frames import ABSENT, ERROR, Intervals, pack, pack_intervals
from ..worker.reading.entries import Entry, Partition
from .imported import Imported
from .planned_inputs import PlannedInputs
from .variables import WatchedVariables

Task = list[Entry]
"""What one task reads."""


class Work(NamedTuple):
    """A micro-batch.

    Parameters
    ----------
    number : int
        by which its tasks find what they read
    intervals : Intervals
        its intervals; none in the one that warms Spark up
    tasks : list of Task
        what each task reads
    """

    number: int
    intervals: Intervals
    tasks: list[Task]


@dataclass(eq=False)
class Scheduler:
    """Says what each micro-batch reads; every batch interval gets its batch, however late.

    Parameters
    ----------
    sc : SparkContext
        used to compute queue RDDs
    clock, interval : Clock, int
        batch times are the multiples of ``interval`` milliseconds
    inputs : mapping
        source node id to input
    initial : callable
        returns the entries of initial state, once
    spool : Spool, optional
        see ``PlannedInputs``
    slots : int
        number of tasks of the first stage
    most : int
        intervals that one micro-batch takes at most
    on_begin : callable
        called with the zero time when the first interval begins
    events : SourceEvents
        told what happens
    by_sources : bool
        see ``PlannedInputs``
    imported : Imported, optional
        where a new job begins that has taken over the checkpoint of another engine
    variables : WatchedVariables, optional
        what the query's functions see: intervals between which it changes run apart
    """

    sc: SparkContext
    clock: Clock
    interval: int
    inputs: Mapping[int, Input]
    initial: Callable[[], Sequence[Entry]]
    spool: Spool | None
    slots: int
    most: int
    on_begin: Callable[[int], None]
    events: SourceEvents = field(default_factory=SourceEvents)
    by_sources: bool = False
    imported: Imported | None = None
    variables: WatchedVariables | None = None

    def __post_init__(self) -> None:
        self._planned_inputs = PlannedInputs(
            self.sc, self.interval, self.inputs, self.spool, self.by_sources
        )
        self.beginning = False
        """Whether inputs are being started."""
        self._wake = threading.Condition()
        self._asker = 0
        self.zero: int | None = None  # before it has begun
        self._committed: int | None = None
        self.halted = False
        self._until: int | None = None
        self._drained = threading.Event()
        self._offered = 0

    def needs_jvm(self) -> bool:
        """Return whether an earlier process has planned files that only a JVM can read."""
        return self._planned_inputs.need_jvm()

    def next(
        self,
        batch: int,
        check: Callable[[], None] = lambda: None,
        due: Callable[[], None] = lambda: None,
    ) -> Work | None:
        """Return what Spark's micro-batch of a number reads; waits until an interval is due.

        The first one has no interval: none is late because Spark had to start. What is returned
        is durable if the job can be recovered: the same number gets the same again.

        Parameters
        ----------
        batch : int
            Spark's number; it comes when the micro-batch before is committed
        check : callable
            called from time to time; ends the wait, or what is being planned, by raising
        due : callable
            called when the wait is over, before anything is planned

        Returns
        -------
        Work, optional
            None if there are to be no more micro-batches

        Raises
        ------
        CheckpointError
            if an earlier process has planned it, and that is gone or damaged
        """
        asker = self._ask()
        last = self._planned_inputs.before(batch)
        self._set_committed(0 if last is None else last.hi)
        intervals = self._planned_inputs.intervals_of_batch(batch)
        if intervals is None:
            if batch == 0:
                due()
                return self._work(0, Intervals(0, 0, 0, self.interval), with_initial=True)
            zero = self._begin(last)
            if last is not None:
                self._planned_inputs.forget(last.hi)
            since = self._first(zero) if last is None else last.hi
            until = self._wait_until_due(since, asker, check)
            if until is None:
                return None
            due()
            intervals = self._planned_inputs.plan_after(since, until, zero, batch, check)
        else:
            due()
        self._offered = intervals.hi
        return self._work(batch, intervals)

    def _ask(self) -> int:
        with self._wake:
            self._asker += 1
            self._wake.notify_all()  # whoever asked before has lost its query
            return self._asker

    def _wait_until_due(
        self, last: int, asker: int, check: Callable[[], None] = lambda: None
    ) -> int | None:
        with self._wake:
            while not self.halted and asker == self._asker:
                due = self.clock.now() // self.interval * self.interval
                if self._until is not None and last >= self._until:
                    self._drained.set()
                    return None
                due = min(due, self._until or due, last + self.most * self.interval)
                if due > last:
                    break
                check()
                self.clock.wait(self._wake, last + self.interval)
            else:
                return None
        if self.variables is not None:  # pickles all functions: a stop must not wait for it
            due = self.variables.same_until(last, due, self.interval)
        with self._wake:
            return None if self.halted or asker != self._asker else due

    def _work(self, number: int, intervals: Intervals, with_initial: bool = False) -> Work:
        tasks: list[Task] = [[] for _ in range(self.slots)]
        tasks[0].append(pack_intervals(intervals, 0))
        if with_initial:
            # dealt out: what one task is given travels in it
            for place, entry in enumerate(self.initial()):
                tasks[place % self.slots].append(entry)
        if intervals.hi:
            self._add_inputs(tasks, intervals)
        return Work(number, intervals, tasks)

    def _add_inputs(self, tasks: list[Task], intervals: Intervals) -> None:
        if self.zero is None:
            self._go_on_at(intervals.hi)
        inputs = self._planned_inputs.of(intervals)
        self.events.note_plan(intervals.ticks(), intervals.zero, inputs)
        used = 0
        for (node, tick), parts in inputs.items():
            if isinstance(parts, bytes):
                tasks[0].append(pack(ERROR, node, tick, (), parts))
                continue
            if parts is None:
                tasks[0].append(pack(ABSENT, node, tick))
                continue
            # A stream with a partition for each task has them in order, others share what is left.
            first = used if len(parts) < self.slots else 0
            for number, items in enumerate(parts):
                task = tasks[(first + number) % self.slots]
                task.append(Partition(node, tick, number, items))
            used = first + len(parts)

    def await_committed(self, tick: int | None, check: Callable[[], None]) -> int:
        """Wait until Spark has committed an interval; returns the last one that it has.

        Parameters
        ----------
        tick : int, optional
            batch time in milliseconds; None waits until it is known which is the last one
        check : callable
            called from time to time; ends the wait by raising
        """
        with self._wake:
            while self._committed is None or (tick is not None and self._committed < tick):
                check()
                self._wake.wait(0.05)
            return self._committed

    @property
    def last_commit(self) -> int | None:
        """The last interval that Spark has committed, as far as is known (milliseconds)."""
        return self._committed

    def halt(self) -> None:
        """Offer no further micro-batch."""
        with self._wake:
            self.halted = True
            self._wake.notify_all()
        self.events.note_stopping()

    def end(self) -> None:
        """Note that the query has ended."""

    def drain(self) -> threading.Event:
        """Receive nothing more and process what was received; the event says that it is done."""
        for source in self.inputs.values():
            source.stop_receiving()
        with self._wake:
            if self._until is None:
                # As with DStreams, the interval that has begun is the last one.
                due = self.clock.now() // self.interval * self.interval
                self._until = max(due, self._offered) + self.interval
            self._wake.notify_all()
        self.events.note_stopping()
        return self._drained

    def _set_committed(self, time: int) -> None:
        with self._wake:
            self._committed = time
            self._wake.notify_all()

    def _first(self, zero: int) -> int:
        """Return after which batch time a new job begins."""
        return zero if self.imported is None else self.imported.since

    def _begin(self, last: Intervals | None) -> int:
        """Start the inputs, unless they are; returns the zero time.

        Parameters
        ----------
        last : Intervals, optional
            the last micro-batch of an earlier process; None in a new job
        """
        if self.zero is None:
            self.beginning = True
            if last is None and self.imported is not None:
                self._go_on_at(self.imported.since)
                self.zero = self.imported.zero
            elif last is None:
                self.zero = self.clock.begin() // self.interval * self.interval
            else:
                self._go_on_at(last.hi)
                self.zero = last.zero
                self._planned_inputs.restore(last.hi)
            began_at = self._first(self.zero) if last is None else last.hi
            self.events.note_begin(self.zero, began_at)
            timeline = Timeline(self.clock, self.interval, self.zero, self.events)
            for source in self.inputs.values():
                source.start(timeline)
            self.on_begin(self.zero)
            self.beginning = False
        return self.zero

    def _go_on_at(self, time: int) -> None:
        """Let a manual clock of a recovered context go on where it was, as DStreams do."""
        if isinstance(self.clock, SettableClock):
            self.clock.jump(time)
