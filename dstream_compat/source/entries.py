"""How the tasks of a micro-batch get what they read: files of the driver, one for each task.

A task knows its file by a number that Spark's own source gives it, so that a batch whose data is
lost, or needed later, is computed again from what it read itself.
"""

from __future__ import annotations

import os
import pickle
import shutil
import tempfile
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from pyspark import SparkContext

from ..engine.frames import CLOCK, unpack
from ..engine.told import tell_entries, told_entries
from .reading import FixedFile, Numbers, Partition, TextFile
from .remote import PORT, Address, RemoteReader, served_at

KEPT: Final = 10
"""Micro-batches whose files are there: as many as Spark keeps the state of."""

_TOLD: Final = 1 << 17
"""Bytes that travel in each task of a micro-batch at most."""

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
        data = told_entries(self.folder, number, task)
        if data is None:
            path = _path(self.folder, number, task)
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


class EntryFiles:
    """The files of one query.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    slots : int
        number of tasks
    """

    def __init__(self, sc: SparkContext, slots: int) -> None:
        folder = tempfile.mkdtemp(prefix="dstream-compat-", dir=sc._temp_dir)
        local = (sc.master or "").startswith("local") and "cluster" not in (sc.master or "")
        self.place = EntryPlace(folder, None if local else served_at(), slots)
        self._sc = sc
        self._written: list[int] = []

    def write(self, number: int, tasks: Sequence[list[Partition | bytes]]) -> None:
        """Let the tasks of a micro-batch find what they read.

        Parameters
        ----------
        number : int
            of the micro-batch
        tasks : sequence of list
            what each task reads
        """
        pickled = [pickle.dumps(entries, 5) for entries in tasks]
        for task, data in enumerate(pickled):
            Path(_path(self.place.folder, number, task)).write_bytes(data)
        if self.place.address is not None:
            # tasks need not ask for what is small
            small = sum(map(len, pickled)) <= _TOLD and all(map(_is_public, chain(*tasks)))
            tell_entries(self._sc, self.place.folder, number, pickled if small else [])
        if number not in self._written:
            self._written.append(number)
        while len(self._written) > KEPT:
            self._remove(self._written.pop(0))

    def told(self) -> None:
        """Be told that a micro-batch is computed: later jobs of this thread are the user's."""
        if self.place.address is not None:
            tell_entries(self._sc, self.place.folder, 0, [])

    def _remove(self, number: int) -> None:
        for task in range(self.place.slots):
            os.unlink(_path(self.place.folder, number, task))

    def close(self) -> None:
        """Remove the files."""
        shutil.rmtree(self.place.folder, ignore_errors=True)


def _is_public(entry: Partition | bytes) -> bool:
    """Return whether an entry has neither records nor keys, so that Spark's log may have it."""
    if isinstance(entry, bytes):
        return unpack(entry).kind == CLOCK
    return all(isinstance(item, (Numbers, TextFile, FixedFile)) for item in entry.items)


def _path(folder: str, number: int, task: int) -> str:
    return os.path.join(folder, f"{number}-{task}")
