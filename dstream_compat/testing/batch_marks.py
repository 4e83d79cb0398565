"""Knows which batches are complete, by an output that checkpoints can refer to."""

from __future__ import annotations

import threading
from typing import Any


class BatchMarks:
    """The complete batches of the job that runs now, by their times in milliseconds."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._done: set[int] = set()
        self._closed = False

    def add(self, at: int) -> None:
        """Note that a batch is complete."""
        with self._changed:
            self._done.add(at)
            self._changed.notify_all()

    def wait(self, at: int, seconds: float | None = None) -> bool:
        """Wait until a batch is complete; return whether it is (not if the job has ended).

        Raises
        ------
        TimeoutError
            if the time passes before
        """
        with self._changed:
            if not self._changed.wait_for(lambda: at in self._done or self._closed, seconds):
                raise TimeoutError(f"batch {at} did not end; done: {sorted(self._done)}")
            return at in self._done

    def open(self) -> None:
        """Begin with a new job."""
        with self._changed:
            self._done.clear()
            self._closed = False

    def close(self) -> None:
        """Wake whoever waits: the job has ended."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


MARKS = BatchMarks()


def mark(at: Any, rdd: Any) -> None:
    """Note that a batch is complete; the last output of a job, so it comes after all others."""
    MARKS.add(round(at.timestamp() * 1000))
