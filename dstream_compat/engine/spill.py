"""A file for what does not fit into a worker's memory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .memory import local_folders

SHARE: Final = 4
"""Of what a worker may use, this part is for bytes that wait: operators need the most."""


class Stored(NamedTuple):
    """A place in the file."""

    file: int
    offset: int
    size: int

    def read(self) -> bytes:
        """Return the bytes that were written there."""
        data = os.pread(self.file, self.size, self.offset)
        if len(data) != self.size:
            raise OSError(f"{len(data)} of {self.size} bytes are left of a frame on disk")
        return data


class Spill:
    """Holds bytes in a file without a name, of which nothing is left when it is closed."""

    def __init__(self) -> None:
        self._file: int | None = None
        self._written = 0

    def write(self, data: bytes | memoryview) -> Stored:
        """Append bytes to the file, which is made when it is first needed."""
        if self._file is None:
            folders = local_folders()
            self._file, name = tempfile.mkstemp(dir=folders[os.getpid() % len(folders)])
            os.unlink(name)
        place = Stored(self._file, self._written, len(data))
        left = memoryview(data)
        while left:
            left = left[os.write(self._file, left) :]
        self._written += place.size
        return place

    def close(self) -> None:
        """Give up the file."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class Copies:
    """Pickled records that are read several times: in memory, then in a file.

    Parameters
    ----------
    memory : int
        bytes that it holds at most before it writes to its file
    """

    def __init__(self, memory: int) -> None:
        self._memory = memory
        self._held = 0
        self._spill = Spill()
        self._payloads: list[bytes | Stored] = []

    def keep(self, payloads: Iterable[bytes]) -> None:
        """Take all that is to be read."""
        for payload in payloads:
            self._held += len(payload)
            fits = self._held <= self._memory
            self._payloads.append(payload if fits else self._spill.write(payload))

    def __iter__(self) -> Iterator[bytes]:
        for payload in self._payloads:
            yield payload.read() if isinstance(payload, Stored) else payload

    def close(self) -> None:
        """Give up the file."""
        self._spill.close()
