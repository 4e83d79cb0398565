"""Reads files that only the JVM can read: from the driver, block by block."""

from __future__ import annotations

import contextlib
import socket
import struct
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from .splits import WHOLE, Split

PORT: Final = "spark.streaming.compat.filePort"
REQUEST: Final = struct.Struct(">qqH")
"""What a task asks for: first byte, most bytes, and the bytes of the path, which follows."""
WAIT_SECONDS: Final = 120.0
"""How long a task waits for the next bytes."""
_ALL: Final = (1 << 63) - 1
_FURTHER: Final = 1 << 16
"""Bytes that are asked for at once beyond the end of a split, where its last line ends."""


class Address(NamedTuple):
    """Where the files of a job are served, and the token to ask with."""

    host: str
    port: int
    token: bytes


_find_server: Callable[[], Address | None] | None = None


def serve_by(find: Callable[[], Address | None]) -> None:
    """Say how this process, a driver, finds where it serves files."""
    global _find_server
    _find_server = find


def served_at() -> Address | None:
    """Return where this process serves files; None in a worker."""
    return None if _find_server is None else _find_server()


class RemoteReader:
    """Reads files from the driver, in a task.

    Parameters
    ----------
    address : Address
        where they are served
    """

    def __init__(self, address: Address) -> None:
        self._socket = socket.create_connection((address.host, address.port), WAIT_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream: Any = self._socket.makefile("rb", 1 << 20)
        self._socket.sendall(address.token)
        self._left = 0
        self._path = ""
        self._next: int | None = None

    def open(self, path: str, split: Split = WHOLE) -> RemoteReader:
        """Begin with a file.

        Parameters
        ----------
        path : str
            any Hadoop path
        split : Split
            the part that is sent at once; reading may go on behind it, unless it is the last one

        Raises
        ------
        FileNotFoundError, OSError
            if the driver cannot read it
        """
        self.skip()
        self._path, self._next = path, None if split.last else split.end
        self._ask(split.start, _ALL if split.end is None else split.end - split.start)
        return self

    def _ask(self, start: int, most: int) -> None:
        name = self._path.encode()
        self._socket.sendall(REQUEST.pack(start, most, len(name)) + name)
        (size,) = struct.unpack(">q", self._take(8))
        if size < 0:
            reason = self._take(-size).decode()
            kind = FileNotFoundError if "FileNotFoundException" in reason else OSError
            raise kind(f"{self._path}: {reason}")
        self._left = size

    def read(self, size: int = -1, /) -> bytes:
        """Return at most that many bytes of the file; none at its end."""
        if not self._left and self._next is not None:
            self._ask(self._next, _FURTHER)
            self._next += self._left
        wanted = self._left if size < 0 else min(size, self._left)
        data: bytes = self._stream.read1(wanted) if wanted else b""
        if wanted and not data:
            raise OSError("the driver has closed the connection in the middle of a file")
        self._left -= len(data)
        return data

    def skip(self) -> None:
        """Go to the end of what was asked for."""
        while self._left:
            self.read(1 << 20)

    def close(self) -> None:
        """Ask for nothing more."""
        self._stream.close()
        self._socket.close()

    def _take(self, size: int) -> bytes:
        data: bytes = self._stream.read(size)
        if len(data) < size:
            raise OSError("the driver has closed the connection")
        return data


class RemoteReaders:
    """The connections of one task, made when they are needed."""

    def __init__(self) -> None:
        self._readers: dict[Address, RemoteReader] = {}

    @contextlib.contextmanager
    def open(self, address: Address, path: str, split: Split) -> Iterator[RemoteReader]:
        """Open a file; what is not read of it is skipped."""
        reader = self._readers.get(address)
        if reader is None:
            reader = self._readers[address] = RemoteReader(address)
        try:
            yield reader.open(path, split)
            reader.skip()
        except BaseException:
            # where it stands is not known
            self._readers.pop(address, None)
            reader.close()
            raise

    def close(self) -> None:
        """Close all of them."""
        for reader in self._readers.values():
            reader.close()
        self._readers.clear()
