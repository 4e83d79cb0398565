"""Where the sources of a notebook's cells stand in its JSON text.

Only the strings of edited lines are replaced, so that all else stays byte for byte.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.source.line_changes import changes

_SPACE = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(strict=False)


@dataclass(slots=True)
class CellSpan:
    """A cell: its type, and the literals of its source with their offsets in the JSON text."""

    kind: str = ""
    start: int = 0
    end: int = 0
    is_list: bool = False
    items: list[tuple[int, int, str]] = field(default_factory=list)

    @property
    def source(self) -> str:
        """The text of the cell."""
        return "".join(item for _, _, item in self.items)


def cell_spans(text: str) -> list[CellSpan]:
    """Return the cells of a notebook in order, nbformat 4 (`cells`) or 3 (`worksheets`).

    Raises
    ------
    ValueError
        If the text is not the JSON of a notebook.
    """
    spans: list[CellSpan] = []
    for key, start in _members(text, _skip(text, 0)):
        if key == "cells":
            spans += [_cell(text, item) for item in _elements(text, start)]
        elif key == "worksheets":
            for sheet in _elements(text, start):
                for inner, at in _members(text, sheet):
                    if inner == "cells":
                        spans += [_cell(text, item) for item in _elements(text, at)]
    return spans


def _cell(text: str, at: int) -> CellSpan:
    span = CellSpan()
    for key, start in _members(text, at):
        if key == "cell_type":
            span.kind = str(_DECODER.raw_decode(text, start)[0])
        elif key in ("source", "input"):
            span.start, span.end = start, _DECODER.raw_decode(text, start)[1]
            span.is_list = text[start] == "["
            starts = _elements(text, start) if span.is_list else iter([start])
            for item in starts:
                value, end = _DECODER.raw_decode(text, item)
                if not isinstance(value, str):
                    raise ValueError("the source of a cell is not text")
                span.items.append((item, end, value))
    return span


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _members(text: str, at: int) -> Iterator[tuple[str, int]]:
    """Yield the keys of the object at an offset, each with the offset of its value."""
    if text[at : at + 1] != "{":
        raise ValueError("not a JSON object")
    at = _skip(text, at + 1)
    while text[at : at + 1] == '"':
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at : at + 1] != ":":
            raise ValueError("a key without a value")
        at = _skip(text, at + 1)
        yield key, at
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        at = _skip(text, at + 1) if text[at : at + 1] == "," else at


def _elements(text: str, at: int) -> Iterator[int]:
    """Yield the offsets of the elements of the array at an offset."""
    if text[at : at + 1] != "[":
        raise ValueError("not a JSON array")
    at = _skip(text, at + 1)
    while at < len(text) and text[at] != "]":
        yield at
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        at = _skip(text, at + 1) if text[at : at + 1] == "," else at


def replaced(text: str, span: CellSpan, new_lines: list[str]) -> str:
    """Return the JSON of a cell's source with new lines; literals of unchanged lines are kept."""
    raw = text[span.start : span.end]
    ascii_only = raw.isascii()
    if not span.is_list:
        return json.dumps("".join(new_lines), ensure_ascii=ascii_only)
    old = [item for _, _, item in span.items]
    literals: list[str] = []
    kept = 0
    for i1, i2, j1, j2 in changes(old, new_lines):
        literals += [text[start:end] for start, end, _ in span.items[kept:i1]]
        literals += [json.dumps(line, ensure_ascii=ascii_only) for line in new_lines[j1:j2]]
        kept = i2
    literals += [text[start:end] for start, end, _ in span.items[kept:]]
    lead = text[span.start + 1 : span.items[0][0]]
    tail = text[span.items[-1][1] : span.end]
    gaps = {text[a[1] : b[0]] for a, b in zip(span.items, span.items[1:], strict=False)}
    gap = gaps.pop() if len(gaps) == 1 else "," + (lead or " ")
    return "[" + lead + gap.join(literals) + tail
