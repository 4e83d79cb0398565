"""Programs inside other files: cells of a notebook in another language, or written to a file.

They are analysed like files of their own, but never rewritten.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from migrator.collect.python import EventCollector
from migrator.discover.candidates import mentions_streaming
from migrator.discover.filetypes import FileType
from migrator.edit.plan import plan
from migrator.infer.fixpoint import infer_alone
from migrator.languages.spark_homes import magic_homes
from migrator.languages.text import broken_python_events, text_events
from migrator.model.events import Event, FileProblem, without_rewriting
from migrator.model.report import FileReport, Spot
from migrator.source.document import BrokenPart, read_python2
from migrator.source.lines import keep_ends, split_lines
from migrator.source.magics import ForeignPart, commented_cells, notebook_mark
from migrator.source.python import Chunk, ParseProblem, Unit, deep_recursion, make_chunk
from migrator.source.tracked_text import ChainedOrigin, DedentedLines

_MAGIC = re.compile(r"^[ \t]*%%?[A-Za-z].*", re.MULTILINE)
_LEFT = "programs inside other files are reported, not rewritten"


def report_embedded(report: FileReport, parts: Iterable[ForeignPart]) -> list[Event]:
    """Add the events of the programs inside a file to its report, and return those of other parts.

    Parameters
    ----------
    parts : iterable of ForeignPart
        What the file holds besides its own program.
    """
    left: list[ForeignPart] = []
    together: dict[str, list[ForeignPart]] = {}
    for part in parts:
        if part.language == "file":
            _python(report, [part])
        elif part.language:
            together.setdefault(part.language, []).append(part)
        else:
            left.append(part)
    if "python" in together:
        _python(report, together.pop("python"))
    for language, sources in together.items():
        if any("spark.streaming" in part.text for part in sources):
            _jvm(report, sources, language)
        else:
            left += sources
    events = [e for p in left for e in text_events(p.text, p.style, p.line, p.cell, not p.width)]
    for part in left:
        if "SPARK_HOME" in part.text and part.cell is not None and part.style == "shell":
            for number, line in enumerate(keep_ends(part.text), part.line):
                events += magic_homes(line, number, part.cell)
    return events


def _python(report: FileReport, parts: list[ForeignPart]) -> None:
    chunks: list[Chunk] = []
    events: list[Event] = []
    line = 1
    for part in parts:
        chunk = _chunk(report, part, line, events)
        if chunk is None:
            continue
        chunks.append(chunk)
        line += len(chunk.lines.starts)
    if chunks:
        unit = Unit(chunks, ast.Module([s for chunk in chunks for s in chunk.tree.body], []))
        with deep_recursion():
            program = infer_alone(unit, report.path)
            edit_plan = plan(unit, program)
            events += [*edit_plan.entries, *EventCollector(unit, program).run()]
        if edit_plan.edits:
            events = without_rewriting(events, _LEFT)
    report.events += events


def _chunk(report: FileReport, part: ForeignPart, line: int, events: list[Event]) -> Chunk | None:
    """Return a part parsed, as Python 2 if it is that; None if it is broken, which is reported."""
    text = "\n".join(row[part.width :] for row in split_lines(_without_magics(part.text)))
    origin = DedentedLines(part.line, part.width)
    try:
        return make_chunk(text, line, part.cell, origin)
    except ParseProblem as problem:
        broken = BrokenPart(problem, text, part.cell)
    chunk = read_python2(broken, line)
    matters = mentions_streaming(text.encode("utf-8", "replace"))
    if chunk is not None and chunk.origin is not None:
        chunk.origin = ChainedOrigin(chunk.origin, origin)
        if matters:
            at = _at(part, broken.problem)
            events.append(FileProblem(at, "unconverted", broken.problem.detail))
    elif matters:
        events += _report_broken_part(report, part, broken.problem)
    return chunk


def _at(part: ForeignPart, problem: ParseProblem) -> Spot:
    line = max(problem.line, 1) + part.line - 1
    return Spot(line, max(problem.column, 1) + part.width, part.cell)


def _report_broken_part(
    report: FileReport, part: ForeignPart, problem: ParseProblem
) -> Iterator[Event]:
    """Report a part that does not parse; what its text mentions."""
    advice = "repair it, or migrate it by hand"
    at = _at(part, problem)
    report.mark_unreadable(FileProblem(at, problem.kind, problem.detail, advice))
    yield from broken_python_events(part.text, part.line, part.cell)


def _jvm(report: FileReport, parts: list[ForeignPart], language: str) -> None:
    # few notebooks have such cells
    from migrator.languages.jvm import report_source

    rows: list[str] = []
    places: list[tuple[int | None, int]] = []
    for part in parts:
        for number, row in enumerate(split_lines(_without_magics(part.text)), part.line):
            rows.append(row)
            places.append((part.cell, number))

    def place(at: Spot) -> Spot:
        cell, number = places[min(at.line, len(places)) - 1]
        return Spot(number, at.column, cell)

    report_source(report, "\n".join(rows), language, place)


def _without_magics(text: str) -> str:
    """Return a part with its magics blanked out, so that all else keeps its place."""
    return _MAGIC.sub(lambda match: " " * len(match.group()), text)


# Reports files that are not Python: Scala, Java, SQL, settings, scripts, builds, READMEs.


def report_text_file(report: FileReport, kind: FileType, text: str) -> None:
    """Add the events of a file that is not Python to its report."""
    if kind in (FileType.SCALA, FileType.JAVA):
        # few projects have such sources
        from migrator.languages.jvm import report_source

        report_source(report, text, kind.value)
    if kind in (FileType.SCALA, FileType.JAVA, FileType.SQL):
        mark = notebook_mark(text)
        if mark is not None:
            report.events += report_embedded(report, commented_cells(text, mark))
    else:
        report.events += text_events(text, kind.value)
