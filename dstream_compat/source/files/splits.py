"""Cuts large files into splits where Hadoop's input formats cut them."""

from __future__ import annotations

from typing import Final

from pyspark import SparkContext

from ...storage.files import hadoop
from ...worker.reading.codecs import is_compressed
from ...worker.reading.splits import WHOLE, Split

_SLOP: Final = 1.1
"""The last split may be so much larger than the others."""

_LOCAL_BLOCK: Final = ("fs.local.block.size", 32 << 20)
_SMALLEST: Final = ("mapreduce.input.fileinputformat.split.minsize", 1)
_LARGEST: Final = ("mapreduce.input.fileinputformat.split.maxsize", (1 << 63) - 1)


class Splitter:
    """Cuts files as Hadoop's configuration says.

    Parameters
    ----------
    sc : SparkContext
        whose configuration counts
    record_length : int, optional
        bytes of a record, which is never cut; None for lines of text
    """

    def __init__(self, sc: SparkContext, record_length: int | None) -> None:
        _, configuration = hadoop(sc)
        self._local = configuration.getLongBytes(*_LOCAL_BLOCK)
        self._smallest = max(configuration.getLong(*_SMALLEST), 1)
        self._largest = configuration.getLong(*_LARGEST)
        self._length = record_length

    def split(self, path: str, size: int, block: int | None) -> list[Split]:
        """Return the splits of a file.

        Parameters
        ----------
        path : str
            compressed files are known by their names, and not cut
        size : int
            bytes
        block : int, optional
            bytes of a block of the file system; None of a local one, 0 where there are none
        """
        if is_compressed(path):
            return [WHOLE]
        most = max(self._smallest, min(self._largest, block or self._local))
        if self._length is not None:
            most = max(most // self._length, 1) * self._length
        starts = [0]
        while (size - starts[-1]) / most > _SLOP:
            starts.append(starts[-1] + most)
        # What is appended later would change a batch that runs again.
        return [*map(Split, starts, starts[1:]), Split(starts[-1], size, last=True)]
