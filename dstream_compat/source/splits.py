"""Large files are several partitions, cut where Hadoop's input formats cut them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from pyspark import SparkContext

from ..storage import hadoop
from .codecs import is_compressed

_SLOP: Final = 1.1
"""The last split may be so much larger than the others."""

_LOCAL_BLOCK: Final = ("fs.local.block.size", 32 << 20)
_SMALLEST: Final = ("mapreduce.input.fileinputformat.split.minsize", 1)
_LARGEST: Final = ("mapreduce.input.fileinputformat.split.maxsize", (1 << 63) - 1)
_LINE_END: Final = re.compile(rb"\n|\r\n|\r(?=[^\n])")


class Split(NamedTuple):
    """A part of a file, in bytes; ``end`` None stands for all that follows.

    The last one ends with the file as it was found. Of any other, the last line may be longer.
    """

    start: int = 0
    end: int | None = None
    last: bool = False


WHOLE: Final = Split()


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


def within(blocks: Iterable[bytes], split: Split) -> Iterator[bytes]:
    """Yield the lines of a split.

    A line belongs to the split in which it starts, and one that starts where a split ends to that.

    Parameters
    ----------
    blocks : iterable of bytes
        the file from the start of the split on, beyond its end
    split : Split
        which part of it
    """
    at, rest, begun = split.start, b"", split.start == 0
    for block in blocks:
        data, rest = rest + block, b""
        if not begun:
            found = _LINE_END.search(data)
            if found is None:
                # the line feed of a carriage return may be in the next block
                rest = data[-1:] if data.endswith(b"\r") else b""
                at += len(data) - len(rest)
                continue
            begun = True
            at, data = at + found.end(), data[found.end() :]
            if split.end is not None and at > split.end:
                return
        if split.end is None or at + len(data) <= split.end:
            at += len(data)
            yield data
            continue
        if split.last:
            yield data[: split.end - at]
            return
        found = _LINE_END.search(data, max(split.end - at, 0))
        if found is not None:
            yield data[: found.end()]
            return
        if data.endswith(b"\r"):
            data, rest = data[:-1], data[-1:]
        at += len(data)
        yield data
    if begun:
        yield rest
