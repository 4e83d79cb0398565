"""Reads every file of a tree that may use DStreams."""

from __future__ import annotations

import gc
import os
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from migrator.collect.required_versions import may_name_old_scala, may_require
from migrator.discover.candidates import (
    is_candidate,
    is_too_large,
    large_file_mentions,
    may_start_jobs,
)
from migrator.discover.filetypes import PROGRAMS, FileType, type_by_first_line
from migrator.discover.neighbours import neighbours
from migrator.discover.projects import Projects
from migrator.discover.walk import Candidate, script_type, walk
from migrator.languages.text import may_nest
from migrator.model.events import FileProblem
from migrator.model.projects import concern
from migrator.model.report import FileReport, Report, Spot
from migrator.report.formats import is_report
from migrator.rules.registry import judge
from migrator.run.analyse_file import analyse
from migrator.run.cache import Cache, digest
from migrator.run.command_files import CommandFiles
from migrator.run.programs import Programs, name_foreign_job
from migrator.run.project_facts import facts_of_projects, name_projects
from migrator.select.comments import apply_comments
from migrator.spark.versions import DEFAULT_TARGET, Target

READ_ADVICE = "make it readable and run migrate again"
_ANSI = b"spark.sql.ansi.enabled"
_TOGETHER = frozenset({FileType.PYTHON, FileType.NOTEBOOK})
Progress = Callable[[str, int, int], None]


def _failed_report(report: Report, source: Candidate, error: Exception) -> FileReport:
    """Return the report of a file whose analysis raised an error; migrate's own errors are counted:
    the run goes on, and ends with exit code 2.
    """
    if isinstance(error, OSError):
        return _problem_report(source, "permission", error.strerror or str(error), READ_ADVICE)
    report.internal_errors += 1
    where = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(where.filename).name}, line {where.lineno}"
    detail = f"internal error: {type(error).__name__}: {error} ({place})"
    return _problem_report(source, "internal", detail, "report this error of migrate")


def _large_report(source: Candidate) -> FileReport | None:
    """Return the report of a file that is too large, or None if it does not mention DStreams."""
    if source.type in (FileType.SQL, FileType.DOCUMENT):
        # a dump or data: no notebook and no text for people is as large
        return None
    if source.type is None:
        with source.path.open("rb") as stream:
            # most large files without a suffix are binaries
            if type_by_first_line(stream.read(200)) is None:
                return None
    if not large_file_mentions(source.path, source.type in PROGRAMS):
        return None
    size = f"{source.size / 1024 / 1024:.1f} MB"
    detail = f"{size} is more than is analysed, and it mentions DStreams"
    return _problem_report(source, "large", detail, "look through it by hand")


def _problem_report(source: Candidate, kind: str, detail: str, advice: str) -> FileReport:
    """Return the report of a file that was not read."""
    problem = FileProblem(Spot(1, 1), kind, detail, advice)
    return FileReport(source.relative).mark_unreadable(problem)


def scan(
    root: Path,
    mode: str,
    chosen: tuple[str, ...] = (),
    cache: Cache | None = None,
    progress: Progress | None = None,
    submit: bool = False,
    target: Target = DEFAULT_TARGET,
) -> Report:
    """Analyse a file or a folder; nothing is written but the cache.

    Parameters
    ----------
    root : Path
        What to look at.
    mode : str
        The mode of the run, for the report.
    chosen : tuple of str
        The parts of root to look at, all of it if empty.
    cache : Cache, optional
        Results of earlier runs, none if not given.
    progress : Progress, optional
        Called with the name of each file that is analysed, how many are done, and how many there
        are.
    submit : bool
        Whether `spark-submit` of the jobs is rewritten.
    target : Target
        What the jobs are to run on.

    Returns
    -------
    Report
        The report, whose files hold their new content where they are to be rewritten.
    """
    report = Report(str(root), mode)
    with rare_collections():
        tree = _Tree(report, cache, progress, Programs(), CommandFiles(submit))
        files = tree.facts(root, chosen)
        report.project_of = name_projects(files, root)
        setting = map(report.project_of, tree.ansi)
        facts = facts_of_projects(files, setting, tree.programs.makes_context_around, target)
        report.facts = facts
        report.programs = tree.programs.tree()
        tree.commands.add_events(files, facts, report.project_of)
        files.sort(key=lambda file: file.path)
        for file in files:
            judge(file, facts(file.project))
            apply_comments(file)
            file.sort()
    report.files = [file for file in files if file.relevant]
    return report


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let the garbage collector look at many new syntax nodes at once: few of them are garbage."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


@dataclass(slots=True)
class _Tree:
    """What is read of a tree.

    Parameters
    ----------
    report : Report
        The report that counts the files.
    programs : Programs
        Python files and notebooks, which are analysed together.
    commands : CommandFiles
        The files with commands that may matter to jobs.
    digests : list of bytes
        Digests of everything on which the results of programs may depend.
    contents : dict of str to bytes
        Digests of the programs by their paths.
    candidates : list of (Candidate, FileType, bytes)
        The files that are analysed by themselves.
    ansi : list of str
        The files that name the setting of ANSI SQL.
    others : bytes
        A digest of all digests.
    """

    report: Report
    cache: Cache | None
    progress: Progress | None
    programs: Programs
    commands: CommandFiles
    digests: list[bytes] = field(default_factory=list)
    contents: dict[str, bytes] = field(default_factory=dict)
    candidates: list[tuple[Candidate, FileType, bytes]] = field(default_factory=list)
    ansi: list[str] = field(default_factory=list)
    others: bytes = b""

    def facts(self, root: Path, chosen: tuple[str, ...]) -> list[FileReport]:
        """Return what is found in each file, in the order of their paths."""
        reports = [self._read(source) for source in walk(root, chosen)]
        if self.programs.candidates:
            self._relate(root, chosen)
        if self.cache is not None and (self.candidates or self.programs.candidates):
            self.cache.load()
            self.others = digest(*self.digests)
        for done, (source, kind, data) in enumerate(self.candidates):
            if self.progress is not None:
                self.progress(source.relative, done, len(self.candidates))
            reports.append(self._analyse(source, kind, data))
        reports += self._programs()
        if self.cache is not None:
            self.cache.save()
        files = sorted((file for file in reports if file is not None), key=lambda f: f.path)
        for file in files:
            name_foreign_job(file)
        return files

    def _relate(self, root: Path, chosen: tuple[str, ...]) -> None:
        """Say where imports of programs may lead: to their project, or around what is chosen."""
        if chosen or root.is_file():
            self.programs.around = neighbours(root.parent if root.is_file() else root)
            # what lies around counts only if it is read, and then nothing is kept
            self.digests += map(os.fsencode, sorted(self.programs.around.sources))
            return
        name = Projects(root).name
        self.programs.related = lambda one, other: concern(name(one), name(other))
        if self.cache is not None:
            names = {name(path) for path in self.programs.sources}
            self.digests += map(os.fsencode, sorted(names))

    def _read(self, source: Candidate) -> FileReport | None:
        """Read a file and take it down if it may have to do with DStreams; return a report if it
        cannot be read.
        """
        if source.error is not None:
            self._note(source, source.error.encode())
            return _problem_report(source, "permission", source.error, READ_ADVICE)
        self.report.scanned += 1
        try:
            if is_too_large(source):
                self._note(source, b"large")
                return _large_report(source)
            data = source.path.read_bytes()
        except OSError as error:
            self._note(source, b"unreadable")
            return _problem_report(source, "permission", error.strerror or str(error), READ_ADVICE)
        self._note(source, data)
        self.commands.add(source, data)
        if _ANSI in data and not is_report(data):
            self.ansi.append(source.relative)
        candidate = _is_candidate(source, data)
        if not candidate and source.type not in _TOGETHER:
            return None
        kind = script_type(source, data)
        if kind in _TOGETHER:
            self.programs.add(source, kind, candidate, may_start_jobs(data))
        elif kind is not None:
            self.candidates.append((source, kind, data))
        return None

    def _note(self, source: Candidate, content: bytes) -> None:
        """Keep a digest of a file on which the results of programs may depend."""
        if self.cache is not None and (source.type is None or source.type in PROGRAMS):
            self.contents[source.relative] = digest(content)
            self.digests.append(digest(os.fsencode(source.relative), content))

    def _analyse(self, source: Candidate, kind: FileType, data: bytes) -> FileReport:
        key = b""
        if self.cache is not None:
            others = self.others if kind in PROGRAMS else b""
            key = self.cache.key(source.relative, kind.value, data, others)
            cached = self.cache.get(key, data)
            if cached is not None:
                return cached
        try:
            report = analyse(source.relative, kind, data)
        except Exception as error:
            return _failed_report(self.report, source, error)
        if self.cache is not None:
            self.cache.put(key, report)
        return report

    def _programs(self) -> list[FileReport]:
        """Return the reports of Python files and notebooks: all from the cache, or all anew."""
        if not self.programs.candidates:
            return []
        cached = None if self.cache is None else self._cached_reports(self.cache)
        if cached is not None:
            return cached
        reports = self.programs.reports(partial(_failed_report, self.report), self.progress)
        for file in reports if self.cache is not None else ():
            # one that failed has no content
            if file.original and not self.programs.looked_around and self.cache is not None:
                self.cache.put(self._key(self.cache, file.path), file)
        return reports

    def _key(self, cache: Cache, path: str) -> bytes:
        kind = self.programs.sources[path][1]
        return cache.key(path, kind.value, self.contents[path], self.others)

    def _cached_reports(self, cache: Cache) -> list[FileReport] | None:
        """Return the reports of an earlier run over the same programs, None if there was none.

        Modules around DStream code have reports too, so every program is asked for.
        """
        paths = set(self.programs.candidates)
        reports = []
        for path, (source, _) in self.programs.sources.items():
            report = cache.get(self._key(cache, path), b"")
            if report is None:
                if path in paths:
                    return None
                continue
            try:
                report.original = source.path.read_bytes()
            except OSError:
                return None
            if digest(report.original) != self.contents[path]:
                return None
            reports.append(report)
        return reports


def _is_candidate(source: Candidate, data: bytes) -> bool:
    """Return whether a file is to be analysed."""
    is_possible = is_candidate(data) or may_name_old_scala(data)
    # what may say which PySpark or Python a project needs
    states = source.type not in PROGRAMS or source.path.name == "setup.py"
    is_possible = is_possible or (states and may_require(data))
    is_possible = is_possible or (source.type not in PROGRAMS and may_nest(data))
    return is_possible and not is_report(data)
