"""Finds what a task of a micro-batch reads: a file of the driver."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Final, NamedTuple

from ...wire.task_properties import task_entries
from .entries import Partition
from .remote import PORT, Address, RemoteReader

KEPT: Final = 10
"""Micro-batches whose files are there: as many as Spark keeps the state of."""

_GONE: Final = (
    "what micro-batch {number} has read is no longer known: the last {kept} ones of a running job "
    "can be computed again. Call cache() on an RDD that later batches need"
)


class EntryPlace(NamedTuple):
    """Where tasks find what they read.

    Parameters
    ----------
    folder : str
        of the driver
    address : Address, optional
        where it is served; None where all tasks run on the driver's machine
    slots : int
        number of tasks
    """

    folder: str
    address: Address | None
    slots: int

    def read(self, number: int, task: int) -> list[Partition | bytes]:
        """Return what a task of a micro-batch reads.

        Raises
        ------
        RuntimeError
            if that is too long ago
        """
        data = task_entries(self.folder, number, task)
        if data is None:
            path = path_of(self.folder, number, task)
            try:
                data = Path(path).read_bytes() if self.address is None else self._fetch(path)
            except FileNotFoundError as error:
                raise RuntimeError(_GONE.format(number=number, kept=KEPT)) from error
        entries: list[Partition | bytes] = pickle.loads(data)
        return entries

    def read_all(self, number: int) -> list[list[Partition | bytes]]:
        """Return what all tasks of a micro-batch read."""
        return [self.read(number, task) for task in range(self.slots)]

    def _fetch(self, path: str) -> bytes:
        assert self.address is not None
        try:
            reader = RemoteReader(self.address)
        except OSError as error:
            raise RuntimeError(
                f"the driver does not answer at {self.address.host}:{self.address.port} ({error}), "
                f"where tasks ask what they read: let executors connect to that port; {PORT} fixes "
                "its number"
            ) from error
        try:
            reader.open(f"file:{path}")
            pieces = []
            while piece := reader.read():
                pieces.append(piece)
            return b"".join(pieces)
        finally:
            reader.close()


def path_of(folder: str, number: int, task: int) -> str:
    """Return the file of a task.

    Parameters
    ----------
    folder : str
        of the query's files
    number : int
        of the micro-batch
    task : int
        of the micro-batch, from 0
    """
    return os.path.join(folder, f"{number}-{task}")
