"""socketTextStream: lines of UTF-8 text from a TCP server."""

from __future__ import annotations

import contextlib
import logging
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

from pyspark import SparkContext

from ..engine.frames import LINES
from .base import Items, Source, Timeline
from .reading import Chunk, line_blocks

_LOG = logging.getLogger("dstream_compat")
_RETRY_SECONDS = 2.0
_CONNECT_SECONDS = 10.0
_JOIN_SECONDS = 1.0
_SPLIT_BYTES = 1 << 18
_REMIND_SECONDS = 30.0


class SocketSource(Source):
    """Reads lines and files each under the interval in which it arrived.

    Mirrors ``org.apache.spark.streaming.dstream.SocketReceiver``.

    Parameters
    ----------
    host, port : str, int
        the server to connect to; the connection is made again whenever it is lost
    partitions : int
        logical partitions that a large interval is cut into
    """

    receiver = "SocketReceiver"

    def __init__(self, host: str, port: int, partitions: int) -> None:
        self.label = f"socketTextStream({host}:{port})"
        self._host = host
        self._port = port
        self._partitions = partitions
        self._init_runtime()

    def _init_runtime(self) -> None:
        self._lock = threading.Lock()
        self._received: dict[int, list[tuple[bytes, int]]] = {}
        self._sealed = 0
        self._stopped = threading.Event()
        self._timeline: Timeline | None = None
        self._socket: socket.socket | None = None
        self._thread: threading.Thread | None = None
        self._active = False
        self._reminded = 0.0

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("label", "_host", "_port", "_partitions")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._init_runtime()

    def start(self, timeline: Timeline) -> None:
        """See the base class."""
        self._timeline = timeline
        self._thread = threading.Thread(target=self._receive, name=self.label, daemon=True)
        self._thread.start()

    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, list[Items]]:
        """See the base class; an idle interval has no partition."""
        with self._lock:
            self._sealed = ticks[-1]
            taken = {tick: self._received.pop(tick, []) for tick in ticks}
        return {tick: self._split(blocks) for tick, blocks in taken.items()}

    def pending(self) -> bool:
        """See the base class."""
        with self._lock:
            return bool(self._received)

    def stop_receiving(self) -> None:
        """See the base class."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._report_stop("Stopped by driver")
        connection = self._socket
        if connection is not None:
            with contextlib.suppress(OSError):  # the peer may have closed it first
                connection.shutdown(socket.SHUT_RDWR)
        if self._thread is not None:
            self._thread.join(_JOIN_SECONDS)  # what it has read is filed before anybody drains

    def waiting(self, tick: int) -> int:
        """See the base class."""
        with self._lock:
            return sum(count for _, count in self._received.get(tick, ()))

    def received(self) -> int:
        """Return how many lines wait for their interval (for tests)."""
        with self._lock:
            return sum(count for blocks in self._received.values() for _, count in blocks)

    def _split(self, blocks: list[tuple[bytes, int]]) -> list[Items]:
        if not blocks:
            return []
        size = sum(len(data) for data, _ in blocks)
        wanted = min(self._partitions, size // _SPLIT_BYTES + 1, len(blocks))
        share = -(-len(blocks) // wanted)
        return [
            tuple(Chunk(LINES, count, data) for data, count in blocks[i : i + share])
            for i in range(0, len(blocks), share)
        ]

    def _receive(self) -> None:
        while self._report_start():
            message, error = self._connect_and_read()
            self._report_stop(message, error)
            self._stopped.wait(_RETRY_SECONDS)

    def _connect_and_read(self) -> tuple[str, str]:
        """Receive until the connection ends or cannot be made; return Spark's words, the error."""
        assert self._timeline is not None
        again = f"Restarting receiver with delay {_RETRY_SECONDS * 1000:.0f}ms: "
        try:
            peer = socket.create_connection((self._host, self._port), _CONNECT_SECONDS)
        except socket.gaierror as error:  # no such host
            stream = self._timeline.events.stream_id(self)
            return f"Error starting receiver {stream}", self._warn(error)
        except OSError as error:
            where = f"{self._host}:{self._port}"
            return f"{again}Error connecting to {where}", self._warn(error)
        try:
            with peer:
                peer.settimeout(None)
                self._socket = peer
                self._reminded = 0.0
                for data, count in line_blocks(self._blocks(peer)):
                    self._file(data, count)
        except OSError as error:
            return f"{again}Error receiving data", self._warn(error)
        finally:
            self._socket = None
        return f"{again}Socket data stream had no more data", ""

    def _warn(self, error: OSError) -> str:
        """Return an error as text; log it now and then."""
        now = time.monotonic()
        due = not self._reminded or now - self._reminded > _REMIND_SECONDS
        if due and not self._stopped.is_set():
            self._reminded = now
            _LOG.warning(
                "%s: %s; trying again every %g s (is a server listening there?)",
                self.label,
                error,
                _RETRY_SECONDS,
            )
        return f"{type(error).__name__}: {error}"

    def _report_start(self) -> bool:
        """Tell listeners that the receiver starts; return False if it was stopped."""
        assert self._timeline is not None
        with self._lock:
            if self._stopped.is_set():
                return False
            self._active = True
            self._timeline.events.receiver_started(self)
        return True

    def _report_stop(self, message: str, error: str = "") -> None:
        """Tell listeners that the receiver stops, if it had started."""
        with self._lock:
            if self._active and self._timeline is not None:
                self._active = False
                self._timeline.events.receiver_stopped(self, message, error)

    def _blocks(self, peer: socket.socket) -> Iterator[bytes]:
        while not self._stopped.is_set():
            block = peer.recv(1 << 16)
            if not block:
                return
            yield block

    def _file(self, data: bytes, count: int) -> None:
        assert self._timeline is not None
        clock, interval = self._timeline.clock, self._timeline.interval
        with self._lock:
            # A line that arrives at the very time of a batch belongs to the next one.
            tick = max(clock.now() // interval * interval, self._sealed) + interval
            self._received.setdefault(tick, []).append((data, count))
