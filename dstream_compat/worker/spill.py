"""A temporary file for data that does not fit into a worker's memory."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from ..wire.errors import WorkerLacksError
from .memory import local_folders

SHARE: Final = 4
"""Of what a worker may use, this part is for bytes that wait: operators need the most."""


class Extent(NamedTuple):
    """A place in the file."""

    file: int
    offset: int
    size: int

    def read(self) -> bytes:
        """Return the bytes that were written there.

        Raises
        ------
        WorkerLacksError
            if they cannot be read
        """
        pieces: list[bytes] = []
        done = 0
        with disk("read from"):
            while done < self.size:  # Linux gives at most 2 GiB at a time
                piece = os.pread(self.file, self.size - done, self.offset + done)
                if not piece:
                    raise OSError(f"{done} of {self.size} bytes are left of a frame")
                pieces.append(piece)
                done += len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


class Spill:
    """Holds bytes in a file without a name, of which nothing is left when it is closed."""

    def __init__(self) -> None:
        self._file: int | None = None
        self._written = 0

    def write(self, data: bytes | memoryview) -> Extent:
        """Append bytes to the file, which is made when it is first needed.

        Raises
        ------
        WorkerLacksError
            if the disk does not take them
        """
        with disk("write to"):
            if self._file is None:
                folders = local_folders()
                self._file, name = tempfile.mkstemp(dir=folders[os.getpid() % len(folders)])
                os.unlink(name)
            place = Extent(self._file, self._written, len(data))
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


@contextmanager
def disk(does: str) -> Iterator[None]:
    """Let errors of the disk fail the task: as the user's they would be the batch's, and kept.

    Parameters
    ----------
    does : str
        what is tried, such as "write to"

    Raises
    ------
    WorkerLacksError
        instead of an OSError
    """
    try:
        yield
    except OSError as error:
        raise WorkerLacksError(
            f"a worker could not {does} a file in its folder: {error}"
        ) from error


class Pool:
    """Memory that all copies of a task share.

    Parameters
    ----------
    left : int
        bytes that may still be held
    """

    def __init__(self, left: int) -> None:
        self.left = left


class Copies:
    """Pickled records that are read several times: in memory, then in a file.

    Parameters
    ----------
    pool : Pool
        what they are held in; what does not fit goes to the file
    """

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._held = 0
        self._spill = Spill()
        self._payloads: list[bytes | Extent] = []

    def keep(self, payloads: Iterable[bytes]) -> None:
        """Take all that is to be read.

        Raises
        ------
        WorkerLacksError
            if the disk does not take what does not fit into memory
        """
        for payload in payloads:
            if len(payload) <= self._pool.left:
                self._pool.left -= len(payload)
                self._held += len(payload)
                self._payloads.append(payload)
            else:
                self._payloads.append(self._spill.write(payload))

    def __iter__(self) -> Iterator[bytes]:
        for payload in self._payloads:
            yield payload.read() if isinstance(payload, Extent) else payload

    def close(self) -> None:
        """Give up the memory and the file."""
        self._payloads.clear()
        self._pool.left += self._held
        self._held = 0
        self._spill.close()
