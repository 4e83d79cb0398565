"""Writes what the tasks of a micro-batch read: files of the driver, one for each task.

A task knows its file by a number that Spark's own source gives it, so that a batch whose data is
lost, or needed later, is computed again from what it read itself.

Decision 0126: Tasks fetch their input from the file server of Spark's RPC.
"""

from __future__ import annotations

import os
import pickle
import shutil
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Final

from pyspark import SparkContext

from ..wire.frames import INTERVALS, unpack
from ..wire.task_properties import set_task_entries
from ..worker.reading.entries import Entry, FixedFile, HadoopFile, Numbers, Partition, TextFile
from ..worker.reading.entry_place import KEPT, EntryPlace, path_of
from .task_servers import TaskServers

_SENT_BYTES: Final = 1 << 17
"""Most bytes of entries that each task of a micro-batch carries."""


class EntryFiles:
    """The files of one query.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    slots : int
        number of tasks
    servers : TaskServers, optional
        the servers of the query's tasks, which also offer them the folder; None where all tasks run
        in the driver's process
    """

    def __init__(self, sc: SparkContext, slots: int, servers: TaskServers | None = None) -> None:
        folder = tempfile.mkdtemp(prefix="dstream-compat-", dir=sc._temp_dir)
        self.place = EntryPlace(folder, servers.offer(folder) if servers else None, slots)
        self._sc = sc
        self._written: list[int] = []

    def write(self, number: int, tasks: Sequence[list[Entry]]) -> None:
        """Let the tasks of a micro-batch find what they read.

        Parameters
        ----------
        number : int
            of the micro-batch
        tasks : sequence of list
            what each task reads
        """
        pickled: list[bytes] = []
        size = 0
        for task, entries in enumerate(tasks):
            data = pickle.dumps(entries, 5)
            Path(path_of(self.place.folder, number, task)).write_bytes(data)
            size += len(data)
            if size <= _SENT_BYTES:  # an initial state is large: no second copy of it
                pickled.append(data)
        if self.place.url is not None:
            # tasks need not ask for what is small
            small = size <= _SENT_BYTES and all(map(_is_public, chain(*tasks)))
            set_task_entries(self._sc, self.place.folder, number, pickled if small else [])
        if number not in self._written:
            self._written.append(number)
        while len(self._written) > KEPT:
            self._remove(self._written.pop(0))

    def clear(self) -> None:
        """Clear what tasks are sent, since later jobs of this thread are the user's."""
        if self.place.url is not None:
            set_task_entries(self._sc, self.place.folder, 0, [])

    def _remove(self, number: int) -> None:
        for task in range(self.place.slots):
            os.unlink(path_of(self.place.folder, number, task))

    def close(self) -> None:
        """Remove the files."""
        shutil.rmtree(self.place.folder, ignore_errors=True)


def _is_public(entry: Entry) -> bool:
    """Return whether an entry has neither records nor keys, so that Spark's log may have it."""
    if isinstance(entry, bytes):
        return unpack(entry).kind == INTERVALS
    return isinstance(entry, Partition) and all(
        isinstance(item, (Numbers, TextFile, FixedFile, HadoopFile)) for item in entry.items
    )
