"""The files that a job on Spark's DStreams has read, which goes on here."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from ...storage.files import FolderEntry, LocalStorage


class TakenOver(NamedTuple):
    """What another job has read.

    Parameters
    ----------
    ticks : mapping
        paths as Hadoop prints them to the batch time (milliseconds) of the file
    last : int
        its last batch; 0 if there was no other job
    """

    ticks: Mapping[str, int]
    last: int

    def has(self, entry: FolderEntry) -> bool:
        """Return whether the other job has read a file."""
        return bool(self.ticks) and full_path(entry.path) in self.ticks

    def tick(self, entry: FolderEntry, ticks: Sequence[int]) -> int | None:
        """Return which of some batches reads a file; None if that is another one.

        What the other job has read stays in its batch, and is read only if that is computed again.
        What is new to it comes behind its last batch, however old: batches until then may not
        change the state.
        """
        tick = self.ticks.get(full_path(entry.path)) if self.ticks else None
        if tick is not None:
            return tick if tick in ticks else None
        return next((t for t in ticks if t >= entry.modified and t > self.last), None)


NOTHING_TAKEN: Final = TakenOver({}, 0)
"""Of a job that goes on behind no other one."""


def full_path(path: str) -> str:
    """Return a path as Hadoop prints it, also one that is relative to the working folder."""
    if "://" in path and not path.startswith("file:"):
        return path
    return f"file:{os.path.abspath(LocalStorage().local(path))}"
