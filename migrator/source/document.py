"""Python files and notebooks as one thing: a unit to analyse, and a way to write it back.

Decision 0027: Of a broken file, the statements that parse are analysed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from migrator.discover.filetypes import FileType, type_of
from migrator.source.decode import Decoded, decode_guessing, decode_python
from migrator.source.lines import split_lines
from migrator.source.magics import (
    ForeignPart,
    RunMagic,
    cell_magic,
    commented_cells,
    databricks_runs,
    notebook_mark,
    python_cells,
    run_target,
    with_runs,
)
from migrator.source.notebook import CodeCell, Notebook, NotebookProblem, read_notebook
from migrator.source.python import Chunk, ParseProblem, Unit, make_chunk, parses
from migrator.source.python2 import ConvertProblem, can_convert, read_as_python3
from migrator.source.tracked_text import ChainedOrigin

# The parts of a broken source that do parse.
#
# A file that no Python parses may be a job all the same, with one bad line. Its top-level
# statements are parsed one by one; those that do not are blanked out, so that all others keep their
# places. Lines with the comments of other languages (`// text`) are left out of the statements
# around them.


# generated or random text is not worth the time
_LONGEST = 300_000
# how many pieces one statement may be torn into, by strings and brackets at the start of lines
_PIECES = 40
# and in how many places a source may be broken before it counts as random text
_BROKEN = 50
_START = re.compile(r"(?!else\b|elif\b|except\b|finally\b)[\w@\"']")
_SLASHES = re.compile(r"[ \t]*//")


def recover_source(text: str) -> tuple[str, str] | None:
    """Return a source that parses, and what was taken out of it, both with as many lines as the
    text; None if no statement parses.
    """
    if len(text) > _LONGEST:
        return None
    lines = split_lines(text)
    code = ["" if _SLASHES.match(line) else line for line in lines]
    starts = [n for n, line in enumerate(lines) if _START.match(line)]
    starts = [n for n in starts if n == 0 or not lines[n - 1].startswith("@")]
    edges = [*starts, len(lines)]
    good = [""] * len(lines)
    bad = list(lines)
    index = broken = 0
    while index < len(starts) and broken < _BROKEN:
        statement = _parse_statement(lines, code, edges, index)
        if statement is None:
            broken += 1
            index += 1
            continue
        end, statements = statement
        first, last = edges[index], edges[end]
        good[first:last] = statements
        bad[first:last] = [""] * (last - first)
        index = end
    source = "\n".join(good)
    return (source, "\n".join(bad)) if any(good) and parses(source) else None


def _parse_statement(
    lines: list[str], code: list[str], edges: list[int], index: int
) -> tuple[int, list[str]] | None:
    """Return where the statement ends that begins at an edge, and its lines; None if it is broken.

    Parameters
    ----------
    lines : list of str
        The source.
    code : list of str
        The same without lines that begin with `//`; in strings and sums these are Python.
    edges : list of int
        Where statements may begin, and end.
    """
    for end in range(index + 1, min(index + 1 + _PIECES, len(edges))):
        rows = slice(edges[index], edges[end])
        for source in (lines, code) if lines[rows] != code[rows] else (lines,):
            if parses("\n".join(source[rows])):
                return end, source[rows]
    return None


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

    Parameters
    ----------
    unit : Unit, optional
        The parts that parse, as one program; None if there are none.
    texts : Texts
        The source of each part by cell (None for a file).
    foreign : list of ForeignPart
        The parts that are not Python.
    render : callable
        The bytes of the file with new texts; it raises NotebookProblem if they do not fit.
    python2 : list of BrokenPart
        The parts that were read as Python 2; their texts are the Python 3 that they mean.
    partial : bool
        Whether a broken file is there without its broken statements, only for analysis.
    """

    unit: Unit | None
    texts: Texts
    render: Callable[[Texts], bytes]
    broken: list[BrokenPart] = field(default_factory=list)
    foreign: list[ForeignPart] = field(default_factory=list)
    python2: list[BrokenPart] = field(default_factory=list)
    partial: bool = False

    def read(self, text: str, line: int = 1, cell: int | None = None) -> Chunk | None:
        """Parse a part, as Python 2 if it is that; return None if it is neither."""
        self.texts[cell] = text
        try:
            return make_chunk(text, line, cell)
        except ParseProblem as problem:
            part = BrokenPart(problem, text, cell)
        chunk = read_python2(part, line)
        if chunk is None:
            self.broken.append(part)
        else:
            self.python2.append(part)
            self.texts[cell] = chunk.text
        return chunk


def read_document(kind: FileType, data: bytes) -> Document:
    """Read a Python file or a notebook.

    Raises
    ------
    DecodeProblem, NotebookProblem
        If it is not text, or not a notebook.
    """
    if kind is FileType.NOTEBOOK:
        return _notebook(read_notebook(data))
    return _python(decode_python(data))


def guessed_document(data: bytes) -> Document:
    """Return a Python file in an encoding that it does not name, which is not written back."""
    return _python(decode_guessing(data))


def _python(decoded: Decoded) -> Document:
    document = Document(None, {}, lambda texts: decoded.encode(_source(chunk, texts[None])))
    mark = notebook_mark(decoded.text)
    chunk = None if mark is None else _with_python_cells(document, decoded.text)
    converted = chunk is not None
    if chunk is None:
        chunk = document.read(decoded.text)
    if chunk is None:
        chunk = _recover_chunk(document.broken[0])
        document.partial = chunk is not None
    runs: list[RunMagic] = []
    unread = [part.text for part in document.broken if part.text.strip()]
    if mark is not None:
        cells = [*commented_cells(decoded.text, mark)]
        cells = [c for c in cells if not (converted and c.language == "python")]
        unread += [c.text for c in cells if c.language == "python"]
        document.foreign += cells
        runs += databricks_runs(decoded.text)
    if chunk is not None:
        tree = ast.Module(with_runs(chunk.tree.body, runs), []) if runs else chunk.tree
        document.unit = Unit([chunk], tree, unread)
    return document


def _with_python_cells(document: Document, text: str) -> Chunk | None:
    """Return the chunk of a notebook with its `%python` cells, None if it does not parse."""
    cells = python_cells(text)
    if cells is None:
        return None
    chunk = document.read(cells.text)
    if chunk is None:
        # one of these cells may be the broken one
        document.broken.clear()
    else:
        chunk.origin = cells if chunk.origin is None else ChainedOrigin(chunk.origin, cells)
    return chunk


def _recover_chunk(part: BrokenPart, line: int = 1) -> Chunk | None:
    """Return the chunk of what parses of a broken part; what does not stays as the part."""
    parts = recover_source(part.text)
    if parts is None:
        return None
    try:
        chunk = make_chunk(parts[0], line, part.cell)
    except ParseProblem:
        # nested too deeply, which parsing alone does not show
        return None
    part.text = parts[1]
    return chunk


def read_python2(part: BrokenPart, line: int) -> Chunk | None:
    """Return the chunk of a part that is Python 2, None if it is not or cannot be read so."""
    if part.problem.kind == "nested" or not can_convert():
        return None
    try:
        origin = read_as_python3(part.text)
        return make_chunk(origin.text.text, line, part.cell, origin)
    except (ConvertProblem, ParseProblem):
        # what Python 3 says about the text as it is helps more
        part.problem.kind = "syntax"
        return None


def _source(chunk: Chunk | None, text: str) -> str:
    """Return the text of a chunk as the file is to have it."""
    return text if chunk is None or chunk.origin is None else chunk.origin.restore(text)


def _notebook(notebook: Notebook) -> Document:
    chunks: list[Chunk] = []
    document = Document(None, {}, lambda texts: _render(notebook, chunks, texts))
    document.foreign += [
        ForeignPart(cell.number, 1, cell.source, "document") for cell in notebook.texts
    ]
    runs: list[RunMagic] = []
    line = 1
    for cell in notebook.cells:
        if cell.python is None:
            document.foreign.append(_foreign_cell(cell, notebook.language))
            continue
        document.foreign += [
            ForeignPart(cell.number, *lines_kept) for lines_kept in cell.python.kept
        ]
        chunk = document.read(cell.python.text, line, cell.number)
        if chunk is None and "pyspark" not in cell.python.text:
            # no edit may concern it
            chunk = _recover_chunk(document.broken[-1], line)
            if chunk is not None:
                chunk.is_partial = True
        if chunk is not None:
            chunks.append(chunk)
            targets = ((number, run_target(text)) for number, text in cell.python.kept)
            runs += [RunMagic(line + number - 1, target) for number, target in targets if target]
            line += len(chunk.lines.starts)
    if chunks:
        body = [statement for chunk in chunks for statement in chunk.tree.body]
        unread = [part.text for part in document.broken]
        document.unit = Unit(chunks, ast.Module(with_runs(body, runs), []), unread)
    return document


def _foreign_cell(cell: CodeCell, kernel: str) -> ForeignPart:
    """Return a cell that is not Python of the notebook's own."""
    magic = cell_magic(cell.source)
    if magic is None:
        return ForeignPart(
            cell.number, 1, cell.source, language="scala" if kernel == "scala" else ""
        )
    name, rest = magic
    if name == "scala":
        return ForeignPart(cell.number, 1, cell.source, "slashes", "scala")
    if name in ("writefile", "file"):
        kind = type_of(rest.split()[-1].strip("\"'")) if rest.split() else None
        if kind is FileType.PYTHON:
            return ForeignPart(cell.number, 1, cell.source, language="file")
        if kind is FileType.SCALA:
            return ForeignPart(cell.number, 1, cell.source, "slashes", "scala")
    return ForeignPart(cell.number, 1, cell.source)


def _render(notebook: Notebook, chunks: list[Chunk], texts: Texts) -> bytes:
    sources = {}
    by_cell = {chunk.cell: chunk for chunk in chunks}
    for cell in notebook.cells:
        text = _source(by_cell.get(cell.number), texts.get(cell.number, ""))
        if cell.python is not None and text != cell.python.text:
            restored = cell.python.restore(text)
            if restored is None:
                raise NotebookProblem(f"a magic of cell {cell.number} would be lost")
            sources[cell.number] = restored
    return notebook.with_sources(sources)
