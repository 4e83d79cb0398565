"""Reads every file of a tree that may use DStreams."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path

from migrator.analyse import analyse
from migrator.discover.candidates import MAX_BYTES, is_candidate, large_file_mentions
from migrator.discover.filetypes import FileType
from migrator.discover.walk import Source, script_type, walk
from migrator.events import FileProblem
from migrator.judge import unreadable
from migrator.model import FileReport, Report, Spot
from migrator.project.analyse import Programs
from migrator.report.formats import is_report

_READ = "make it readable and run migrate again"


def scan(root: Path, mode: str, progress: Callable[[str, int, int], None] | None = None) -> Report:
    """Analyses a file or a folder; nothing is written.

    Parameters: root, what to look at; mode, for the report; progress, called with the name of
    each file, how many are done, and how many there are.
    Returns: the report, whose files hold their new content where they are to be rewritten.
    """
    report = Report(str(root), mode)
    programs = Programs()
    found = []
    sources = list(walk(root))
    for done, source in enumerate(sources):
        if progress is not None:
            progress(source.relative, done, len(sources))
        found.append(_file(report, source, programs))
    found += programs.reports(partial(_failed, report), progress)
    report.files += [r for r in found if r is not None and r.relevant]
    report.files.sort(key=lambda f: f.path)
    return report


def _file(report: Report, source: Source, programs: Programs) -> FileReport | None:
    """The report of a file that stands for itself; programs are put aside."""
    if source.error is not None:
        return _problem(source, "permission", source.error, _READ)
    report.scanned += 1
    try:
        if source.size > MAX_BYTES:
            return _large(source)
        data = source.path.read_bytes()
    except OSError as error:
        return _problem(source, "permission", error.strerror or str(error), _READ)
    candidate = is_candidate(data) and not is_report(data)
    if not candidate and source.type not in (FileType.PYTHON, FileType.NOTEBOOK):
        return None
    kind = script_type(source, data)
    if kind is None:
        return None
    if kind in (FileType.PYTHON, FileType.NOTEBOOK):
        programs.add(source, kind, candidate)
        return None
    try:
        return analyse(source.relative, kind, data)
    except Exception as error:
        return _failed(report, source, error)


def _failed(report: Report, source: Source, error: Exception) -> FileReport:
    """One file must not take the report of all others with it; the run ends with 2."""
    if isinstance(error, OSError):
        return _problem(source, "permission", error.strerror or str(error), _READ)
    report.internal_errors += 1
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}, line {where.lineno}"
    detail = f"internal error: {type(error).__name__}: {error} ({place})"
    return _problem(source, "internal", detail, "report this error of migrate")


def _large(source: Source) -> FileReport | None:
    if not large_file_mentions(source.path):
        return None
    size = f"{source.size / 1024 / 1024:.1f} MB"
    detail = f"{size} is more than is analysed, and it mentions DStreams"
    return _problem(source, "large", detail, "look through it by hand")


def _problem(source: Source, kind: str, detail: str, advice: str) -> FileReport:
    return unreadable(FileReport(source.relative), FileProblem(Spot(1, 1), kind, detail, advice))
