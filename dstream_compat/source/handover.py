"""The input of a later query: what the query before hands over, interval by interval."""

from __future__ import annotations

import pickle
import threading
from collections.abc import Sequence

from pyspark import SparkContext

from ..clock import SettableClock
from ..storage.spool import Spool
from .base import Input, Planned

Handed = dict[int, Planned]
"""Stream (its number) to what it has in one interval."""


class Handover:
    """The intervals that the next query has not committed yet.

    Parameters
    ----------
    spool : Spool, optional
        keeps them on disk until then; None, in a job that cannot be recovered, only in memory
    """

    def __init__(self, spool: Spool | None) -> None:
        self._spool = spool
        self._handed: dict[int, Handed] = {}
        self._lock = threading.Condition()
        self._released = False

    def has(self, tick: int) -> bool:
        """Return whether an interval was handed over."""
        with self._lock:
            return tick in self._handed or (self._spool is not None and self._spool.has(tick))

    def put(self, tick: int, handed: Handed) -> None:
        """Hand an interval over: it is on disk when this returns, unless something failed.

        See ``make_durable``.
        """
        with self._lock:
            self._handed[tick] = handed
            if not any(isinstance(parts, bytes) for parts in handed.values()):
                self._keep(tick)
            self._lock.notify_all()

    def withdraw(self, tick: int) -> None:
        """Let another process hand an interval over anew: what failed may succeed then."""
        with self._lock:
            if self._spool is not None and self._spool.has(tick):
                if tick not in self._handed:  # an earlier process handed it over
                    self._handed[tick] = self._spool.load(tick)
                self._spool.drop(tick)

    def make_durable(self, tick: int) -> None:
        """Let an interval be on disk as it was handed over: it is about to be committed."""
        with self._lock:
            self._keep(tick)

    def _keep(self, tick: int) -> None:
        if self._spool is not None and not self._spool.has(tick):
            self._spool.keep(tick, pickle.dumps(self._handed[tick], 5))

    def get(self, tick: int) -> Handed:
        """Return an interval, also one that an earlier process handed over.

        In a recovered job the query asks at once for what it had not committed, and what had failed
        of that is handed over again.

        Raises
        ------
        FileNotFoundError
            if the job ends before it was handed over
        """
        with self._lock:
            while tick not in self._handed:
                if self._spool is not None and self._spool.has(tick):
                    self._handed[tick] = self._spool.load(tick)
                elif self._spool is None or self._released:
                    raise FileNotFoundError(f"the interval {tick} ms was not handed over")
                else:
                    self._lock.wait(1.0)
            return self._handed[tick]

    def release(self) -> None:
        """Let nobody wait any more."""
        with self._lock:
            self._released = True
            self._lock.notify_all()

    def forget(self, tick: int) -> None:
        """Drop the intervals until ``tick``: they are part of the next query's state now."""
        with self._lock:
            for done in [held for held in self._handed if held <= tick]:
                del self._handed[done]
            if self._spool is not None:
                self._spool.forget(tick + 1)


class HandoverInput(Input):
    """One stream of the intervals that were handed over.

    Parameters
    ----------
    handover : Handover
        the intervals
    number : int
        which of their streams
    label : str
        what the user called the stream
    """

    def __init__(self, handover: Handover, number: int, label: str) -> None:
        super().__init__(label)
        self._handover = handover
        self._number = number

    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, Planned]:
        """Take what was handed over; a stream with a longer slide is not in every interval."""
        return {tick: self._handover.get(tick).get(self._number, []) for tick in ticks}

    def forget_until(self, tick: int) -> None:
        self._handover.forget(tick)


class HandoverClock(SettableClock):
    """The clock of a query that follows another one: it shows what was handed over."""

    def __init__(self) -> None:
        super().__init__()
        self._zero = 0
        self._begun = threading.Event()

    def begin_at(self, zero: int) -> None:
        """Say the zero time of the context (milliseconds); only the first call counts."""
        if not self._begun.is_set():
            self._zero = zero
            self.jump(zero)
            self._begun.set()

    def begin(self) -> int:
        """Return the zero time, which is not now: something may be handed over already."""
        self._begun.wait()
        return self._zero

    def release(self) -> None:
        """Let nobody wait for the first query any more."""
        self._begun.set()
