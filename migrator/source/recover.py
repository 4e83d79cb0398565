"""The parts of a broken source that do parse.

A file that no Python parses may be a job all the same, with one bad line. Its top-level statements
are parsed one by one; those that do not are blanked out, so that all others keep their places.
Lines with the comments of other languages (`// text`) are left out of the statements around them.

Decision 0027: Of a broken file, the statements that parse are analysed.
"""

from __future__ import annotations

import re

from migrator.source.lines import split_lines
from migrator.source.python import parses

# generated or random text is not worth the time
_LONGEST = 300_000
# how many pieces one statement may be torn into, by strings and brackets at the start of lines
_PIECES = 40
# and in how many places a source may be broken before it counts as random text
_BROKEN = 50
_START = re.compile(r"(?!else\b|elif\b|except\b|finally\b)[\w@\"']")
_SLASHES = re.compile(r"[ \t]*//")


def recover_source(text: str) -> tuple[str, str] | None:
    """Return a source that parses, and what was taken out of it.

    Returns
    -------
    tuple[str, str] | None
        Both with as many lines as the text, or None if no statement parses.
    """
    if len(text) > _LONGEST:
        return None
    lines = split_lines(text)
    code = ["" if _SLASHES.match(line) else line for line in lines]
    starts = [n for n, line in enumerate(lines) if _START.match(line)]
    starts = [n for n in starts if n == 0 or not lines[n - 1].startswith("@")]
    edges = [*starts, len(lines)]
    good = [""] * len(lines)
    bad = list(lines)
    index = broken = 0
    while index < len(starts) and broken < _BROKEN:
        statement = _parse_statement(lines, code, edges, index)
        if statement is None:
            broken += 1
            index += 1
            continue
        end, statements = statement
        first, last = edges[index], edges[end]
        good[first:last] = statements
        bad[first:last] = [""] * (last - first)
        index = end
    source = "\n".join(good)
    return (source, "\n".join(bad)) if any(good) and parses(source) else None


def _parse_statement(
    lines: list[str], code: list[str], edges: list[int], index: int
) -> tuple[int, list[str]] | None:
    """Return the statement that begins at an edge.

    Parameters
    ----------
    lines : list of str
        The source.
    code : list of str
        The same without lines that begin with `//`; in strings and sums these are Python.
    edges : list of int
        Where statements may begin.

    Returns
    -------
    tuple[int, list[str]] | None
        Where it ends, as a later edge, and its lines; None if it is broken.
    """
    for end in range(index + 1, min(index + 1 + _PIECES, len(edges))):
        rows = slice(edges[index], edges[end])
        for source in (lines, code) if lines[rows] != code[rows] else (lines,):
            if parses("\n".join(source[rows])):
                return end, source[rows]
    return None
