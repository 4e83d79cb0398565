"""Reads every file of a tree that may use DStreams."""

from __future__ import annotations

import traceback
from pathlib import Path

from migrator.analyse import analyse
from migrator.discover.candidates import MAX_BYTES, is_candidate, large_file_mentions
from migrator.discover.filetypes import PROGRAMS
from migrator.discover.walk import Source, script_type, walk
from migrator.events import FileProblem
from migrator.harvest.versions import may_require
from migrator.judge import unreadable
from migrator.model import FileReport, Report, Spot
from migrator.rules.base import ONLY_WITH_STREAMS

_READ = "make it readable and run migrate again"


def scan(root: Path, mode: str, chosen: tuple[str, ...] = ()) -> Report:
    """Analyses a file or a folder; nothing is written.

    Parameters: root, what to look at; mode, for the report; chosen, the parts of root to look at,
    all of it if empty.
    Returns: the report, whose files hold their new content where they are to be rewritten.
    """
    report = Report(str(root), mode)
    for source in walk(root, chosen):
        found = _file(report, source)
        if found is not None and found.relevant:
            report.files.append(found)
    _drop_versions_without_streams(report)
    report.files.sort(key=lambda f: f.path)
    return report


def _file(report: Report, source: Source) -> FileReport | None:
    if source.error is not None:
        return _problem(source, "permission", source.error, _READ)
    report.scanned += 1
    try:
        if source.size > MAX_BYTES:
            return _large(source)
        data = source.path.read_bytes()
    except OSError as error:
        return _problem(source, "permission", error.strerror or str(error), _READ)
    if not is_candidate(data) and not (_states_versions(source) and may_require(data)):
        return None
    kind = script_type(source, data)
    if kind is None:
        return None
    try:
        return analyse(source.relative, kind, data)
    except Exception as error:
        # one file must not take the report of all others with it; the run ends with 2
        report.internal_errors += 1
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}, line {where.lineno}"
        detail = f"internal error: {type(error).__name__}: {error} ({place})"
        return _problem(source, "internal", detail, "report this error of migrate")


def _states_versions(source: Source) -> bool:
    """Whether a file may say which PySpark or Python a project needs."""
    return source.type not in PROGRAMS or source.path.name == "setup.py"


def _drop_versions_without_streams(report: Report) -> None:
    """Old versions of PySpark matter to DStream code only."""
    if any(f.sites for f in report.files):
        return
    for file in report.files:
        file.findings = [f for f in file.findings if f.code not in ONLY_WITH_STREAMS]
    report.files = [f for f in report.files if f.relevant]


def _large(source: Source) -> FileReport | None:
    if not large_file_mentions(source.path, source.type in PROGRAMS):
        return None
    size = f"{source.size / 1024 / 1024:.1f} MB"
    detail = f"{size} is more than is analysed, and it mentions DStreams"
    return _problem(source, "large", detail, "look through it by hand")


def _problem(source: Source, kind: str, detail: str, advice: str) -> FileReport:
    return unreadable(FileReport(source.relative), FileProblem(Spot(1, 1), kind, detail, advice))
