"""The parts of a file as one program: the cells of a notebook after each other, in their order.

What writes code sees one text. Between two cells stands a statement that does nothing, and so do
the comments in which Databricks keeps its cells: they stay in their places, whatever happens to the
code around them.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace

from migrator.model.report import Spot
from migrator.source.document import Document, Texts
from migrator.source.layout import marked_place, place_mark
from migrator.source.lines import keep_ends
from migrator.source.magics import notebook_mark
from migrator.source.problems import RewriteProblem
from migrator.source.python import Chunk, Unit

# comments of Databricks that are cells, or begin them
_CELLS = re.compile(
    r"\ufeff?# (?:Databricks notebook source|COMMAND ----------|DBTITLE\b|MAGIC\b).*\s*"
)
_EMPTY_ENDS = re.compile(
    r"(?P<first>(?:[ \t]*[\r\n])*)(?P<code>.*?)(?P<last>(?<![^\n\r])\s*)", re.DOTALL
)
# it has to be the first statement, of its cell in a notebook and of the text here
_FUTURE = re.compile(r"from[ \t]+__future__[ \t]+import\b[^(]*\s*")


@dataclass(frozen=True)
class JoinedParts:
    """The parts of a file that parse, as one program.

    Parameters
    ----------
    unit : Unit
        The parts with their places in it.
    kept : tuple of (str or None)
        The lines that the statements without effect stand for, None for those between two cells.
    unread : dict of int or None to str
        The sources of the parts that do not parse, by cell.
    """

    text: str
    unit: Unit
    kept: tuple[str | None, ...]
    unread: Texts

    def spot(self, line: int, byte_column: int = 0) -> Spot:
        """Return the place in the file of one in the text, as `ast` gives it."""
        return self.unit.spot(line, byte_column)

    def split(self, edited: str) -> Texts:
        """Return the sources of the parts, by cell, after edits of the text.

        Raises
        ------
        RewriteProblem
            If a cell has lost its place.
        """
        (cell, *_) = (chunk.cell for chunk in self.unit.chunks)
        if cell is None and not self.kept:
            return {cell: edited}
        before, _ = _sections(self.text)
        after, marks = _sections(edited)
        if marks != [*range(len(self.kept))]:
            raise RewriteProblem("a cell would lose its place")
        texts = [""]
        for old, new, tail in zip(before, after, [*self.kept, ""], strict=True):
            texts[-1] += _with_old_ends(old, new)
            if tail is None:
                texts.append("")
            else:
                texts[-1] += tail
        return {
            chunk.cell: text if chunk.text.endswith(("\n", "\r")) else text.rstrip("\r\n")
            for chunk, text in zip(self.unit.chunks, texts, strict=True)
        }


def joined_parts(document: Document) -> JoinedParts | None:
    """Return the parts of a file as one program, None if none of it parses."""
    if document.unit is None:
        return None
    tails: list[str | None] = []
    chunks: list[Chunk] = []
    text, line = "", 1
    for chunk in document.unit.chunks:
        if chunk.is_partial:
            continue
        if chunks:
            text += f"{place_mark(len(tails))}\n"
            tails.append(None)
            line += 1
        own = _text_with_marks(chunk, tails)
        if not own.endswith(("\n", "\r")) and own and chunk.cell is not None:
            own += "\n"
        chunks.append(replace(chunk, first_line=line))
        text += own
        line += len(keep_ends(own))
    read = {chunk.cell for chunk in chunks}
    unread = {cell: text for cell, text in document.texts.items() if cell not in read}
    if None in read:
        unread |= {part.cell: part.text for part in document.foreign if part.language == "python"}
    return JoinedParts(text, Unit(chunks, ast.Module([], [])), tuple(tails), unread)


def _text_with_marks(chunk: Chunk, tails: list[str | None]) -> str:
    """Return the source of a part with marks for what has to stay in its place."""
    if chunk.cell is None and notebook_mark(chunk.text) is None:
        return chunk.text
    lines = keep_ends(chunk.text)
    for index, line in enumerate(lines):
        if _FUTURE.fullmatch(line) or (chunk.cell is None and _CELLS.fullmatch(line)):
            lines[index] = f"{place_mark(len(tails))}{line[len(line.rstrip()) :]}"
            tails.append(line)
    return "".join(lines)


def _sections(text: str) -> tuple[list[str], list[int]]:
    """Return what stands around the marks of a text, and their numbers."""
    sections: list[str] = [""]
    marks: list[int] = []
    for line in keep_ends(text):
        mark = marked_place(line)
        if mark is None:
            sections[-1] += line
        else:
            sections.append("")
            marks.append(mark)
    return sections, marks


def _with_old_ends(before: str, after: str) -> str:
    """Return a section with the empty lines at its ends that it had before."""
    if after == before:
        return after
    parts = [_EMPTY_ENDS.fullmatch(text) for text in (before, after)]
    old, new = (part for part in parts if part is not None)
    return old["first"] + new["code"] + old["last"]
