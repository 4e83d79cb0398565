"""Clocks: the system's, and one that tests move by hand."""

from __future__ import annotations

import threading
import time
from typing import Protocol


class Clock(Protocol):
    """Where batch times come from; all times are milliseconds since the epoch."""

    def now(self) -> int:
        """Return the current time."""

    def begin(self) -> int:
        """Return the time at which a new context begins."""

    def wait(self, condition: threading.Condition, until: int) -> None:
        """Wait on a held condition until it is notified or ``until`` may have come."""


class SystemClock:
    """The wall clock."""

    def now(self) -> int:
        """Return the current time."""
        return int(time.time() * 1000)

    def begin(self) -> int:
        """Return the time at which a new context begins."""
        return self.now()

    def wait(self, condition: threading.Condition, until: int) -> None:
        """Wait until the condition is notified or the time has come (at most 1 s at once)."""
        left = until / 1000 - time.time()
        if left > 0:
            condition.wait(min(left, 1.0))


class SettableClock:
    """A clock that stands still until it is advanced.

    Mirrors ``org.apache.spark.util.ManualClock``; used when ``spark.streaming.clock`` names it.

    Parameters
    ----------
    start : int
        milliseconds since the epoch
    """

    def __init__(self, start: int = 0) -> None:
        self._now = start
        self._lock = threading.Lock()
        self._waiting: set[threading.Condition] = set()

    def now(self) -> int:
        """Return the current time."""
        with self._lock:
            return self._now

    def begin(self) -> int:
        """Return the time at which a new context begins."""
        return self.now()

    def advance(self, milliseconds: int) -> None:
        """Move the clock forward and wake whoever waits on it."""
        with self._lock:
            self._now += milliseconds
            waiting = list(self._waiting)
        for condition in waiting:
            with condition:
                condition.notify_all()

    def jump(self, time: int) -> None:
        """Set the clock to a time, unless it is later already."""
        self.advance(max(time - self.now(), 0))

    def wait(self, condition: threading.Condition, until: int) -> None:
        """Wait until the condition is notified, by ``advance`` or by its owner."""
        with self._lock:
            if self._now >= until:
                return
            self._waiting.add(condition)
        condition.wait(1.0)


def clock_for(name: str | None) -> Clock:
    """Return the clock that the setting ``spark.streaming.clock`` names.

    Raises
    ------
    ValueError
        if it is neither Spark's system clock nor its manual clock
    """
    if name is None or name == "org.apache.spark.util.SystemClock":
        return SystemClock()
    if name == "org.apache.spark.util.ManualClock":
        return SettableClock()
    raise ValueError(
        f"spark.streaming.clock={name} is not known: name org.apache.spark.util.SystemClock or "
        "org.apache.spark.util.ManualClock, or leave it out"
    )
