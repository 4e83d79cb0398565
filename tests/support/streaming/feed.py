"""Feeds jobs with files on HDFS."""

from __future__ import annotations

import itertools
from pathlib import Path

from tests.support.components.hadoop import Hadoop

WORDS = 1_000


class Feed:
    """A folder of HDFS, with files of words.

    Parameters
    ----------
    hadoop : Hadoop
        where it is
    scratch : Path
        where the files are made
    folder : str
        its path in HDFS
    """

    def __init__(self, hadoop: Hadoop, scratch: Path, folder: str) -> None:
        self._hadoop, self._scratch, self.folder = hadoop, scratch, folder
        self._numbers = itertools.count()
        self.words = 0
        hadoop.command("fs", "-mkdir", "-p", folder)

    def put(self, files: int) -> None:
        """Put some files, with 1,000 words each."""
        for number in itertools.islice(self._numbers, files):
            file = self._scratch / f"words-{number}"
            file.write_text("a b c d\n" * (WORDS // 4))
            self._hadoop.put(file, f"{self.folder}/{file.name}")
            self.words += WORDS

    def totals(self) -> dict[str, int]:
        """Return how often each word is in the files."""
        return dict.fromkeys("abcd", self.words // 4)
