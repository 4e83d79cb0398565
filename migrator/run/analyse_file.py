"""Finds the facts of one file: reads, infers, collects, plans, edits its imports."""

from __future__ import annotations

import re
import symtable
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from migrator.collect.python import EventCollector
from migrator.discover.candidates import mentions_streaming
from migrator.discover.filetypes import FileType, type_by_first_line, type_of
from migrator.edit.plan import Plan, plan
from migrator.edit.rewrite import apply_edits
from migrator.infer.fixpoint import infer_again, infer_alone
from migrator.infer.program import Program
from migrator.infer.values import Value, holds_streams
from migrator.languages.embedded_programs import report_embedded, report_text_file
from migrator.languages.text import broken_python_events
from migrator.model.events import Event, FileProblem, PackageUse, Use, without_rewriting
from migrator.model.report import Conversion, FileReport, Spot, Status
from migrator.source.decode import DecodeProblem, decode_text
from migrator.source.document import (
    BrokenPart,
    Document,
    Texts,
    guessed_document,
    read_document,
)
from migrator.source.notebook import NotebookProblem
from migrator.source.problems import RewriteProblem
from migrator.source.python import Chunk, Unit, deep_recursion
from migrator.source.python2 import ConvertProblem
from migrator.spark.api import canonical, in_streaming

_NAME = re.compile(r"[^\W\d]\w*")
# an attribute is no name
_READ = re.compile(r"(?<![\w.])[^\W\d]\w*")
# no pattern may go over the same blanks twice: cells hold long lines of them
_COMMENT_OR_TEXT = re.compile(
    r"#.*|(?P<prefix>\b[rbuft]{1,2})?"
    r"(?:\"{3}(?:\\[\s\S]|[^\\])*?\"{3}|'{3}(?:\\[\s\S]|[^\\])*?'{3}"
    r"|\"(?:\\.|[^\"\\\n])*+\"|'(?:\\.|[^'\\\n])*+')",
    re.IGNORECASE,
)
_FIELD = re.compile(r"\{[^{}]*\}")
# what may bind names in text that does not parse
_DEFINITION = re.compile(r"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)", re.MULTILINE)
_TARGETS = re.compile(
    r"^[ \t]*([\w(\[*][\w \t,()\[\].*]*+)(?::[^=\n]*)?(?:[-+/%|&^@]|//|<<|>>)?=(?!=)",
    re.MULTILINE,
)
_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import\b(.+)", re.MULTILINE)
_OTHERS = re.compile(
    r"\bfor\b(.+?)\bin\b|\bas[ \t]+(\w+)|\b(\w++)[ \t]*+:=|^[ \t]*global\b(.+)", re.MULTILINE
)


def kind_of(file: FileReport) -> FileType:
    """Return how a file is read, by its name, its folder and its first line."""
    folder = PurePath(file.path).parent.name
    return type_of(file.path, folder) or type_by_first_line(file.original) or FileType.PLAIN


@dataclass(frozen=True, slots=True)
class InferredFile:
    """A file that has been read and inferred already, together with the modules around it."""

    read: ReadProgram
    program: Program


def analyse(
    relative: str,
    kind: FileType,
    data: bytes,
    inferred: InferredFile | None = None,
    convert: bool = True,
) -> FileReport:
    """Return what is found in one file.

    Parameters
    ----------
    relative : str
        Its path for the report.
    inferred : InferredFile, optional
        What inference over its project has found, None to look at the file alone.
    convert : bool
        Whether Python 2 becomes Python 3.

    Returns
    -------
    FileReport
        The report, with the new content if the file is to be rewritten. What rules say about its
        events is left to `migrator.rules.registry.judge`.
    """
    report = FileReport(relative, original=data)
    if kind in (FileType.PYTHON, FileType.NOTEBOOK):
        _program(report, kind, data, inferred, convert)
    elif b"\0" in data and not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        advice = "look through it by hand, or repair it"
        at = Spot(1, data.index(b"\0") + 1)
        report.mark_unreadable(FileProblem(at, "binary", "the file contains null bytes", advice))
    else:
        report_text_file(report, kind, decode_text(data))
    return report


def _program(
    report: FileReport, kind: FileType, data: bytes, inferred: InferredFile | None, convert: bool
) -> None:
    guessed = False
    try:
        if inferred is None:
            read = read_program(kind, data, convert and mentions_streaming(data))
        else:
            read = inferred.read
    except DecodeProblem as problem:
        if not mentions_streaming(data.replace(b"\0", b"")):
            return
        at = Spot(problem.line, problem.column)
        advice = "look through it by hand, or repair it"
        report.mark_unreadable(FileProblem(at, problem.kind, problem.detail, advice))
        if problem.kind == "binary":
            return
        read = ReadProgram(guessed_document(data))
        guessed = True
    except NotebookProblem as problem:
        if mentions_streaming(data):
            report.mark_unreadable(FileProblem(Spot(1, 1), "notebook", str(problem)))
        return
    document = read.document
    events = report_embedded(report, document.foreign)
    if document.unit is None:
        _report_broken(report, document, [], None)
        report.events += events
        return
    with deep_recursion():
        program = infer_alone(document.unit, report.path) if inferred is None else inferred.program
        result, inference = _examine(document.unit, program)
    _report_broken(report, document, inference, program)
    if document.python2 and (
        mentions_streaming(data) or any(isinstance(e, Use) for e in inference)
    ):
        # once a file: it is converted as a whole
        part = document.python2[0]
        at = Spot(max(part.problem.line, 1), max(part.problem.column, 1), part.cell)
        events.append(FileProblem(at, "unconverted", read.refused or part.problem.detail))
    if read.conversion is not None:
        events += read.events
        report.conversion = read.conversion
        report.content = read.conversion.content
        report.status = Status.REWRITTEN
    report.events += [*inference, *events]
    if guessed or document.partial or document.python2:
        report.events = without_rewriting(report.events)
    elif result.edits:
        _rewrite(report, kind, document, result, program)


def _report_broken(
    report: FileReport, document: Document, events: list[Event], program: Program | None
) -> None:
    """Report the parts that do not parse if they, or the events of the others, are of streams."""
    cells = {e.at.cell for e in events if isinstance(e, Use | PackageUse)}
    needed: set[int] = set()
    if document.unit is not None and program is not None and document.broken:
        needed = needed_cells(document.unit.chunks, document.broken, cells, program)
    for part in document.broken:
        whole = part.cell is None and (document.partial or bool(cells))
        mentioned = mentions_streaming(part.text.encode("utf-8", "replace"))
        if whole or mentioned or part.cell in needed:
            _report_broken_part(report, part)
        elif cells:
            at = Spot(max(part.problem.line, 1), max(part.problem.column, 1), part.cell)
            report.events.append(FileProblem(at, "unneeded", part.problem.detail))


def _report_broken_part(report: FileReport, part: BrokenPart) -> None:
    """Report a part that does not parse, and what its text mentions."""
    problem = part.problem
    advice = "split the expression, or migrate the file by hand"
    at = Spot(max(problem.line, 1), max(problem.column, 1), part.cell)
    report.mark_unreadable(FileProblem(at, problem.kind, problem.detail, advice))
    report.events += broken_python_events(part.text, 1, part.cell)


def _examine(unit: Unit, program: Program) -> tuple[Plan, list[Event]]:
    result = plan(unit, program)
    return result, [*result.entries, *EventCollector(unit, program).run()]


def _rewrite(
    report: FileReport, kind: FileType, document: Document, result: Plan, program: Program
) -> None:
    """Edit a document, and keep the result only if it is proven right."""
    assert document.unit is not None
    try:
        with deep_recursion():
            texts = apply_edits(document.unit, document.texts, result.edits)
        content = document.render(texts)
        _prove_stable(kind, content, texts, program)
    except (RewriteProblem, NotebookProblem) as problem:
        report.events = without_rewriting(report.events, str(problem))
        return
    report.content = content
    report.status = Status.REWRITTEN


def _prove_stable(kind: FileType, content: bytes, texts: Texts, program: Program) -> None:
    """Read a result again: it has to hold what was meant, with nothing left to rewrite."""
    try:
        document = read_document(kind, content)
    except DecodeProblem as problem:
        raise RewriteProblem(f"the result cannot be read: {problem.detail}") from None
    if document.texts != texts:
        raise RewriteProblem("the result does not read back as it was written")
    if document.unit is not None:
        with deep_recursion():
            if plan(document.unit, infer_again(document.unit, program)).edits:
                raise RewriteProblem("a second run would change the result again")


@dataclass(frozen=True, slots=True)
class ReadProgram:
    """A program as it is analysed.

    Parameters
    ----------
    conversion : Conversion, optional
        The file in Python 3 if it was converted.
    events : tuple of Event
        What the conversion has changed, and what it cannot know.
    refused : str
        Why it was not converted.
    """

    document: Document
    conversion: Conversion | None = None
    events: tuple[Event, ...] = ()
    refused: str = ""


def read_program(kind: FileType, data: bytes, convert: bool) -> ReadProgram:
    """Read a Python file or a notebook.

    Parameters
    ----------
    convert : bool
        Whether Python 2 becomes Python 3.

    Raises
    ------
    DecodeProblem, NotebookProblem
        If it is not text, or not a notebook.
    """
    document = read_document(kind, data)
    if not convert or not document.python2 or document.unit is None:
        return ReadProgram(document)
    # only Python 2 files pay for it
    from migrator.python2.convert import convert_document

    try:
        return ReadProgram(*convert_document(kind, document))
    except ConvertProblem as problem:
        # the first one may have been changed
        return ReadProgram(read_document(kind, data), refused=str(problem))


@dataclass(frozen=True, slots=True)
class _Cell:
    number: int
    binds: frozenset[str]
    reads: frozenset[str]
    is_broken: bool


def needed_cells(
    chunks: Iterable[Chunk],
    broken: Iterable[BrokenPart],
    streaming: Iterable[int | None],
    program: Program,
) -> set[int]:
    """Return the numbers of the broken cells that have streaming code, or that such cells need.

    Parameters
    ----------
    chunks : iterable of Chunk
        The cells that parse.
    broken : iterable of BrokenPart
        Those that do not.
    program : Program
        What is known of the cells that parse.
    """
    streams = {n for n, v in program.module.bound.items() if holds_streams(v) or _is_api(v)}
    cells = [_parse_cell(c.cell, c.text) for c in chunks if c.cell is not None]
    cells += [_scan_cell(p.cell, p.text) for p in broken if p.cell is not None]
    # the statements of a cell that parse stand beside the others
    cells.sort(key=lambda cell: (cell.number, cell.is_broken))
    own = {c.number for c in cells if c.is_broken and c.reads & streams}
    pending = [cell for cell in cells if cell.number in {*streaming, *own}]
    seen = set(pending)
    while pending:
        user = pending.pop()
        for name in user.reads:
            cell = _binder(cells, user.number, name)
            if cell is not None and cell not in seen:
                seen.add(cell)
                pending.append(cell)
    return {cell.number for cell in seen if cell.is_broken}


def _is_api(value: Value) -> bool:
    return any(in_streaming(canonical(path)) for path in value.paths)


def _binder(ordered: list[_Cell], user: int, name: str) -> _Cell | None:
    """Return the cell that gives a name its value: the last one before its use, if there is one."""
    before = [c for c in ordered if c.number <= user and name in c.binds]
    if before:
        return before[-1]
    after = [c for c in ordered if c.number > user and name in c.binds]
    return next((c for c in after if not c.is_broken), after[0] if after else None)


def _parse_cell(number: int, text: str) -> _Cell:
    """Return a cell by the names that it shares with others: the global ones."""
    binds, reads = set(), set()
    try:
        tables = [symtable.symtable(text, "cell", "exec")]
    except SyntaxError:
        # what parses need not compile
        return _scan_cell(number, text, False)
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if symbol.is_global() or table.get_type() == "module":
                if symbol.is_referenced():
                    reads.add(symbol.get_name())
                if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                    binds.add(symbol.get_name())
    return _Cell(number, frozenset(binds), frozenset(reads), False)


def _scan_cell(number: int, text: str, is_broken: bool = True) -> _Cell:
    """Return a cell by the names in its text."""
    code = _COMMENT_OR_TEXT.sub(_fields, text)
    return _Cell(number, frozenset(_bound_names(code)), frozenset(_READ.findall(code)), is_broken)


def _fields(match: re.Match[str]) -> str:
    """Return the code that a comment or text holds: what an f-string puts in."""
    kind = (match["prefix"] or "").lower()
    return " ".join(_FIELD.findall(match[0])) if {*kind} & {"f", "t"} else " "


def _bound_names(text: str) -> Iterator[str]:
    yield from _DEFINITION.findall(text)
    for targets in (*_TARGETS.findall(text), *(m for ms in _OTHERS.findall(text) for m in ms)):
        yield from _NAME.findall(targets)
    for names in _IMPORT.findall(text):
        yield from _NAME.findall(names)
