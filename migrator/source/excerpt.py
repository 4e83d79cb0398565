"""The lines of a file by the places that findings name, for excerpts and comparisons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from migrator.discover.filetypes import FileType, type_by_first_line, type_of
from migrator.model.report import Spot
from migrator.source.decode import DecodeProblem, decode_python, decode_text
from migrator.source.lines import split_lines
from migrator.source.notebook import NotebookProblem, read_notebook

_TAB = 4
Place: TypeAlias = tuple[int | None, int]


_CUT = "..."


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a line, and where in it the place is that it was asked for, from 0."""

    text: str
    column: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text of a file in parts: one for a file (under None), one for each code cell."""

    kind: FileType
    parts: dict[int | None, str]
    lines: dict[Place, str] = field(default_factory=dict)

    def line(self, at: Spot) -> str | None:
        """Return the line of a place, or None if the file has no such line."""
        return self.lines.get((at.cell, at.line))

    def excerpt(self, at: Spot, width: int) -> Excerpt | None:
        """Return what stands around a place, or None if there is nothing.

        Parameters
        ----------
        width : int
            The most characters that it may have: a line can be as long as a file.
        """
        line = self.line(at)
        if line is None:
            return None
        column = min(at.column - 1, len(line))
        start, end = max(column - width, 0), column + width
        before, after = line[start:column], line[column:end]
        if start == 0:
            before = before.lstrip()
        after = after.rstrip() if end >= len(line) else after
        if not before and not after:
            return None
        before, after = before.expandtabs(_TAB), after.expandtabs(_TAB)
        room = max(width // 2, width - len(after))
        if len(before) > room or start:
            before = _CUT + before[-(room - len(_CUT)) :]
        left = width - len(before)
        if len(after) > left or end < len(line):
            after = after[: left - len(_CUT)] + _CUT
        return Excerpt(before + after, len(before))


def source_text(path: str, data: bytes) -> SourceText:
    """Return the lines of a file, read as its name says; what cannot be decoded is replaced, since
    it is only shown.
    """
    kind = type_of(path) or type_by_first_line(data) or FileType.PLAIN
    texts: dict[int | None, str] = {}
    if kind is FileType.NOTEBOOK:
        # in text there are no comments for us
        parts, texts = _cells(data)
    else:
        parts = _parts(kind, data)
    result = SourceText(kind, parts)
    for cell, text in (*parts.items(), *texts.items()):
        for number, line in enumerate(split_lines(text), 1):
            result.lines[cell, number] = line
    return result


def _cells(data: bytes) -> tuple[dict[int | None, str], dict[int | None, str]]:
    """Return the cells of a notebook that are code, and those that are text."""
    try:
        notebook = read_notebook(data)
    except NotebookProblem:
        return {None: decode_text(data)}, {}
    code: dict[int | None, str] = {cell.number: cell.source for cell in notebook.cells}
    return code, {cell.number: cell.source for cell in notebook.texts}


def _parts(kind: FileType, data: bytes) -> dict[int | None, str]:
    if kind is FileType.PYTHON:
        try:
            return {None: decode_python(data).text}
        except DecodeProblem:
            return {None: decode_text(data)}
    return {None: decode_text(data)}
