"""Which intervals a micro-batch takes, and what they read: the driver's half of the source."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from py4j.protocol import Py4JJavaError
from pyspark import SparkContext

from ..clock import Clock, ManualClock
from ..engine import errors
from ..engine.frames import ERROR, pack, pack_clock
from ..engine.frames import Clock as TickClock
from .base import Items, Source, SourceEvents, Timeline
from .reading import Partition
from .spool import Spool

NEW: Final = "new"
WARM: Final = "warm"
RUN: Final = "run"

Offset = dict[str, Any]
Inputs = dict[tuple[int, int], list[Items] | bytes]
"""(source node, batch time) to its logical partitions, or to a captured error."""

Drawn = dict[int, list[Items] | bytes]
"""Batch time to what one source has for it."""


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
        keeps planned inputs until they are committed, so that a replay reads the same; without
        one, only sources that keep them by themselves can be replayed by another process
    slots : int
        number of tasks of the first stage
    most : int
        intervals that one micro-batch takes at most
    on_begin : callable
        called with the zero time when the first interval begins
    events : SourceEvents
        told what happens
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
    ) -> None:
        self._sc = sc
        self._clock = clock
        self._interval = interval
        self._sources = sources
        self._initial = initial
        self._spool = spool
        self._slots = slots
        self._most = most
        self._on_begin = on_begin
        self._events = events or SourceEvents()
        self._wake = threading.Condition()
        self._planning = threading.Lock()
        self._planned: dict[int, Inputs] = {}
        self._memories: dict[int, dict[int, Any]] = {}
        self._drawing: tuple[int, dict[int, Drawn]] | None = None
        self._asker = 0
        self._begun: int | None = None
        self._committed: int | None = None
        self._halted = False
        self._until: int | None = None
        self._drained = threading.Event()
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
        if start["phase"] == NEW:
            return _offset(WARM, 0, 0)
        with self._wake:
            self._asker += 1
            me = self._asker
            self._wake.notify_all()  # whoever asked before has lost its planner
        zero = self._begin(start)
        last = start["t"] if start["phase"] == RUN else zero
        due = self._wait_until_due(last, me)
        if due is None:
            return start
        with self._planning:
            if me != self._asker:
                return start
            begun = due if self._drawing is None else self._drawing[0]
            hi = min((planned for planned in self._planned if planned > last), default=begun)
            self._plan(last, hi)
            self._offered = hi
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
                due = min(due, last + self._most * self._interval)
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
            tasks[0] = [pack_clock(clock, 0), *self._initial()]
            return tasks
        self._set_committed(start)
        if self._begun is None:
            self._go_on_at(end["t"])
        lo = start["t"] if start["phase"] == RUN else end["zero"]
        clock = TickClock(lo, end["t"], end["zero"], self._interval)
        tasks[0].append(pack_clock(clock, 0))
        inputs = self._inputs(lo, end["t"])
        self._events.planned(clock.ticks(), end["zero"], inputs)
        for (node, tick), parts in inputs.items():
            if isinstance(parts, bytes):
                tasks[0].append(pack(ERROR, node, tick, (), parts))
                continue
            for number, items in enumerate(parts):
                tasks[number % self._slots].append(Partition(node, tick, number, items))
        return tasks

    def commit(self, end: Offset) -> None:
        """Forget the inputs of durable micro-batches."""
        for hi in [hi for hi in self._planned if hi <= end["t"]]:
            del self._planned[hi]
            self._memories.pop(hi, None)
        for source in self._sources.values():
            source.committed(end["t"])
        if self._spool is not None:
            self._spool.forget(end["t"])

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

    def halt(self) -> None:
        """Offer no further micro-batch."""
        with self._wake:
            self._halted = True
            self._wake.notify_all()
        self._events.ending()

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
            fresh = start["phase"] != RUN
            if not fresh:
                self._go_on_at(start["t"])
            now = self._clock.now()
            self._begun = now // self._interval * self._interval if fresh else start["zero"]
            if not fresh and self._spool is not None:
                self._recall(self._spool, start)
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

    def _recall(self, spool: Spool, start: Offset) -> None:
        """Take over what an earlier process planned behind the last logged micro-batch."""
        memory = None
        if start["t"] > start["zero"]:
            _, memory = self._load(spool, start["t"])
        for hi in spool.after(start["t"]):
            self._planned[hi], memory = self._load(spool, hi)
            self._memories[hi] = memory
        if memory is not None:
            for node, source in self._sources.items():
                source.restore(memory[node])

    def _plan(self, lo: int, hi: int) -> None:
        if hi not in self._planned:
            if self._drawing is None:
                self._drawing = hi, {}
            drawn = self._drawing[1]
            self._draw(range(lo + self._interval, hi + 1, self._interval), drawn)
            memory = {node: source.memory() for node, source in self._sources.items()}
            self._planned[hi] = {
                (n, t): parts for n, plan in drawn.items() for t, parts in plan.items()
            }
            self._memories[hi] = memory
            self._drawing = None
        if self._spool is not None and not self._spool.has(hi):
            self._keep(self._spool, hi)

    def _draw(self, ticks: range, drawn: dict[int, Drawn]) -> None:
        """Take the records of intervals out of the sources that were not asked yet."""
        for node, source in self._sources.items():
            if node in drawn:
                continue
            try:
                drawn[node] = dict(source.plan(self._sc, ticks))
            except Py4JJavaError as error:  # an RDD of a queue failed: an error of the user's code
                payload = errors.dump(errors.capture_root(error))
                drawn[node] = dict.fromkeys(ticks, payload)

    def _inputs(self, lo: int, hi: int) -> Inputs:
        if hi not in self._planned:
            if self._spool is None:
                self._plan(lo, hi)  # what another query handed over can be read again
            else:
                self._planned[hi], _ = self._load(self._spool, hi)
        return self._planned[hi]

    # On disk, sources have numbers: node ids change with every edit of the user's code.

    def _keep(self, spool: Spool, hi: int) -> None:
        number = {node: number for number, node in enumerate(self._sources)}
        inputs = {(number[n], tick): parts for (n, tick), parts in self._planned[hi].items()}
        memory = {number[node]: known for node, known in self._memories[hi].items()}
        spool.keep(hi, pickle.dumps((inputs, memory), 5))

    def _load(self, spool: Spool, hi: int) -> tuple[Inputs, dict[int, Any]]:
        nodes = list(self._sources)
        inputs, memory = pickle.loads(spool.load(hi))
        return (
            {(nodes[number], tick): parts for (number, tick), parts in inputs.items()},
            {nodes[number]: known for number, known in memory.items()},
        )
