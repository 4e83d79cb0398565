"""Lines that set or use `SPARK_HOME`, and what takes them out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

# a line that does nothing else, at the top level of a file
_ONLY_SETS = re.compile(
    r"(?:export[ \t]+|ENV[ \t]+|set[ \t]+|Environment=)?"
    r"(?:SPARK_HOME|SPARK_MAJOR_VERSION|PYTHONPATH)"
    r"(?:[ \t]*[:?+]?=[ \t]*|(?<=ENV \w{10})[ \t]+)([\"']?)[^\s\"'`;&|=,\\]*\1[ \t]*"
)
EXPORTS = re.compile(r"export[ \t]+SPARK_HOME[ \t]*")
_OPENS = re.compile(r"(?:\b(?:then|do|else)|[{(\\])[ \t]*\Z|[^\w]\)[ \t]*\Z")


@dataclass(frozen=True, slots=True)
class LineSpan:
    """A part of a line (from 0) and what takes its place; whole lines go with their ends."""

    line: int
    start: int
    end: int
    new: str = ""


@dataclass(frozen=True, slots=True)
class HomeNaming:
    """Something that names a Spark.

    Parameters
    ----------
    change : LineSpan, optional
        What drops it.
    needs_home : bool
        Whether it uses `SPARK_HOME`.
    by_variable : bool
        Whether only the value of that says which Spark it is: it is reported where that is set.
    """

    what: str
    at: tuple[int, int]
    text: str
    path: str
    change: LineSpan | None
    needs_home: bool = False
    by_variable: bool = False


def whole_line(lines: Sequence[str], number: int, style: str) -> LineSpan | None:
    """Return the change that takes a line out, None if it does more, or a block may need it.

    Parameters
    ----------
    lines : sequence of str
        The lines of the text, without comments.
    number : int
        Which of them, from 0.
    style : str
        What a comment is, see `migrator.languages.text.uncommented`.
    """
    line = lines[number]
    if not (_ONLY_SETS.fullmatch(line) or EXPORTS.fullmatch(line)):
        return None
    if style not in ("shell", "prose", "document", "conf"):
        return None
    before = next((one for one in reversed(lines[:number]) if one.strip()), "")
    return None if _OPENS.search(before) else LineSpan(number, 0, len(line))
