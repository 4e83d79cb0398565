"""socketTextStream: lines of UTF-8 text from a TCP server."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pyspark import SparkConf

from ...storage.spool import Spool
from ...wire.frames import LINES
from ...worker.reading.entries import Chunk, line_blocks
from ..base import Demand, Items
from .receiver import ReceivedSource, Receiver, partitions_of

_CONNECT_SECONDS = 10.0


class _StoppedError(Exception):
    """The receiver was stopped while its peer was sending."""


@dataclass(frozen=True, eq=False)
class SocketSource(ReceivedSource):
    """Lines of a server.

    Parameters
    ----------
    host, port : str, int
        the server to connect to; the connection is made again whenever it is lost
    partitions : int
        logical partitions that a large interval is cut into
    taken_over : mapping, optional
        what another engine had logged: batch time (milliseconds) to blocks of lines, joined by
        line feeds, with their numbers
    """

    host: str
    port: int
    partitions: int
    taken_over: Mapping[int, list[tuple[bytes, int]]] | None = None
    shown_as: ClassVar[str] = "Socket stream"

    @property
    def label(self) -> str:
        return f"socketTextStream({self.host}:{self.port})"

    @property
    def receiver(self) -> str:
        return "SocketReceiver"

    @property
    def texts(self) -> bool:
        return True

    def behind(self, batches: Mapping[int, Sequence[Sequence[str]]], last: int) -> SocketSource:
        """Return a source that begins with what the receiver of another engine had logged.

        Parameters
        ----------
        batches : mapping
            batch time (milliseconds) to blocks of lines
        last : int
            batch time before which nothing new is received
        """
        states = {
            tick: [("\n".join(block).encode(), len(block)) for block in blocks if block]
            for tick, blocks in batches.items()
        }
        return replace(self, taken_over={last: [], **states})

    def open(
        self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand
    ) -> SocketReceiver:
        return SocketReceiver(self, conf, interval, spool)


class SocketReceiver(Receiver):
    """Receives lines; an item is (lines joined by line feeds, their number).

    Mirrors ``org.apache.spark.streaming.dstream.SocketReceiver``. The parameters are those of
    ``Receiver``.
    """

    def __init__(
        self, source: SocketSource, conf: SparkConf, interval: int, spool: Spool | None
    ) -> None:
        super().__init__(source, conf, interval, spool, logged=source.taken_over)
        self._host = source.host
        self._port = source.port
        self._partitions = source.partitions
        self._socket: socket.socket | None = None

    def _count(self, item: Any) -> int:
        count: int = item[1]
        return count

    def _pack(self, items: list[Any]) -> list[Items]:
        chunks = [Chunk(LINES, count, data) for data, count in items]
        return partitions_of(chunks, self._partitions)

    def _receive(self) -> tuple[str, str]:
        advice = " (is a server listening there?)"
        try:
            peer = socket.create_connection((self._host, self._port), _CONNECT_SECONDS)
        except socket.gaierror as error:  # no such host
            return self._cannot_start(), self._warn(error, advice)
        except OSError as error:
            where = f"{self._host}:{self._port}"
            return self._again(f"Error connecting to {where}"), self._warn(error, advice)
        try:
            with peer:
                peer.settimeout(None)
                self._socket = peer
                self._reminded = 0.0
                for data, count in line_blocks(self._blocks(peer)):
                    for piece, lines in self._slices(data, count):
                        self._admit(lines)
                        self._file((piece, lines), len(piece))
        except _StoppedError:
            pass  # a line that has no end yet is none
        except OSError as error:
            return self._again("Error receiving data"), self._warn(error, "")
        finally:
            self._socket = None
        return self._again("Socket data stream had no more data"), ""

    def _hang_up(self) -> None:
        connection = self._socket
        if connection is not None:
            with contextlib.suppress(OSError):  # the peer may have closed it first
                connection.shutdown(socket.SHUT_RDWR)

    def _blocks(self, peer: socket.socket) -> Iterator[bytes]:
        while not self._stopped.is_set():
            block = peer.recv(1 << 16)
            if not block:
                break
            yield block
        if self._stopped.is_set():
            raise _StoppedError

    def _slices(self, data: bytes, count: int) -> Iterator[tuple[bytes, int]]:
        """Cut a block into what may be taken at once: it can hold the lines of many seconds."""
        size = self._at_once()
        if size is None or count <= size:
            yield data, count
            return
        lines = data.split(b"\n")
        for i in range(0, count, size):
            piece = lines[i : i + size]
            yield b"\n".join(piece), len(piece)
