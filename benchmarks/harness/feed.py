"""Writes the input of batches: text files with the times at which batches take them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


class Feed:
    """The folder that a job reads.

    Parameters
    ----------
    folder : Path
        for the files
    parts : int
        files of a batch: DStreams read each in a task of its own, a file source of Structured
        Streaming cuts one by itself
    """

    def __init__(self, folder: Path, parts: int) -> None:
        self._staged = folder / "staged"
        self._staged.mkdir(parents=True)
        self.folder = folder / "in"
        self.folder.mkdir()
        self._parts = parts

    def stage(self, name: str, lines: Sequence[str], at: float) -> None:
        """Write a batch where nobody looks; ``at`` is the time of its files in seconds."""
        size = -(-len(lines) // self._parts)
        for part in range(self._parts):
            path = self._staged / f"{name}-{part}"
            some = lines[part * size : (part + 1) * size]
            path.write_text("".join(f"{line}\n" for line in some))
            os.utime(path, (at, at))

    def release(self, name: str) -> None:
        """Let the job see a batch."""
        for part in range(self._parts):
            file = f"{name}-{part}"
            (self._staged / file).rename(self.folder / file)
