"""Planned inputs of micro-batches, on disk until the next one is committed."""

from __future__ import annotations

import pickle
from typing import Any

from ..exceptions import CheckpointError
from .files import Storage, discard, join


def unpickle(path: str, data: bytes) -> Any:
    """Return what was pickled into a file of a checkpoint folder.

    Parameters
    ----------
    path : str
        of the file, for the message
    data : bytes
        its content

    Raises
    ------
    CheckpointError
        if it cannot be read
    """
    try:
        return pickle.loads(data)
    except Exception as error:
        raise CheckpointError(
            f"{path} is damaged ({type(error).__name__}: {error}). Restore the file, or point "
            "the job at an empty checkpoint folder; nothing was changed here"
        ) from error


class Spool:
    """One file per micro-batch, named by its last batch time in milliseconds.

    Parameters
    ----------
    storage : Storage
        where the folder is
    folder : str
        any Hadoop path
    """

    def __init__(self, storage: Storage, folder: str) -> None:
        self._storage = storage
        self.folder = folder
        self._kept = self._existing_numbers()

    def _existing_numbers(self) -> set[int]:
        if not self._storage.exists(self.folder):
            return set()
        names = [entry.name for entry in self._storage.list(self.folder)]
        return {int(name) for name in names if name.isdigit()}

    def has(self, hi: int) -> bool:
        """Return whether one micro-batch's inputs are on disk."""
        return hi in self._kept

    def after(self, hi: int) -> list[int]:
        """Return the micro-batches on disk that end after ``hi``, in order."""
        return sorted(number for number in self._kept if number > hi)

    def keep(self, hi: int, data: bytes) -> None:
        """Write one micro-batch's inputs; raises OSError when the disk refuses them."""
        self._storage.write(self.path(hi), data)
        self._kept.add(hi)

    def path(self, hi: int) -> str:
        """Return where one micro-batch's inputs are."""
        return join(self.folder, str(hi))

    def load(self, hi: int) -> Any:
        """Return what was pickled for one micro-batch.

        Raises
        ------
        FileNotFoundError
            if there is no such file
        CheckpointError
            if it cannot be read
        """
        path = self.path(hi)
        return unpickle(path, self._storage.read(path))

    def forget(self, hi: int) -> None:
        """Delete the inputs of all micro-batches before the one that ends at ``hi``.

        The last committed one stays: it says what the sources remember.
        """
        for done in [number for number in self._kept if number < hi]:
            self.drop(done)

    def drop(self, hi: int) -> None:
        """Delete the file that ends at ``hi``, if it is there."""
        if hi in self._kept:
            discard(self._storage, self.path(hi))
            self._kept.discard(hi)
