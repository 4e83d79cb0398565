"""Later queries: state behind RDD functions, computed in step with the first query.

All queries of a context go through its intervals in step. The first one's ``foreachBatch`` function
hands an interval over, waits for what the next query makes of it, and when it has that of all
queries runs the outputs of the interval, in their order. Only then do the callbacks of the other
queries return, and when those have committed the interval, the first one goes on.

Decision 0007: State behind transform is a second query, in step with the first.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

from ..source.handover import Handed, Handover, HandoverClock
from .callback import Callback
from .rdds import MicroBatch

_LOOK_SECONDS: Final = 0.05


@dataclass(eq=False, repr=False)
class LaterQuery(Callback):
    """The ``foreachBatch`` function of a query behind another one, and what the first one asks it.

    Parameters
    ----------
    sc, life, scheduler, execution, functions : SparkContext, Lifecycle, ...
        see ``Callback``
    handover : Handover
        what the query reads
    clock : HandoverClock
        what tells it that there is something to read

    Attributes
    ----------
    warm : threading.Event
        set when it has computed a micro-batch
    """

    handover: Handover
    clock: HandoverClock

    def __post_init__(self) -> None:
        super().__post_init__()
        self.warm = threading.Event()
        self._changed = threading.Condition()
        self._offered: tuple[int, MicroBatch] | None = None
        self._finished: int | None = None

    def run(self, batch: MicroBatch) -> None:
        """Offer each interval to the first query, and wait until that is done with it."""
        self.warm.set()
        assert batch.intervals is not None
        for tick in batch.intervals.ticks():
            with self._changed:
                self._offered = tick, batch
                self._changed.notify_all()
                try:
                    while self._finished is None or self._finished < tick:
                        self.life.check()
                        self._changed.wait(_LOOK_SECONDS)
                finally:
                    self._offered = None

    # What the first query asks, in its own thread.

    def begin_at(self, zero: int) -> None:
        """Let the query begin at the zero time of the context (milliseconds), unless it has."""
        self.clock.begin_at(zero)

    def last_commit(self) -> int:
        """Return the last interval that the query has committed."""
        return self.scheduler.await_committed(None, self.life.check)

    def process(self, tick: int, handed: Handed | None) -> MicroBatch:
        """Hand an interval over and return what the query makes of it.

        Parameters
        ----------
        tick : int
            batch time in milliseconds
        handed : Handed, optional
            None if it was handed over before
        """
        if handed is not None:
            self.handover.put(tick, handed)
        self.clock.jump(tick)
        with self._changed:
            while self._offered is None or self._offered[0] != tick:
                self.life.check()
                self._changed.wait(_LOOK_SECONDS)
            return self._offered[1]

    def catch_up(self, tick: int) -> None:
        """Let the query commit an interval that was handed over and whose outputs have run."""
        self.clock.jump(tick)
        self.finish(tick)
        self.await_commit(tick)

    def finish(self, tick: int) -> None:
        """Let the query commit the interval: all its outputs have run."""
        with self._changed:
            self._finished = tick
            self._changed.notify_all()

    def await_commit(self, tick: int) -> None:
        """Wait until the query has committed the interval."""
        self.scheduler.await_committed(tick, self.life.check)

    def release(self) -> None:
        """Let the query end."""
        self.handover.release()
        self.clock.release()
