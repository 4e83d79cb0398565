"""Lines as Python's tokenizer counts them, the places of a text in them, and their changes."""

from __future__ import annotations

import ast
import difflib
import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

_END = re.compile(r"\r\n|\r|\n")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")

Located = ast.expr | ast.stmt | ast.arg | ast.alias | ast.keyword | ast.ExceptHandler
Change = tuple[int, int, int, int]


def split_lines(text: str) -> list[str]:
    r"""Return lines without their ends; only \n, \r and \r\n end a line."""
    return _END.split(text)


def keep_ends(text: str) -> list[str]:
    """Return lines with their ends."""
    return _LINE.findall(text)


class TextLines:
    """The lines of a text: offsets to places in them, and back.

    Attributes
    ----------
    rows : list of str
        The lines, with their ends.
    starts : list of int
        The offsets at which lines begin, and that of the end of the text.
    """

    def __init__(self, text: str) -> None:
        self.rows = keep_ends(text)
        self.starts = [*accumulate(map(len, self.rows), initial=0)]
        if text[-1:] in ("", "\n", "\r"):
            # an empty last line
            self.starts.append(len(text))

    @property
    def ends(self) -> list[str]:
        """What ends each line."""
        return [row[len(row.rstrip("\r\n")) :] for row in self.rows]

    @property
    def usual_end(self) -> str:
        """What ends most lines."""
        return max(("\n", "\r\n", "\r"), key=self.ends.count)

    def column(self, line: int, byte_column: int) -> int:
        """Return a column of `ast`, which counts bytes, in characters; lines count from 1."""
        row = self.rows[line - 1] if 0 < line <= len(self.rows) else ""
        if row.isascii():
            return byte_column
        return len(row.encode("utf-8", "surrogatepass")[:byte_column].decode("utf-8", "ignore"))

    def offset(self, line: int, byte_column: int) -> int:
        """Return the offset of a place that `ast` gives."""
        return self.starts[line - 1] + self.column(line, byte_column)

    def span(self, node: Located) -> tuple[int, int]:
        """Return where a node of the text begins and ends."""
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self.offset(node.lineno, node.col_offset)
        return start, self.offset(node.end_lineno, node.end_col_offset)

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line of an offset, from 1, and its column in characters, from 0."""
        line = bisect_right(self.starts, offset, hi=len(self.starts) - 1)
        return line, offset - self.starts[line - 1]


def common_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """Return how many items two texts or lists both begin with, and how many of the rest both end
    with.
    """
    shorter = min(len(old), len(new))
    head = next((i for i in range(shorter) if old[i] != new[i]), shorter)
    rest = shorter - head
    return head, next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)


def changes(old: Sequence[str], new: Sequence[str]) -> list[Change]:
    """Return the runs of lines to replace, as `old[i1:i2]` becomes `new[j1:j2]`, in order.

    What both begin and end with is cut off first. A rest of the same length is compared line by
    line; in another one lines that are frequent are no anchors, because difflib needs the square of
    their number otherwise.
    """
    start, end = common_ends(old, new)
    if len(old) == len(new):
        rows = range(start, len(old) - end)
        return [(row, row + 1, row, row + 1) for row in rows if old[row] != new[row]]
    middle = old[start : len(old) - end], new[start : len(new) - end]
    return [
        (i1 + start, i2 + start, j1 + start, j2 + start)
        for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, *middle).get_opcodes()
        if tag != "equal"
    ]
