"""From the bytes of one file to its report: read, infer, harvest, plan, judge, edit, prove."""

from __future__ import annotations

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass

from migrator.discover.candidates import mentions_streaming
from migrator.discover.filetypes import FileType
from migrator.edit.plan import Plan, plan
from migrator.edit.problems import RewriteProblem
from migrator.events import Event, FileProblem, Use
from migrator.guests import report_guests
from migrator.harvest.python import Harvest
from migrator.harvest.text import line_events, mentions, text_events, uncommented
from migrator.infer.program import Program
from migrator.infer.project import again, alone
from migrator.judge import judge, refuse, unreadable, withhold
from migrator.model import FileReport, Spot, Status
from migrator.select.comments import apply_comments
from migrator.source.databricks import notebook_mark
from migrator.source.decode import DecodeProblem, decode_text
from migrator.source.document import (
    BrokenPart,
    Document,
    Texts,
    guessed_document,
    magic_foreign,
    read_document,
)
from migrator.source.lines import split_lines
from migrator.source.notebook import NotebookProblem
from migrator.source.python import Unit, deep_recursion


@dataclass(frozen=True, slots=True)
class Known:
    """A file that has been read and inferred already, together with the modules around it."""

    document: Document
    program: Program


def analyse(relative: str, kind: FileType, data: bytes, known: Known | None = None) -> FileReport:
    """Reports one file.

    Parameters: relative, its path for the report; kind, how to read it; data, its bytes; known,
    what inference over its project has found, None to look at the file alone.
    Returns: the report, with the new content if the file is to be rewritten.
    """
    report = FileReport(relative, original=data)
    if kind in (FileType.PYTHON, FileType.NOTEBOOK):
        _program(report, kind, data, known)
    elif b"\0" in data and not data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        advice = "look through it by hand, or repair it"
        at = Spot(1, data.index(b"\0") + 1)
        unreadable(report, FileProblem(at, "binary", "the file contains null bytes", advice))
    elif kind in (FileType.SCALA, FileType.JAVA):
        # few projects have such sources
        from migrator.jvm.report import report_source

        text = decode_text(data)
        report_source(report, text, kind.value)
        _cells_in_comments(report, text)
    elif kind is FileType.SQL:
        _cells_in_comments(report, decode_text(data))
    else:
        judge(report, list(text_events(decode_text(data), kind.value)))
    apply_comments(report)
    report.sort()
    return report


def _program(report: FileReport, kind: FileType, data: bytes, known: Known | None) -> None:
    guessed = False
    try:
        document = read_document(kind, data) if known is None else known.document
    except DecodeProblem as problem:
        if not mentions_streaming(data.replace(b"\0", b"")):
            return
        at = Spot(problem.line, problem.column)
        advice = "look through it by hand, or repair it"
        unreadable(report, FileProblem(at, problem.kind, problem.detail, advice))
        if problem.kind == "binary":
            return
        document = guessed_document(data)
        guessed = True
    except NotebookProblem as problem:
        if mentions_streaming(data):
            unreadable(report, FileProblem(Spot(1, 1), "notebook", str(problem)))
        return
    for part in document.broken:
        if document.partial or mentions_streaming(part.text.encode("utf-8", "replace")):
            _broken(report, part)
    events: list[Event] = []
    for other in report_guests(report, document.foreign):
        events += text_events(other.text, other.style, other.line, other.cell)
    if document.unit is None:
        judge(report, events)
        return
    with deep_recursion():
        program = alone(document.unit, report.path) if known is None else known.program
        result, found = _examine(document.unit, program)
    if document.python2 and (mentions_streaming(data) or any(isinstance(e, Use) for e in found)):
        # once a file: it is converted as a whole
        part = document.python2[0]
        at = Spot(max(part.problem.line, 1), max(part.problem.column, 1), part.cell)
        events.append(FileProblem(at, "converted", part.problem.detail))
    judge(report, [*found, *events])
    if guessed or document.partial:
        withhold(report)
    elif result.edits:
        _rewrite(report, kind, document, result, program)


def _cells_in_comments(report: FileReport, text: str) -> None:
    """Reports the cells in other languages of a Databricks notebook."""
    mark = notebook_mark(text)
    cells = [] if mark is None else magic_foreign(text, mark)
    events: list[Event] = []
    for other in report_guests(report, cells):
        events += text_events(other.text, other.style, other.line, other.cell)
    judge(report, events)


def _broken(report: FileReport, part: BrokenPart) -> None:
    """Reports a part that does not parse, and what its text mentions."""
    problem = part.problem
    advice = "split the expression, or migrate the file by hand"
    at = Spot(max(problem.line, 1), max(problem.column, 1), part.cell)
    unreadable(report, FileProblem(at, problem.kind, problem.detail, advice))
    events: list[Event] = []
    for number, line in enumerate(split_lines(part.text), 1):
        code = uncommented(line, "shell")
        events += line_events(code, number, part.cell)
        events += mentions(code, number, part.cell)
    judge(report, events)


def _examine(unit: Unit, program: Program) -> tuple[Plan, list[Event]]:
    result = plan(unit, program)
    return result, [*result.entries, *Harvest(unit, program).run()]


def _rewrite(
    report: FileReport, kind: FileType, document: Document, result: Plan, program: Program
) -> None:
    """Edits a document, and keeps the result only if it is proven right."""
    assert document.unit is not None
    # libcst costs more than a run over a tree without DStreams
    from migrator.edit.rewrite import rewritten

    try:
        with deep_recursion():
            texts = rewritten(document.unit, document.texts, result.edits)
        content = document.render(texts)
        _prove_stable(kind, content, texts, program)
    except (RewriteProblem, NotebookProblem) as problem:
        refuse(report, str(problem))
        return
    report.content = content
    report.status = Status.REWRITTEN


def _prove_stable(kind: FileType, content: bytes, texts: Texts, program: Program) -> None:
    """Reads a result again: it has to hold what was meant, with nothing left to rewrite."""
    try:
        document = read_document(kind, content)
    except DecodeProblem as problem:
        raise RewriteProblem(f"the result cannot be read: {problem.detail}") from None
    if document.texts != texts:
        raise RewriteProblem("the result does not read back as it was written")
    if document.unit is not None:
        with deep_recursion():
            if plan(document.unit, again(document.unit, program)).edits:
                raise RewriteProblem("a second run would change the result again")
