"""Finds the lines that differ between two versions of a text, in bounded time."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

Change = tuple[int, int, int, int]


def changes(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """Return the runs of lines to replace, as `old[i1:i2]` becomes `new[j1:j2]`, in order.

    What both begin and end with is cut off first. A rest of the same length is compared line by
    line; in another one lines that are frequent are no anchors, because difflib needs the square of
    their number otherwise.
    """
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    if len(old) == len(new):
        rows = range(start, len(old) - end)
        return [(row, row + 1, row, row + 1) for row in rows if old[row] != new[row]]
    middle = old[start : len(old) - end], new[start : len(new) - end]
    return [
        (i1 + start, i2 + start, j1 + start, j2 + start)
        for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, *middle).get_opcodes()
        if tag != "equal"
    ]
