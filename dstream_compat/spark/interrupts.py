"""Delays Ctrl-C while a job starts or stops: it would break a call into the JVM."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupts_held_back(on_first: Callable[[], None] = lambda: None) -> Iterator[None]:
    """Let a Ctrl-C take effect at the end of the block; a second one does so at once.

    Parameters
    ----------
    on_first : callable
        called at once, in the middle of whatever runs; it must not call the JVM
    """
    handler = signal.getsignal(signal.SIGINT)
    main = threading.current_thread() is threading.main_thread()
    if not main or not callable(handler):
        yield
        return
    held = False

    def hold(number: int, frame: FrameType | None) -> None:
        nonlocal held
        held = not held
        if held:
            on_first()
        else:
            handler(number, frame)

    signal.signal(signal.SIGINT, hold)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if held:
            handler(signal.SIGINT, None)
