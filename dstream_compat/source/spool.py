"""Planned inputs of micro-batches, on disk until the next one is committed."""

from __future__ import annotations

from ..storage import Storage, discard, join


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
        self._folder = folder
        self._kept = self._existing()

    def _existing(self) -> set[int]:
        if not self._storage.exists(self._folder):
            return set()
        names = [entry.name for entry in self._storage.list(self._folder)]
        return {int(name) for name in names if name.isdigit()}

    def has(self, hi: int) -> bool:
        """Return whether one micro-batch's inputs are on disk."""
        return hi in self._kept

    def after(self, hi: int) -> list[int]:
        """Return the micro-batches on disk that end after ``hi``, in order."""
        return sorted(kept for kept in self._kept if kept > hi)

    def keep(self, hi: int, data: bytes) -> None:
        """Write one micro-batch's inputs; raises OSError when the disk refuses them."""
        self._storage.write(join(self._folder, str(hi)), data)
        self._kept.add(hi)

    def load(self, hi: int) -> bytes:
        """Return one micro-batch's inputs; raises FileNotFoundError."""
        return self._storage.read(join(self._folder, str(hi)))

    def forget(self, hi: int) -> None:
        """Delete the inputs of all micro-batches before the one that ends at ``hi``.

        The last committed one stays: it says what the sources remember.
        """
        for done in [kept for kept in self._kept if kept < hi]:
            self.drop(done)

    def drop(self, hi: int) -> None:
        """Delete the file that ends at ``hi``, if it is there."""
        if hi in self._kept:
            discard(self._storage, join(self._folder, str(hi)))
            self._kept.discard(hi)
