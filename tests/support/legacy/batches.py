"""Waits, with a deadline that only a broken job reaches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

DEADLINE = 300.0


def wait_for(condition: Callable[[], bool], what: str) -> None:
    pause = threading.Event()
    deadline = time.monotonic() + DEADLINE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never so: {what}")
        pause.wait(0.01)
