"""Python files and notebooks as one thing: a unit to analyse, and a way to write it back."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from migrator.discover.filetypes import FileType
from migrator.source.decode import Decoded, decode_guessing, decode_python
from migrator.source.notebook import Notebook, NotebookProblem, read_notebook
from migrator.source.python import Chunk, ParseProblem, Unit, make_chunk

Texts: TypeAlias = dict[int | None, str]


@dataclass(slots=True)
class BrokenPart:
    """A file or a cell that does not parse."""

    problem: ParseProblem
    text: str
    cell: int | None


@dataclass(slots=True)
class Document:
    """What can be analysed of a file.

    unit: the parts that parse, as one program; None if there are none. texts: the source of each
    part by cell (None for a file). foreign: lines that are not Python, as (cell, line, text).
    render: the bytes of the file with new texts; it raises NotebookProblem if they do not fit.
    """

    unit: Unit | None
    texts: Texts
    render: Callable[[Texts], bytes]
    broken: list[BrokenPart] = field(default_factory=list)
    foreign: list[tuple[int, int, str]] = field(default_factory=list)


def read_document(kind: FileType, data: bytes) -> Document:
    """Reads a Python file or a notebook.

    Raises: DecodeProblem or NotebookProblem if it is not text, or not a notebook.
    """
    if kind is FileType.NOTEBOOK:
        return _notebook(read_notebook(data))
    return _python(decode_python(data))


def guessed_document(data: bytes) -> Document:
    """A Python file in an encoding that it does not name, to look at but not to write back."""
    return _python(decode_guessing(data))


def _python(decoded: Decoded) -> Document:
    document = Document(None, {None: decoded.text}, lambda texts: decoded.encode(texts[None]))
    try:
        chunk = make_chunk(decoded.text)
    except ParseProblem as problem:
        document.broken.append(BrokenPart(problem, decoded.text, None))
    else:
        document.unit = Unit([chunk], chunk.tree)
    return document


def _notebook(notebook: Notebook) -> Document:
    document = Document(None, {}, lambda texts: _render(notebook, texts))
    chunks: list[Chunk] = []
    line = 1
    for cell in notebook.cells:
        if cell.python is None:
            numbered = enumerate(cell.lines(), 1)
            document.foreign += [(cell.number, number, text) for number, text in numbered]
            continue
        document.foreign += [(cell.number, number, text) for number, text in cell.python.kept]
        document.texts[cell.number] = cell.python.text
        try:
            chunk = make_chunk(cell.python.text, line, cell.number)
        except ParseProblem as problem:
            document.broken.append(BrokenPart(problem, cell.source, cell.number))
            continue
        chunks.append(chunk)
        line += len(chunk.lines) + 1
    if chunks:
        body = [statement for chunk in chunks for statement in chunk.tree.body]
        document.unit = Unit(chunks, ast.Module(body, []))
    return document


def _render(notebook: Notebook, texts: Texts) -> bytes:
    sources = {}
    for cell in notebook.cells:
        if cell.python is not None and texts[cell.number] != cell.python.text:
            restored = cell.python.restore(texts[cell.number])
            if restored is None:
                raise NotebookProblem(f"a magic of cell {cell.number} would be lost")
            sources[cell.number] = restored
    return notebook.with_sources(sources)
