"""Converts the sources of a Python 2 program to Python 3, all of them or none."""

from __future__ import annotations

import ast
import io
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from migrator.discover.filetypes import FileType
from migrator.model.events import Event, Python2Change
from migrator.model.report import Conversion, Spot, TextEdit
from migrator.python2.meaning import PASSES, Pass, doubts
from migrator.python2.program import Change, Program2, ProgramPart, make_part, make_program
from migrator.source.decode import DecodeProblem
from migrator.source.document import Document, read_document
from migrator.source.import_place import import_span
from migrator.source.lines import TextLines, split_lines
from migrator.source.notebook import NotebookProblem
from migrator.source.problems import RewriteProblem
from migrator.source.python import Chunk, ParseProblem, Unit
from migrator.source.python2 import ConvertedOrigin, ConvertProblem, convert_syntax, mixed_tabs
from migrator.source.tracked_text import ChainedOrigin, Origin, Replaced, Tracked

_SYNTAX = {
    "except": "`except E, e` becomes `except E as e`",
    "exec": "`exec` becomes a call",
    "ne": "`<>` becomes `!=`",
    "numliterals": "the number is written as Python 3 writes it",
    "paren": "the values get parentheses",
    "print": "`print` becomes a call",
    "raise": "`raise E, value` becomes `raise E(value)`",
    "repr": "backticks become `repr()`",
    "strings": "the string is written as Python 3 writes it",
    "tuple_params": "the function takes one value and assigns its parts",
    "lambda": "the lambda takes one value, whose number of parts is not checked any more",
}


@dataclass(slots=True)
class Converted:
    """A converted program.

    Parameters
    ----------
    program : Program2
        Its parts in Python 3.
    texts : dict of int or None to str
        Their sources by cell, with the line ends of the originals.
    changes : list of Python2Change
        What was converted; the places are those of the originals, lines from 1, columns from 0.
    """

    program: Program2
    texts: dict[int | None, str]
    changes: list[Python2Change]


def convert_program(sources: Mapping[int | None, str]) -> Converted:
    """Convert the cells of a program, or its only file.

    Parameters
    ----------
    sources : mapping of int or None to str
        The sources by cell, in their order.

    Raises
    ------
    ConvertProblem
        If one of them is no Python 2, or the result is not proven to hold everything.
    """
    changes: list[Python2Change] = []
    parts = []
    for cell, source in sources.items():
        text = Tracked("\n".join(split_lines(source)))
        changes += _syntax(text, cell)
        changes += _tabs(text, cell)
        parts.append(_part(text, cell))
    program = make_program(parts)
    for run in PASSES:
        changes_by_part = [
            (part, change) for part in program.parts for change in _changes(run, part)
        ]
        # places are those of the text before the edits
        changes += [
            Python2Change(part.spot(c.node), c.fixer, c.text) for part, c in changes_by_part
        ]
        for part in program.parts:
            part.text.edit(
                edit for other, c in changes_by_part if other is part for edit in c.edits
            )
        if changes_by_part:
            program = make_program([_part(part.text, part.cell) for part in program.parts])
    result = Converted(program, {}, _once(changes))
    for part in program.parts:
        source = sources[part.cell]
        if _comments(part.text.original) != _comments(part.text.text):
            raise ConvertProblem("a comment would be lost")
        result.texts[part.cell] = _with_ends(part.text, source)
    return result


def _changes(run: Pass, part: ProgramPart) -> Iterator[Change]:
    """Yield what a pass changes in a part, with the imports that it needs once."""
    added: set[str] = set()
    for node in ast.walk(part.tree):
        for change in run(part, node):
            edits = change.edits
            if change.needs and change.needs not in added:
                added.add(change.needs)
                edits = (*edits, import_span(part.tree, part.text.lines, [change.needs]))
            if edits:
                yield replace(change, edits=edits)


def _syntax(text: Tracked, cell: int | None) -> list[Python2Change]:
    changes = []
    lines = text.original.split("\n")
    for applied in convert_syntax(text):
        line = lines[applied.first - 1] if applied.first <= len(lines) else ""
        at = Spot(applied.first, len(line) - len(line.lstrip()) + 1, cell)
        what = _SYNTAX["lambda" if applied.in_lambda else applied.fixer]
        changes.append(Python2Change(at, applied.fixer, what))
    return changes


def _tabs(text: Tracked, cell: int | None) -> list[Python2Change]:
    changes = []
    tabs_found = mixed_tabs(text)
    for line, edits in tabs_found:
        old, _ = text.old_place(line, 0)
        what = "its block has spaces only now"
        if edits:
            lines = [text.old_place_of(edit.start)[0] for edit in edits]
            where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
            what = f"the tabs of {where} become as many spaces as Python 2 took them for"
        changes.append(Python2Change(Spot(old, 1, cell), "tabs", what))
    text.edit(edit for _, edits in tabs_found for edit in edits)
    return changes


def _part(text: Tracked, cell: int | None) -> ProgramPart:
    try:
        return make_part(text, cell)
    except ParseProblem as problem:
        raise ConvertProblem(f"the result does not parse: {problem.detail}") from None


def _once(changes: list[Python2Change]) -> list[Python2Change]:
    """Return one change for each fixer in a line."""
    first_changes: dict[tuple[int | None, int, str], Python2Change] = {}
    for change in sorted(changes, key=lambda c: c.at.order):
        first_changes.setdefault((change.at.cell, change.at.line, change.text), change)
    return list(first_changes.values())


def _with_ends(text: Tracked, source: str) -> str:
    """Return the text with the line ends of the original, which may differ from line to line."""
    rows = TextLines(source)
    ends, usual = [*rows.ends, ""], rows.usual_end
    if set(ends) <= {"\n", ""}:
        return text.text
    lines = text.text.split("\n")
    result = []
    for number, line in enumerate(lines, 1):
        old = text.old_end(number)
        end = usual if old is None or not ends[old - 1] else ends[old - 1]
        result.append(line + (end if number < len(lines) else ""))
    return "".join(result)


def _comments(source: str) -> Counter[str]:
    """Return the comments of a source in either language, with how often they stand there."""
    from fissix.pgen2 import tokenize as old

    reader = io.StringIO(source + "\n").readline
    try:
        comments = [t[1] for t in old.generate_tokens(reader) if t[0] == old.COMMENT]
    except (old.TokenError, IndentationError):
        raise ConvertProblem("its comments cannot be told from its code") from None
    return Counter(comment.rstrip() for comment in comments)


# Converts a document: a file, or the cells of a notebook.


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
    converted: Converted, sources: dict[int | None, str], before: dict[int | None, Origin | None]
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
