"""Knows which batches are complete, by an output that checkpoints can refer to."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

DEADLINE = 300.0


class Batches:
    """The batches of the job that runs now, by their times in milliseconds."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._done: set[int] = set()
        self._closed = False

    def add(self, at: int) -> None:
        with self._changed:
            self._done.add(at)
            self._changed.notify_all()

    def wait(self, at: int) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: at in self._done or self._closed, DEADLINE):
                raise AssertionError(f"batch {at} did not end; done: {sorted(self._done)}")

    def open(self) -> None:
        with self._changed:
            self._done.clear()
            self._closed = False

    def close(self) -> None:
        """The job has ended; nobody needs to wait any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


BATCHES = Batches()


def mark(at: Any, rdd: Any) -> None:
    """The additional output: it comes last, so it ends the batch."""
    BATCHES.add(round(at.timestamp() * 1000))


def wait_for(condition: Callable[[], bool], what: str) -> None:
    pause = threading.Event()
    deadline = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never so: {what}")
        pause.wait(0.01)
