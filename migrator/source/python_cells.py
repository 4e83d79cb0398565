"""`%python` cells of a Python notebook of Databricks: code in comments, read like the rest."""

from __future__ import annotations

import re
from dataclasses import dataclass

from migrator.source.lines import keep_ends

_MARK = "# MAGIC "
_CELL = re.compile(r"# MAGIC[ \t]+%python[ \t]*\s*$")
# what divides a notebook into its cells
_EDGE = re.compile(r"\ufeff?# (?:Databricks notebook source|COMMAND ----------)[ \t]*\s*$")


@dataclass(frozen=True, slots=True)
class PythonCells:
    """The text with these cells as code, which has as many lines; shifted: the lines of that code.

    Empty lines of a cell stay comments, so that the notebook's cells keep their ends.
    """

    text: str
    shifted: frozenset[int]

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Return the place in the file of one in the text; lines count from 1, columns from 0."""
        return line, column + len(_MARK) if line in self.shifted else column

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
            code = line[len(_MARK) :]
            if code.strip():
                lines[index] = code
                shifted.add(index + 1)
        else:
            inside = False
    if not shifted:
        return None
    found = PythonCells("".join(lines), frozenset(shifted))
    return found if found.restore(found.text) == text else None


def _comment(lines: list[str], start: int, end: int) -> None:
    """Put the marks back into a cell; empty lines behind it do not belong to it."""
    while end > start and not lines[end - 1].strip():
        end -= 1
    for index in range(start, end):
        if not lines[index].startswith("# MAGIC"):
            lines[index] = _MARK + lines[index]
