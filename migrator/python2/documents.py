"""Converts a document: a file, or the cells of a notebook."""

from __future__ import annotations

from dataclasses import replace

from migrator.discover.filetypes import FileType
from migrator.model.events import Event
from migrator.model.report import Conversion, Spot, TextEdit
from migrator.python2.convert import Converted, convert_program
from migrator.python2.meaning.passes import doubts
from migrator.source.decode import DecodeProblem
from migrator.source.document import Document, read_document
from migrator.source.lines import TextLines
from migrator.source.notebook import NotebookProblem
from migrator.source.origins import ChainedOrigin, Origin, Replaced
from migrator.source.problems import RewriteProblem
from migrator.source.python import Chunk, Unit
from migrator.source.python2 import ConvertedOrigin, ConvertProblem


def convert_document(
    kind: FileType, document: Document
) -> tuple[Document, Conversion, tuple[Event, ...]]:
    """Convert a document that was read as Python 2.

    Parameters
    ----------
    document : Document
        The document; it is of no use afterwards.

    Returns
    -------
    document : Document
        The document in Python 3, whose places are still those of the Python 2 file.
    conversion : Conversion
        The file in Python 3.
    events : tuple of Event
        What was converted, and what is not proven to mean the same.

    Raises
    ------
    ConvertProblem
        If it stays as it is; the text says why.
    """
    assert document.unit is not None
    sources: dict[int | None, str] = {}
    before: dict[int | None, Origin | None] = {}
    for chunk in document.unit.chunks:
        if not chunk.is_partial:
            sources[chunk.cell], before[chunk.cell] = _source(chunk)
    converted = convert_program(sources)
    for chunk in document.unit.chunks:
        # its text is restored as that of any other source from now on
        chunk.origin = before.get(chunk.cell, chunk.origin)
    texts = {**document.texts, **converted.texts}
    try:
        content = document.render(texts)
        result = read_document(kind, content)
    except (RewriteProblem, NotebookProblem, DecodeProblem, UnicodeEncodeError) as problem:
        raise ConvertProblem(f"the result cannot be written: {problem}") from None
    if result.texts != texts or result.unit is None:
        raise ConvertProblem("the result does not read back as it was written")
    # cells of other languages and broken ones are as they were
    result.foreign, result.broken = document.foreign, document.broken
    _keep_places(result.unit, converted, sources, before)
    events = [*converted.changes, *doubts(converted.program)]
    events.sort(key=lambda e: e.at.order)
    return (
        result,
        Conversion(content, tuple(_edits(converted, sources, before))),
        tuple(replace(e, at=_in_file(e.at, before[e.at.cell])) for e in events),
    )


def _source(chunk: Chunk) -> tuple[str, Origin | None]:
    """Return the source of a chunk before it was read as Python 2, and what that was made of."""
    match chunk.origin:
        case ConvertedOrigin(original=text):
            return text, None
        case ChainedOrigin(last=ConvertedOrigin(original=text), first=first):
            return text, first
    return chunk.text, chunk.origin


def _keep_places(
    unit: Unit,
    converted: Converted,
    sources: dict[int | None, str],
    before: dict[int | None, Origin | None],
) -> None:
    parts = {part.cell: part for part in converted.program.parts}
    for chunk in unit.chunks:
        if chunk.cell in parts:
            places = parts[chunk.cell].text
            cell = chunk.cell
            chunk.origin = Replaced(sources[cell], places, before[cell], chunk.origin)


def _edits(
    converted: Converted,
    sources: dict[int | None, str],
    before: dict[int | None, Origin | None],
) -> list[TextEdit]:
    edits = []
    for part in converted.program.parts:
        end = TextLines(sources[part.cell]).usual_end
        for span in part.text.spans():
            line, column = part.text.old_lines.place(span.start)
            at = _in_file(Spot(line, column + 1, part.cell), before[part.cell])
            old = part.text.original[span.start : span.end].replace("\n", end)
            edits.append(TextEdit(at, old, span.new.replace("\n", end)))
    return edits


def _in_file(at: Spot, origin: Origin | None) -> Spot:
    if origin is None:
        return at
    line, column = origin.place(at.line, at.column - 1)
    return Spot(line, column + 1, at.cell)
