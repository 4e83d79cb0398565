"""Jupyter notebooks: cells to chunks of Python, and edited chunks back to JSON.

Only the strings of edited lines are replaced, so that all else stays byte for byte.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from migrator.source.lines import changes, keep_ends
from migrator.source.magics import NeutralCell, neutralise

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


def json_with_lines(text: str, span: CellSpan, new_lines: list[str]) -> str:
    """Return the JSON of a cell's source with new lines; literals of unchanged lines are kept."""
    raw = text[span.start : span.end]
    ascii_only = raw.isascii()
    if not span.is_list:
        return json.dumps("".join(new_lines), ensure_ascii=ascii_only)
    old = [item for _, _, item in span.items]
    literals: list[str] = []
    copied = 0
    for i1, i2, j1, j2 in changes(old, new_lines):
        literals += [text[start:end] for start, end, _ in span.items[copied:i1]]
        literals += [json.dumps(line, ensure_ascii=ascii_only) for line in new_lines[j1:j2]]
        copied = i2
    literals += [text[start:end] for start, end, _ in span.items[copied:]]
    lead = text[span.start + 1 : span.items[0][0]]
    tail = text[span.items[-1][1] : span.end]
    gaps = {text[a[1] : b[0]] for a, b in zip(span.items, span.items[1:], strict=False)}
    gap = gaps.pop() if len(gaps) == 1 else "," + (lead or " ")
    return "[" + lead + gap.join(literals) + tail


class NotebookProblem(Exception):
    """A file that is not a notebook we can read; the text says why."""


@dataclass(slots=True)
class CodeCell:
    """A cell: its number from 1, its source, and that source as Python (None if it is not)."""

    number: int
    span: CellSpan
    source: str
    python: NeutralCell | None


@dataclass(slots=True)
class Notebook:
    """A notebook with its code cells, and those that are text; language is that of its kernel."""

    text: str
    bom: bytes
    language: str
    cells: list[CodeCell] = field(default_factory=list)
    texts: list[CodeCell] = field(default_factory=list)

    def with_sources(self, sources: dict[int, str]) -> bytes:
        """Return the notebook with new sources for some cells, by cell number."""
        text = self.text
        for cell in sorted((*self.cells, *self.texts), key=lambda c: -c.number):
            if cell.number in sources:
                new = json_with_lines(text, cell.span, keep_ends(sources[cell.number]))
                text = text[: cell.span.start] + new + text[cell.span.end :]
        return self.bom + text.encode("utf-8")


def read_notebook(data: bytes) -> Notebook:
    """Read a notebook.

    Raises
    ------
    NotebookProblem
        If it is not UTF-8 JSON with cells.
    """
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    try:
        text = data[len(bom) :].decode("utf-8")
        parsed = json.loads(text, strict=False)
        if not isinstance(parsed, dict):
            raise NotebookProblem("its JSON is not an object")
        spans = cell_spans(text)
    except UnicodeDecodeError as error:
        raise NotebookProblem(f"byte at offset {error.start} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise NotebookProblem(f"its JSON is broken: {error}") from None
    except (ValueError, RecursionError) as error:
        raise NotebookProblem(f"its JSON is not that of a notebook: {error}") from None
    notebook = Notebook(text, bom, _language(parsed))
    for number, span in enumerate(spans, 1):
        if span.kind == "code":
            source = span.source
            python = neutralise(source) if notebook.language == "python" else None
            notebook.cells.append(CodeCell(number, span, source, python))
        elif span.kind == "markdown":
            notebook.texts.append(CodeCell(number, span, span.source, None))
    return notebook


def _language(parsed: dict[str, object]) -> str:
    """Return the language of the kernel, which is Python unless the metadata name another one."""
    metadata = parsed.get("metadata")
    if not isinstance(metadata, dict):
        return "python"
    for section, key in (("language_info", "name"), ("kernelspec", "language")):
        part = metadata.get(section)
        if isinstance(part, dict) and isinstance(part.get(key), str):
            name = part[key].lower()
            return "python" if "python" in name or name == "pyspark" else name
    return "python"
