"""Waits for other threads and processes, with a deadline that only a broken one reaches."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final

DEADLINE: Final = 600.0
"""Seconds; a machine may be slow."""


def wait_for(
    condition: Callable[[], Any],
    what: str | Callable[[], str] = "the condition",
    seconds: float = DEADLINE,
) -> None:
    """Poll a condition until it holds.

    Parameters
    ----------
    condition : callable
        gives something true when it does
    what : str or callable
        what is waited for, or a function that says what there is instead
    seconds : float
        the deadline
    """
    pause = threading.Event()
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"never so: {what}" if isinstance(what, str) else what())
        pause.wait(0.01)
