"""The write-ahead log of a receiver: what it receives is on disk before it enters an interval."""

from __future__ import annotations

import logging
import pickle
import threading
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from py4j.protocol import Py4JError

from ...storage.files import reason_of
from ...storage.spool import Spool

_LOG = logging.getLogger("dstream_compat")
_ROOM: Final = 16 << 20
_RETRY_SECONDS: Final = 2.0
_REMIND_SECONDS: Final = 30.0
_LOST: Final = (
    "%d received blocks could not be logged before the context stopped: they are lost, unless "
    "their sender sends them again"
)


class _Waiting(NamedTuple):
    item: Any
    size: int
    done: Callable[[], None] | None


class ReceivedLog:
    """Files of received records, numbered in the order of their arrival.

    Records gather while a file is being written, so the disk, not the number of records, says how
    many files there are. When the disk refuses, it is tried again, and when 16 MiB wait, whoever
    receives waits too: nothing is dropped.

    Parameters
    ----------
    spool : Spool
        keeps the files
    pause : float
        seconds between two files at least
    enter : callable
        takes logged records and the number of their file into an interval
    failed : callable
        is told why the disk refuses, now and then
    """

    def __init__(
        self,
        spool: Spool,
        pause: float,
        enter: Callable[[list[Any], int], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._spool = spool
        self._pause = pause
        self._enter = enter
        self._failed = failed
        self._changed = threading.Condition()
        self._waiting: list[_Waiting] = []
        self._size = 0
        self._number = max(spool.after(-1), default=0)
        self._next = 0.0
        self._reminded = 0.0
        self._closed = False
        self._ended = False
        self._thread: threading.Thread | None = None

    def recover(self, taken: int) -> list[tuple[int, list[Any]]]:
        """Return what an earlier process logged, file by file, but for what intervals took.

        Parameters
        ----------
        taken : int
            number of the last file that a planned interval took
        """
        self._number = max(self._number, taken)
        for number in self._spool.after(-1):
            if number <= taken:
                self._spool.drop(number)
        return [(n, self._spool.load(n)) for n in self._spool.after(taken)]

    def start(self, name: str) -> None:
        """Begin to write, in a thread of its own."""
        self._thread = threading.Thread(target=self._run, name=f"{name} log", daemon=True)
        self._thread.start()

    def add(self, item: Any, size: int, done: Callable[[], None] | None = None) -> None:
        """Let something be logged; waits while too much waits already.

        Parameters
        ----------
        item : object
            what was received
        size : int
            its bytes, more or less
        done : callable, optional
            called when it is on disk
        """
        with self._changed:
            while self._size >= _ROOM and not self._closed:
                self._changed.wait()
            if self._ended:
                _LOG.error(_LOST, 1)
                return
            if not self._waiting:
                self._changed.notify_all()  # else it was told already
            self._waiting.append(_Waiting(item, size, done))
            self._size += max(size, 1)

    def flush(self, seconds: float) -> bool:
        """Wait until all that was added is on disk; returns whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: self._size == 0, seconds)

    def drop(self, number: int) -> None:
        """Delete a file: its records are part of a committed batch."""
        self._spool.drop(number)

    def close(self, seconds: float) -> None:
        """Write what waits, for so many seconds at most, and end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        if self._thread is not None:
            self._thread.join(seconds)
        with self._changed:
            self._ended = True
            left, self._waiting = self._waiting, []
        if left:
            _LOG.error(_LOST, len(left))

    def _run(self) -> None:
        while batch := self._gather():
            items = [waiting.item for waiting in batch]
            if not self._keep(pickle.dumps(items, 5)):
                with self._changed:
                    self._waiting = batch + self._waiting
                return
            self._enter(items, self._number)
            for waiting in batch:
                if waiting.done is not None:
                    waiting.done()
            with self._changed:
                self._size -= sum(max(waiting.size, 1) for waiting in batch)
                self._changed.notify_all()

    def _gather(self) -> list[_Waiting]:
        """Wait for the next file's records; returns none when it is time to end."""
        with self._changed:
            while True:
                self._changed.wait_for(lambda: self._waiting or self._closed)
                pause = self._next - time.monotonic()
                if self._closed or pause <= 0:
                    break
                self._changed.wait(pause)
            self._next = time.monotonic() + self._pause
            batch, self._waiting = self._waiting, []
            return batch

    def _keep(self, data: bytes) -> bool:
        """Write one file, however often the disk refuses; returns False if it is too late."""
        while True:
            try:
                self._spool.keep(self._number + 1, data)
            except (OSError, Py4JError) as error:
                now = time.monotonic()
                if not self._reminded or now - self._reminded > _REMIND_SECONDS:
                    self._reminded = now
                    _LOG.error(
                        "received records cannot be logged: %s; trying again every %g s, and "
                        "receiving no more than fits into memory",
                        reason_of(error),
                        _RETRY_SECONDS,
                    )
                    self._failed(error)
                with self._changed:
                    if self._changed.wait_for(lambda: self._closed, _RETRY_SECONDS):
                        return self._last_try(data)
            else:
                self._reminded = 0.0
                self._number += 1
                return True

    def _last_try(self, data: bytes) -> bool:
        try:
            self._spool.keep(self._number + 1, data)
        except (OSError, Py4JError) as error:
            _LOG.error("received records cannot be logged: %s", reason_of(error))
            return False
        self._number += 1
        return True
