"""Reads every file of a tree that may use DStreams."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from migrator.collect.java_versions import may_name_java
from migrator.collect.required_versions import may_require
from migrator.collect.scala_packages import may_name_old_scala
from migrator.discover.candidates import is_candidate, is_too_large, may_start_jobs
from migrator.discover.filetypes import PROGRAMS, FileType
from migrator.discover.neighbours import neighbours
from migrator.discover.projects import Projects
from migrator.discover.walk import Candidate, script_type, walk
from migrator.languages.nested_settings import may_nest
from migrator.model.projects import concern
from migrator.model.report import FileReport, Report
from migrator.report.formats import is_report
from migrator.rules.findings import judge
from migrator.run.analyse_file import analyse
from migrator.run.cache import Cache, digest
from migrator.run.command_files import CommandFiles
from migrator.run.job_files import name_foreign_job
from migrator.run.programs import Programs
from migrator.run.several_projects import facts_of_projects, name_projects
from migrator.run.unread_files import READ_ADVICE, failed_report, large_report, problem_report
from migrator.select.comments import apply_comments

_ANSI = b"spark.sql.ansi.enabled"
_TOGETHER = frozenset({FileType.PYTHON, FileType.NOTEBOOK})

Progress = Callable[[str, int, int], None]


@dataclass(slots=True)
class _Candidate:
    """A file that is analysed by itself."""

    source: Candidate
    kind: FileType
    data: bytes


@dataclass(slots=True)
class _Tree:
    """What has been read of a tree.

    Parameters
    ----------
    programs : Programs
        Python files and notebooks, which are analysed together.
    digests : list of bytes
        Digests of everything on which the results of programs may depend.
    contents : dict of str to bytes
        Digests of the programs by their paths.
    commands : CommandFiles
        The files with commands that may matter to jobs.
    ansi : list of str
        The files that name the setting of ANSI SQL.
    """

    programs: Programs = field(default_factory=Programs)
    digests: list[bytes] = field(default_factory=list)
    contents: dict[str, bytes] = field(default_factory=dict)
    candidates: list[_Candidate] = field(default_factory=list)
    commands: CommandFiles = field(default_factory=CommandFiles)
    ansi: list[str] = field(default_factory=list)


def scan(
    root: Path,
    mode: str,
    chosen: tuple[str, ...] = (),
    cache: Cache | None = None,
    progress: Progress | None = None,
    submit: bool = False,
    convert: bool = True,
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
    convert : bool
        Whether Python 2 becomes Python 3, if it can be read.

    Returns
    -------
    Report
        The report, whose files hold their new content where they are to be rewritten.
    """
    with _rare_collections():
        tree = _Tree(Programs(convert=convert), commands=CommandFiles(submit))
        return _scanned(root, mode, chosen, cache, progress, tree)


def _scanned(
    root: Path,
    mode: str,
    chosen: tuple[str, ...],
    cache: Cache | None,
    progress: Progress | None,
    tree: _Tree,
) -> Report:
    report = Report(str(root), mode)
    found = [_read(report, source, tree, cache is not None) for source in walk(root, chosen)]
    if tree.programs.candidates and not chosen and not root.is_file():
        name = Projects(root).name
        tree.programs.related = lambda one, other: concern(name(one), name(other))
        if cache is not None:
            # where imports lead
            names = {name(path) for path in tree.programs.sources}
            tree.digests += [os.fsencode(one) for one in sorted(names)]
    if tree.programs.candidates and (chosen or root.is_file()):
        tree.programs.around = neighbours(root.parent if root.is_file() else root)
        # where imports lead; what lies around counts only if it is read, and then nothing is kept
        tree.digests += [os.fsencode(name) for name in sorted(tree.programs.around.sources)]
    others = b""
    if cache is not None and (tree.candidates or tree.programs.candidates):
        cache.load()
        others = digest(*tree.digests)
    for done, candidate in enumerate(tree.candidates):
        if progress is not None:
            progress(candidate.source.relative, done, len(tree.candidates))
        found.append(_analysed(report, candidate, cache, others))
    found += _programs(report, tree, cache, others, progress)
    if cache is not None:
        cache.save()
    files = sorted((file for file in found if file is not None), key=lambda f: f.path)
    for file in files:
        name_foreign_job(file)
    report.project_of = name_projects(files, root)
    around = tree.programs.makes_context_around
    facts = report.facts = facts_of_projects(files, map(report.project_of, tree.ansi), around)
    tree.commands.add_events(files, facts, report.project_of)
    files.sort(key=lambda f: f.path)
    for file in files:
        judge(file, facts(file.project))
        apply_comments(file)
        file.sort()
    report.files = [file for file in files if file.relevant]
    return report


@contextmanager
def _rare_collections() -> Iterator[None]:
    """Let the garbage collector look at many new syntax nodes at once: few of them are garbage."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _read(report: Report, source: Candidate, tree: _Tree, noted: bool) -> FileReport | None:
    """Read a file and add it to the tree if it may have to do with DStreams.

    Parameters
    ----------
    report : Report
        The report that counts the file.
    noted : bool
        Whether contents are taken down.

    Returns
    -------
    FileReport | None
        A report if the file cannot be read.
    """
    if source.error is not None:
        _note(tree, source, source.error.encode(), noted)
        return problem_report(source, "permission", source.error, READ_ADVICE)
    report.scanned += 1
    try:
        if is_too_large(source):
            _note(tree, source, b"large", noted)
            return large_report(source)
        data = source.path.read_bytes()
    except OSError as error:
        _note(tree, source, b"unreadable", noted)
        return problem_report(source, "permission", error.strerror or str(error), READ_ADVICE)
    _note(tree, source, data, noted)
    tree.commands.add(source, data)
    if _ANSI in data and not is_report(data):
        tree.ansi.append(source.relative)
    candidate = is_candidate(data) or may_name_old_scala(data)
    candidate = candidate or (_states_versions(source) and may_require(data))
    candidate = candidate or (
        source.type not in PROGRAMS and (may_nest(data) or may_name_java(data))
    )
    candidate = candidate and not is_report(data)
    if not candidate and source.type not in _TOGETHER:
        return None
    kind = script_type(source, data)
    if kind in _TOGETHER:
        tree.programs.add(source, kind, candidate, may_start_jobs(data))
    elif kind is not None:
        tree.candidates.append(_Candidate(source, kind, data))
    return None


def _note(tree: _Tree, source: Candidate, content: bytes, noted: bool) -> None:
    """Keep a digest of a file on which the results of programs may depend."""
    if noted and (source.type is None or source.type in PROGRAMS):
        tree.contents[source.relative] = digest(content)
        tree.digests.append(digest(os.fsencode(source.relative), content))


def _analysed(
    report: Report, candidate: _Candidate, cache: Cache | None, others: bytes
) -> FileReport:
    source, data = candidate.source, candidate.data
    key = b""
    if cache is not None:
        others = others if candidate.kind in PROGRAMS else b""
        key = cache.key(source.relative, candidate.kind.value, data, others)
        kept = cache.get(key, data)
        if kept is not None:
            return kept
    try:
        found = analyse(source.relative, candidate.kind, data)
    except Exception as error:
        return failed_report(report, source, error)
    if cache is not None:
        cache.put(key, found)
    return found


def _programs(
    report: Report, tree: _Tree, cache: Cache | None, others: bytes, progress: Progress | None
) -> list[FileReport]:
    """Return the reports of Python files and notebooks: all from the cache, or all anew."""
    if not tree.programs.candidates:
        return []
    if cache is None:
        return tree.programs.reports(partial(failed_report, report), progress)
    kept = _kept(tree, cache, others)
    if kept is not None:
        return kept
    found = tree.programs.reports(partial(failed_report, report), progress)
    for file in found:
        # one that failed has no content
        if file.original and not tree.programs.looked_around:
            cache.put(_key(tree, cache, file.path, others), file)
    return found


def _key(tree: _Tree, cache: Cache, path: str, others: bytes) -> bytes:
    kind = tree.programs.sources[path][1]
    return cache.key(path, kind.value, tree.contents[path], others)


def _kept(tree: _Tree, cache: Cache, others: bytes) -> list[FileReport] | None:
    """Return the reports of an earlier run over the same programs, None if there was none.

    Modules around DStream code have reports too, so every program is asked for.
    """
    wanted = set(tree.programs.candidates)
    found = []
    for path, (source, _) in tree.programs.sources.items():
        kept = cache.get(_key(tree, cache, path, others), b"")
        if kept is None:
            if path in wanted:
                return None
            continue
        try:
            kept.original = source.path.read_bytes()
        except OSError:
            return None
        if digest(kept.original) != tree.contents[path]:
            return None
        found.append(kept)
    return found


def _states_versions(source: Candidate) -> bool:
    """Return whether a file may say which PySpark or Python a project needs."""
    return source.type not in PROGRAMS or source.path.name == "setup.py"
