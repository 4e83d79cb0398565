"""Splits of files, and the lines that belong to a split."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

_LINE_END: Final = re.compile(rb"\n|\r\n|\r(?=[^\n])")


class Split(NamedTuple):
    """A part of a file, in bytes; ``end`` None stands for all that follows.

    The last one ends with the file as it was found. Of any other, the last line may be longer.
    """

    start: int = 0
    end: int | None = None
    last: bool = False


WHOLE: Final = Split()


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
            match = _LINE_END.search(data)
            if match is None:
                # the line feed of a carriage return may be in the next block
                rest = data[-1:] if data.endswith(b"\r") else b""
                at += len(data) - len(rest)
                continue
            begun = True
            at, data = at + match.end(), data[match.end() :]
            if split.end is not None and at > split.end:
                return
        if split.end is None or at + len(data) <= split.end:
            at += len(data)
            yield data
            continue
        if split.last:
            yield data[: split.end - at]
            return
        match = _LINE_END.search(data, max(split.end - at, 0))
        if match is not None:
            yield data[: match.end()]
            return
        if data.endswith(b"\r"):
            data, rest = data[:-1], data[-1:]
        at += len(data)
        yield data
    if begun:
        yield rest
