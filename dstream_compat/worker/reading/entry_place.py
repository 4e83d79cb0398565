"""Finds what a task of a micro-batch reads: a file of the driver."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Final, NamedTuple

from ...wire.task_properties import task_entries
from .entries import Entry
from .remote import NO_READER, RemoteReader

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
    url : str, optional
        where Spark's file server has it; None where all tasks run on the driver's machine
    slots : int
        number of tasks
    """

    folder: str
    url: str | None
    slots: int

    def read(self, number: int, task: int, reader: RemoteReader = NO_READER) -> list[Entry]:
        """Return what a task of a micro-batch reads.

        Parameters
        ----------
        number : int
            of the micro-batch
        task : int
            of the micro-batch, from 0
        reader : RemoteReader
            of the task that runs

        Raises
        ------
        RuntimeError
            if that is too long ago
        """
        data = task_entries(self.folder, number, task)
        if data is None:
            try:
                data = self._fetch(number, task, reader)
            except FileNotFoundError as error:
                raise RuntimeError(_GONE.format(number=number, kept=KEPT)) from error
        entries: list[Entry] = pickle.loads(data)
        return entries

    def _fetch(self, number: int, task: int, reader: RemoteReader) -> bytes:
        if self.url is None:
            return Path(path_of(self.folder, number, task)).read_bytes()
        try:
            with reader.open(path_of(self.url, number, task)) as stream:
                return b"".join(iter(stream.read, b""))
        except OSError as error:
            # whoever knows the last part of the address may read what is there
            text = str(error).replace(self.url.rpartition("/")[2], "...")
            raise type(error)(text) from None


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
