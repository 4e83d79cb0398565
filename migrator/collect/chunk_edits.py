"""Edits of a parsed piece of source, from the positions that `ast` gives."""

from __future__ import annotations

from migrator.model.report import TextEdit
from migrator.source.lines import keep_ends
from migrator.source.python import Chunk


def offset_in(chunk: Chunk, line: int, byte_column: int) -> int:
    """Return the offset in the text of a chunk of a position that `ast` gives."""
    lines = keep_ends(chunk.text)[: line - chunk.first_line + 1]
    before = lines.pop().encode("utf-8", "surrogatepass")[:byte_column]
    return sum(map(len, lines)) + len(before.decode("utf-8", "surrogatepass"))


def replacement(chunk: Chunk, start: int, end: int, new: str) -> TextEdit:
    """Return the edit that puts a text in the place of a part of a chunk."""
    lines = keep_ends(chunk.text[:start] + "x")
    place = len(lines), len(lines[-1]) - 1
    at, converted = chunk.spot(*place), chunk.converted_spot(*place)
    return TextEdit(at, chunk.text[start:end], new, converted)
