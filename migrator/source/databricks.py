"""Databricks source notebooks: files of one language whose other cells stand in comments.

The `%python` cells of a Python notebook are read like the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from migrator.source.lines import keep_ends, split_lines
from migrator.source.magics import ForeignPart

_FIRST = re.compile(r"\ufeff?(?P<mark>#|//|--) Databricks notebook source[ \t]*(?:[\r\n]|\Z)")
_LANGUAGE = re.compile(r"\s*%(\w+)[ \t]*")
# cells whose text runs or configures something, with the style of their comments; others are prose
_STYLES = {
    **dict.fromkeys(("sh", "pip", "conda", "fs", "run", "python", "r", "configure"), "shell"),
    "scala": "slashes",
    "sql": "sql",
}
_MAGIC = "# MAGIC "
_CELL = re.compile(r"# MAGIC[ \t]+%python[ \t]*\s*$")
# what divides a notebook into its cells
_EDGE = re.compile(r"\ufeff?# (?:Databricks notebook source|COMMAND ----------)[ \t]*\s*$")


def notebook_mark(text: str) -> str | None:
    """Return how comments begin in a source that is a notebook of Databricks, else None."""
    match = _FIRST.match(text)
    return None if match is None else match["mark"]


def commented_cells(text: str, mark: str) -> Iterator[ForeignPart]:
    """Yield the cells in comments that run or configure something."""
    magic = re.compile(rf"{re.escape(mark)} MAGIC ?")
    part: list[str] = []
    start = 0
    for number, line in enumerate([*split_lines(text), ""], 1):
        match = magic.match(line)
        if match is None:
            if part:
                yield from _magic_cell(start, part, len(mark) + 7)
                part = []
            continue
        start = start if part else number
        part.append(" " * match.end() + line[match.end() :])


def _magic_cell(start: int, lines: list[str], width: int) -> Iterator[ForeignPart]:
    magic = _LANGUAGE.match(lines[0])
    style = None if magic is None else _STYLES.get(magic.group(1))
    if magic is not None and style is not None:
        language = magic[1] if magic[1] in ("python", "scala") else ""
        # spaces stand for the comment's mark, so that columns are those of the file
        yield ForeignPart(None, start, "\n".join(lines), style, language, width)


@dataclass(frozen=True, slots=True)
class PythonCells:
    """The text with these cells as code, which has as many lines; shifted: the lines of that code.

    Empty lines of a cell stay comments, so that the notebook's cells keep their ends.
    """

    text: str
    shifted: frozenset[int]

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the file of one in the text; lines count from 1, columns from 0."""
        return line, column + len(_MAGIC) if line in self.shifted else column

    def restore(self, edited: str) -> str:
        """Return the text of the file, after edits of this one."""
        lines = keep_ends(edited)
        start = None
        for index, line in enumerate([*lines, "# COMMAND ----------"]):
            if _CELL.match(line):
                start = index
            elif start is not None and _EDGE.match(line):
                _comment(lines, start, index)
                start = None
        return "".join(lines)


def python_cells(text: str) -> PythonCells | None:
    """Return a notebook with its `%python` cells as code, None if none or unusual."""
    lines = keep_ends(text)
    shifted = set()
    inside = False
    for index, line in enumerate(lines):
        if _CELL.match(line):
            inside = True
        elif inside and line.startswith("# MAGIC"):
            code = line[len(_MAGIC) :]
            if code.strip():
                lines[index] = code
                shifted.add(index + 1)
        else:
            inside = False
    if not shifted:
        return None
    cells = PythonCells("".join(lines), frozenset(shifted))
    return cells if cells.restore(cells.text) == text else None


def _comment(lines: list[str], start: int, end: int) -> None:
    """Put the marks back into a cell; empty lines behind it do not belong to it."""
    while end > start and not lines[end - 1].strip():
        end -= 1
    for index in range(start, end):
        if not lines[index].startswith("# MAGIC"):
            lines[index] = _MAGIC + lines[index]
