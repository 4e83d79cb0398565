"""Waits that Ctrl-C and SIGTERM end."""

from __future__ import annotations

import select
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def wait_for_signals() -> Iterator[Callable[[float], bool]]:
    """Yield a function that waits some seconds; it returns True once one of the signals has come.

    No event that a handler sets would do: its lock may be held by what the handler has interrupted,
    and for a signal that comes just before a wait, Python calls the handler only behind it.
    """
    reader, writer = socket.socketpair()
    with reader, writer:
        writer.setblocking(False)
        signals = (signal.SIGINT, signal.SIGTERM)
        handlers = {number: signal.signal(number, lambda *_: None) for number in signals}
        before = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
        try:
            yield lambda seconds: bool(select.select([reader], [], [], seconds)[0])
        finally:
            signal.set_wakeup_fd(before)
            for number, handler in handlers.items():
                signal.signal(number, handler)
