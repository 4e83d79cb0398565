"""Reads what only the JVM can read: through the JVM of the executor, block by block."""

from __future__ import annotations

import contextlib
import re
import socket
import struct
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from .splits import WHOLE, Split

_REQUEST: Final = struct.Struct(">qq?H")
"""What a task asks for: first byte, most bytes, whether to go on behind them to the end of a line,
and the bytes of the path, which follows."""
_SIZE: Final = struct.Struct(">i")
"""Before each block of an answer; 0 ends it, less than 0 is an error, whose text follows."""
_CONNECT_SECONDS: Final = 120.0
_ABSENT: Final = re.compile(r"Stream '.*' was not found")
"""What Spark's file server says."""
_ALL: Final = (1 << 63) - 1


class Address(NamedTuple):
    """Where a driver of an earlier version served files; plans of it have that."""

    host: str
    port: int
    token: bytes


class RemoteReader:
    """Reads files through the server of a task, which ``TaskServer.java`` is; connects when needed.

    Parameters
    ----------
    address : str, optional
        what the server has said; None where there is none
    """

    def __init__(self, address: str | None) -> None:
        self._address = address
        self._socket: socket.socket | None = None
        self._stream: Any = None
        self._left = 0
        """Bytes of the block."""
        self._ended = True
        """Whether nothing more of the answer comes."""
        self._path = ""

    @contextlib.contextmanager
    def open(self, path: str, split: Split = WHOLE, lines: bool = False) -> Iterator[RemoteReader]:
        """Begin with a file; what is not read of it is skipped.

        Parameters
        ----------
        path : str
            any Hadoop path, or an address of Spark's file server
        split : Split
            the part that is read
        lines : bool
            whether reading goes on behind it, at least to the end of its last line

        Raises
        ------
        FileNotFoundError, OSError
            if the executor cannot read it
        """
        try:
            self._path = path
            most = _ALL if split.end is None else split.end - split.start
            self._ask(split.start, most, lines and not split.last)
            yield self
            while self.read(1 << 20):
                pass
        except BaseException:
            self.close()  # where it stands is not known
            raise

    def read(self, size: int = -1, /) -> bytes:
        """Return at most that many bytes of the file; none at its end."""
        self._fill()
        most = self._left if size < 0 else min(size, self._left)
        data: bytes = self._stream.read1(most) if most else b""
        if most and not data:
            raise OSError(f"{self._path}: the executor has closed the connection in the middle")
        self._left -= len(data)
        return data

    def _ask(self, start: int, most: int, lines: bool) -> None:
        if self._socket is None:
            self._connect()
            assert self._socket is not None
        name = self._path.encode()
        self._socket.sendall(_REQUEST.pack(start, most, lines, len(name)) + name)
        self._ended = False
        self._fill()

    def _connect(self) -> None:
        if self._address is None:
            raise OSError(
                f"{self._path}: all folders of the job are local, so nothing reads this file, "
                "which an earlier run has planned"
            )
        host, port, token = self._address.split()
        self._socket = socket.create_connection((host, int(port)), _CONNECT_SECONDS)
        # Hadoop's file systems have time limits of their own
        self._socket.settimeout(None)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream = self._socket.makefile("rb", 1 << 20)
        self._socket.sendall(bytes.fromhex(token))

    def _fill(self) -> None:
        """Begin with the next block, if nothing is left of this one."""
        if self._left or self._ended:
            return
        (size,) = _SIZE.unpack(self._take(_SIZE.size))
        self._left, self._ended = max(size, 0), size <= 0
        if size < 0:
            reason = self._take(-size).decode()
            absent = "FileNotFoundException" in reason or _ABSENT.search(reason)
            raise (FileNotFoundError if absent else OSError)(f"{self._path}: {reason}")

    def _take(self, size: int) -> bytes:
        data: bytes = self._stream.read(size)
        if len(data) < size:
            raise OSError(f"{self._path}: the executor has closed the connection")
        return data

    def close(self) -> None:
        """Close the connection; the next file makes another one."""
        if self._socket is not None:
            self._stream.close()
            self._socket.close()
            self._socket, self._left, self._ended = None, 0, True


NO_READER: Final = RemoteReader(None)
"""Of a task that reads nothing through the JVM."""
