"""Databricks source notebooks: Python files whose other cells stand in comments."""

from __future__ import annotations

import re
from collections.abc import Iterator

from migrator.source.lines import split_lines

_FIRST = re.compile(r"\ufeff?# Databricks notebook source[ \t]*(?:[\r\n]|\Z)")
_MAGIC = re.compile(r"# MAGIC ?")
_LANGUAGE = re.compile(r"\s*%(\w+)[ \t]*")
# cells whose text runs or configures something, with the style of their comments; others are prose
_STYLES = {
    **dict.fromkeys(("sh", "pip", "conda", "fs", "run", "python", "r", "configure"), "shell"),
    "scala": "slashes",
    "sql": "sql",
}


def is_databricks(text: str) -> bool:
    """Whether a Python source is a notebook exported by Databricks."""
    return _FIRST.match(text) is not None


def magic_parts(text: str) -> Iterator[tuple[int, str, str]]:
    """The cells in comments: their first line, their text, and the style of its comments.

    Spaces stand for the comment's mark, so that columns are those of the file.
    """
    part: list[str] = []
    start = 0
    for number, line in enumerate([*split_lines(text), ""], 1):
        match = _MAGIC.match(line)
        if match is None:
            if part:
                yield from _styled(start, part)
                part = []
            continue
        start = start if part else number
        part.append(" " * match.end() + line[match.end() :])


def _styled(start: int, lines: list[str]) -> Iterator[tuple[int, str, str]]:
    magic = _LANGUAGE.match(lines[0])
    style = _STYLES.get(magic.group(1)) if magic is not None else None
    if style is not None:
        yield start, "\n".join(lines), style
