"""Reads every file of a tree that may use DStreams."""

from __future__ import annotations

import os
import traceback
from dataclasses import dataclass
from pathlib import Path

from migrator.analyse import analyse
from migrator.cache import Cache, digest
from migrator.discover.candidates import MAX_BYTES, is_candidate, large_file_mentions
from migrator.discover.filetypes import PROGRAMS, FileType
from migrator.discover.walk import Source, script_type, walk
from migrator.events import FileProblem
from migrator.harvest.versions import may_require
from migrator.judge import unreadable
from migrator.model import FileReport, Report, Spot
from migrator.rules.base import ONLY_WITH_STREAMS

_READ = "make it readable and run migrate again"


@dataclass(slots=True)
class _Candidate:
    """A file that has to be analysed."""

    source: Source
    kind: FileType
    data: bytes
    key: bytes = b""


def scan(root: Path, mode: str, chosen: tuple[str, ...] = (), cache: Cache | None = None) -> Report:
    """Analyses a file or a folder; nothing is written but the cache.

    Parameters: root, what to look at; mode, for the report; chosen, the parts of root to look at,
    all of it if empty; cache, results of earlier runs, none if not given.
    Returns: the report, whose files hold their new content where they are to be rewritten.
    """
    report = Report(str(root), mode)
    programs: list[bytes] = []
    candidates = []
    for source in walk(root, chosen):
        found = _read(report, source, programs if cache is not None else None)
        if isinstance(found, _Candidate):
            candidates.append(found)
        elif found is not None:
            report.files.append(found)
    if cache is not None and candidates:
        cache.load()
        _set_keys(candidates, cache, digest(*programs))
    for candidate in candidates:
        file = _cached(candidate, cache) or _analysed(report, candidate, cache)
        if file.relevant:
            report.files.append(file)
    if cache is not None:
        cache.save()
    _drop_versions_without_streams(report)
    report.files.sort(key=lambda f: f.path)
    return report


def _read(
    report: Report, source: Source, programs: list[bytes] | None
) -> _Candidate | FileReport | None:
    """Looks at a file: a candidate, a problem, or None if it has nothing to do with DStreams.

    Parameters: report, which counts it; source; programs, the digests of all programs so far.
    """
    if source.error is not None:
        _note(programs, source, source.error.encode())
        return _problem(source, "permission", source.error, _READ)
    report.scanned += 1
    try:
        if source.size > MAX_BYTES:
            _note(programs, source, b"large")
            return _large(source)
        data = source.path.read_bytes()
    except OSError as error:
        _note(programs, source, b"unreadable")
        return _problem(source, "permission", error.strerror or str(error), _READ)
    _note(programs, source, data)
    if not is_candidate(data) and not (_states_versions(source) and may_require(data)):
        return None
    kind = script_type(source, data)
    return None if kind is None else _Candidate(source, kind, data)


def _note(programs: list[bytes] | None, source: Source, content: bytes) -> None:
    """Takes down what is in a file on which the results of programs may depend."""
    if programs is not None and (source.type is None or source.type in PROGRAMS):
        programs.append(digest(os.fsencode(source.relative), content))


def _set_keys(candidates: list[_Candidate], cache: Cache, programs: bytes) -> None:
    for candidate in candidates:
        others = programs if candidate.kind in PROGRAMS else b""
        candidate.key = cache.key(
            candidate.source.relative, candidate.kind.value, candidate.data, others
        )


def _cached(candidate: _Candidate, cache: Cache | None) -> FileReport | None:
    return None if cache is None else cache.get(candidate.key, candidate.data)


def _analysed(report: Report, candidate: _Candidate, cache: Cache | None) -> FileReport:
    source = candidate.source
    try:
        found = analyse(source.relative, candidate.kind, candidate.data)
    except Exception as error:
        # one file must not take the report of all others with it; the run ends with 2
        report.internal_errors += 1
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}, line {where.lineno}"
        detail = f"internal error: {type(error).__name__}: {error} ({place})"
        return _problem(source, "internal", detail, "report this error of migrate")
    if cache is not None:
        cache.put(candidate.key, found)
    return found


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
