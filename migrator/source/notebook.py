"""Jupyter notebooks: cells to chunks of Python, and edited chunks back to JSON."""

from __future__ import annotations

import codecs
import json
from dataclasses import dataclass, field

from migrator.source.json_spans import CellSpan, cell_spans, replaced
from migrator.source.lines import keep_ends
from migrator.source.magics import NeutralCell, neutralise


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
                new = replaced(text, cell.span, keep_ends(sources[cell.number]))
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
