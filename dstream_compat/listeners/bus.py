"""The bus that carries events to the listeners of a context, on a thread of its own."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from typing import Any, Final

from ..listener import StreamingListener
from ..wire.errors import USER_ERRORS

_LOG = logging.getLogger("dstream_compat")
_CAPACITY: Final = 10_000
"""Events that may wait, as in Spark's listener bus."""
_FLUSH_SECONDS: Final = 2.0
_CALLBACKS: Final = tuple(name for name in vars(StreamingListener) if name.startswith("on"))


class ListenerBus:
    """Calls listeners one after another, event by event, so that a slow one delays no batch.

    Mirrors ``org.apache.spark.streaming.scheduler.StreamingListenerBus``.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._listeners: tuple[Any, ...] = ()
        self._waiting: deque[tuple[str, Any]] = deque()
        self._dropped = 0
        self._thread: threading.Thread | None = None
        self._calling = False
        self._closed = False

    def add(self, listener: Any) -> None:
        """Add a listener; one that is added twice is called twice.

        Raises
        ------
        TypeError
            if it has none of the callbacks
        """
        if isinstance(listener, type) or not any(hasattr(listener, name) for name in _CALLBACKS):
            raise TypeError(
                f"a StreamingListener is needed, not {listener!r}: an object with at least one of "
                f"{', '.join(_CALLBACKS)}"
            )
        with self._changed:
            self._listeners = (*self._listeners, listener)

    @property
    def has_listeners(self) -> bool:
        """Whether anybody listens."""
        return bool(self._listeners)

    def in_callback(self) -> bool:
        """Return whether the calling thread is the one that calls listeners."""
        return self._thread is threading.current_thread()

    def post(self, callback: str, event: Any) -> None:
        """Hand an event to all listeners, soon; never waits.

        Parameters
        ----------
        callback : str
            name of the method to call
        event : object
            its argument
        """
        with self._changed:
            if not self._listeners or self._closed:
                return
            if len(self._waiting) >= _CAPACITY:
                self._drop(callback)
                return
            self._waiting.append((callback, event))
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="dstream-compat-listeners", daemon=True
                )
                self._thread.start()
            self._changed.notify_all()

    def close(self) -> None:
        """Take no further events; returns when those that wait are delivered, or 2 s are over."""
        deadline = time.monotonic() + _FLUSH_SECONDS
        with self._changed:
            self._closed = True
            self._changed.notify_all()
            if self.in_callback():
                return
            self._changed.wait_for(
                lambda: not self._waiting and not self._calling, deadline - time.monotonic()
            )
            if self._waiting or self._calling:
                _LOG.warning(
                    "a listener is too slow: %d events were not delivered when the context stopped",
                    len(self._waiting),
                )
                self._waiting.clear()

    def _drop(self, callback: str) -> None:
        self._dropped += 1
        if self._dropped == 1:
            _LOG.error(
                "a listener is too slow: %d events wait for it, so %s and later ones are dropped",
                _CAPACITY,
                callback,
            )

    def _run(self) -> None:
        while True:
            with self._changed:
                self._calling = False
                self._changed.notify_all()
                self._changed.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                callback, event = self._waiting.popleft()
                listeners = self._listeners
                self._calling = True
            for listener in listeners:
                _call(listener, callback, event)


def _call(listener: Any, callback: str, event: Any) -> None:
    method = getattr(listener, callback, None)
    if method is None:
        return
    try:
        method(event)
    except USER_ERRORS:  # as in Spark: other listeners, and this one's next events, still come
        _LOG.exception("Listener %s threw an exception in %s", type(listener).__name__, callback)
