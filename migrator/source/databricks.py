"""Databricks source notebooks: files of one language whose other cells stand in comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from migrator.source.lines import split_lines

_FIRST = re.compile(r"\ufeff?(?P<mark>#|//|--) Databricks notebook source[ \t]*(?:[\r\n]|\Z)")
_LANGUAGE = re.compile(r"\s*%(\w+)[ \t]*")
# cells whose text runs or configures something, with the style of their comments; others are prose
_STYLES = {
    **dict.fromkeys(("sh", "pip", "conda", "fs", "run", "python", "r", "configure"), "shell"),
    "scala": "slashes",
    "sql": "sql",
}


@dataclass(frozen=True, slots=True)
class MagicCell:
    """A cell in comments: its first line, its text, and what it is.

    Parameters
    ----------
    text : str
        Spaces stand for the comment's mark, so that columns are those of the file.
    style : str
        How its comments look.
    width : int
        How many of these spaces there are.
    """

    line: int
    text: str
    language: str
    style: str
    width: int


def notebook_mark(text: str) -> str | None:
    """Return how comments begin in a source that is a notebook of Databricks, else None."""
    match = _FIRST.match(text)
    return None if match is None else match["mark"]


def magic_cells(text: str, mark: str = "#") -> Iterator[MagicCell]:
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


def _magic_cell(start: int, lines: list[str], width: int) -> Iterator[MagicCell]:
    magic = _LANGUAGE.match(lines[0])
    style = None if magic is None else _STYLES.get(magic.group(1))
    if magic is not None and style is not None:
        yield MagicCell(start, "\n".join(lines), magic.group(1), style, width)
