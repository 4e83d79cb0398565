"""Rewrites jobs as Structured Streaming, where a run asks for that."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import PurePath

from dstream_compat.native.types import Record
from migrator.discover.filetypes import FileType
from migrator.model.project_events import ProjectFacts
from migrator.model.report import (
    FileReport,
    Finding,
    Migration,
    Outcome,
    Report,
    Spot,
    Status,
)
from migrator.model.structured_events import NoStructuredForm
from migrator.model.structured_forms import StructuredForm
from migrator.rules.registry import findings_for
from migrator.run.analyse_file import analyse
from migrator.run.apply_fixes import apply_fixes
from migrator.run.file_kinds import kind_of
from migrator.run.project_facts import complete
from migrator.run.structured_files import (
    Misfit,
    form_with_places,
    new_content,
    unread_cell,
    with_place,
)
from migrator.select.fixes import choose_fixes
from migrator.source.document import read_document
from migrator.source.joined import joined_parts
from migrator.source.notebook import NotebookProblem
from migrator.structured.json_shape import json_shape
from migrator.structured.refusals import Reason
from migrator.structured.rewrite import Rewritten, rewrite

OTHER_RULES = ("D11", "D8", "D9")
"""The rules of Python, of Spark's other APIs and of what a job needs to run: on every target."""
NO_STRINGS = "D209"
"""The rule of what Kafka's consumers do not take: options would make some text of it."""
_OLD_PYTHON = "the job stays Python 2, in which its functions may give something else"
_OTHER_FILES = "the job is made of several files, and only jobs of one file are rewritten"


def rewrite_jobs(
    report: Report,
    unsafe: bool,
    brokers: str | None = None,
    json: str | None = None,
    codes: frozenset[str] | None = None,
) -> None:
    """Give each job that has a form in Structured Streaming its new content.

    Parameters
    ----------
    report : Report
        The report of the run; what its findings have said of a rewritten job is gone from it.
    unsafe : bool
        Whether a job may be rewritten that would change in a known way.
    brokers : str, optional
        Addresses of Kafka's brokers, for jobs that know ZooKeeper only.
    json : str, optional
        The shape of the texts that `json.loads` reads.
    codes : frozenset of str, optional
        The rules that the user wants, all of them if it is missing.
    """
    shape = None if json is None else json_shape(json)
    several = Counter(job for file in report.files for job in file.jobs if file.sites)
    folders = checkpoint_folders([file.path for file in report.files if file.path in file.jobs])
    for file in report.files:
        kind = kind_of(file)
        if kind not in (FileType.PYTHON, FileType.NOTEBOOK) or file.path not in file.jobs:
            continue
        if file.status is Status.UNREADABLE and kind is FileType.PYTHON:
            continue
        files = several[file.path] > 1 or len(file.jobs) > 1
        fixed = _with_fixes(file, report, unsafe, codes)
        name = folders[file.path]
        found = _rewrite(file, unsafe, files, brokers, shape, fixed, name)
        if found is not None:
            _replace(file, *found, report.facts(file.project))


def checkpoint_folders(paths: list[str]) -> dict[str, str]:
    """Return a folder for the checkpoints of each job, which jobs may share a folder for: named as
    its file, or as the path of its file in the tree, if several files have that name.
    """
    plain = {path: re.sub(r"\W+", "_", PurePath(path).stem) for path in paths}
    users = Counter(plain.values())
    return {path: name if users[name] == 1 else _of_path(path) for path, name in plain.items()}


def _of_path(path: str) -> str:
    parts = PurePath(path).with_suffix("").parts
    return ".".join(re.sub(r"[^\w-]", lambda found: f"_{ord(found[0]):x}_", each) for each in parts)


def _with_fixes(
    file: FileReport, report: Report, unsafe: bool, codes: frozenset[str] | None
) -> FileReport:
    """Return a report of a file after the fixes that its job needs on any target."""
    wanted = [
        each
        for each in file.findings
        if each.fix is not None
        and each.code.startswith(OTHER_RULES)
        and (codes is None or each.code in codes)
    ]
    content = None if file.conversion is None else file.conversion.content
    trial = replace(file, findings=wanted, sites=[], content=content)
    # what else is in the project decides on some of them
    others = [replace(each, findings=[*each.findings]) for each in report.files if each is not file]
    whole = replace(report, files=[trial, *others])
    choose_fixes(whole, unsafe, {})
    apply_fixes(replace(whole, files=[trial]))
    return trial


def _rewrite(
    file: FileReport,
    unsafe: bool,
    several: bool,
    brokers: str | None,
    shape: Record | None,
    fixed: FileReport,
    name: str,
) -> tuple[bytes, StructuredForm] | None:
    """Return the new content of a file; None if its job stays, which a finding says then."""
    kind = kind_of(file)
    try:
        document = read_document(kind, file.before_fixes)
    except NotebookProblem as problem:
        _refuse(file, NoStructuredForm(Spot(1, 1), "CELL", str(problem)))
        return None
    parts = joined_parts(document)
    if parts is None:
        if document.broken:
            first = Spot(1, 1, document.broken[0].cell)
            _refuse(file, NoStructuredForm(first, "CELL", "no cell of the job parses"))
        return None
    found = rewrite(parts.text, brokers=brokers, json=shape, name=name)
    differences: tuple[str, ...] = ()
    if isinstance(found, Reason):
        freer = rewrite(parts.text, True, brokers, shape, name)
        if isinstance(freer, Rewritten):
            differences = freer.differences
            found = freer if unsafe else found
        elif freer is not None and found.code == freer.code == "JSON_SHAPE":
            found = freer
    if found is None:
        found = Reason("NO_JOB", "no block of the file builds the whole job", 1, 0)
    if several:
        found = Reason("FILES", _OTHER_FILES, 1, 0)
        differences = ()
    at = None
    if document.python2:
        found, differences = Reason("PYTHON2", _OLD_PYTHON, 1, 0), ()
    for each in file.findings:
        if each.code == NO_STRINGS and each.fix is None and isinstance(found, Rewritten):
            found, at = Reason("KAFKA_PARAMS", each.problem, 1, 0), each.at
            differences = ()
    if isinstance(found, Rewritten) and (cell := unread_cell(parts, found)) is not None:
        found, at = Reason("CELL", "the cell does not parse, and names the job", 1, 0), cell
    if isinstance(found, Rewritten):
        form = form_with_places(found, parts)
        content = new_content(kind, file.before_fixes, parts, found)
        if fixed.content is not None and fixed.content != file.before_fixes:
            whole = _of_fixed(kind, fixed.content, unsafe, brokers, shape, name)
            if whole is not None:
                # what is said of the job is about its own lines
                content = whole
                _mark_fixed(file, fixed)
        if not isinstance(content, Misfit):
            return content, form
        found, at = Reason("LAYOUT", content.text, 1, 0), content.at
    at = at or parts.spot(found.line, found.column)
    said = tuple(with_place(text, parts) for text in differences)
    _refuse(file, NoStructuredForm(at, found.code, found.text, said, found.shape))
    return None


def _refuse(file: FileReport, event: NoStructuredForm) -> None:
    """Let a finding say why a job stays."""
    file.findings += findings_for(event)
    file.sort()


def _of_fixed(
    kind: FileType,
    content: bytes,
    unsafe: bool,
    brokers: str | None,
    shape: Record | None,
    name: str,
) -> bytes | None:
    """Return the new content of a file after fixes, None if its job would stay then."""
    parts = joined_parts(read_document(kind, content))
    if parts is None:
        return None
    consent = unsafe and isinstance(rewrite(parts.text, False, brokers, shape, name), Reason)
    whole = rewrite(parts.text, consent, brokers, shape, name)
    if not isinstance(whole, Rewritten):
        return None
    made = new_content(kind, content, parts, whole)
    return None if isinstance(made, Misfit) else made


def _mark_fixed(file: FileReport, fixed: FileReport) -> None:
    """Let the findings whose fixes are made say so; nothing is left to do for them."""
    made = {(f.code, f.at, f.problem): f for f in fixed.findings if f.fixed and f.fix is not None}
    for index, finding in enumerate(file.findings):
        fix = getattr(made.get((finding.code, finding.at, finding.problem)), "fix", None)
        if fix is not None:
            done = replace(finding, problem=fix.summary, fixed=True, fix=None, safety=fix.safety)
            file.findings[index] = done


def _replace(file: FileReport, content: bytes, form: StructuredForm, facts: object) -> None:
    again = analyse(file.path, kind_of(file), content, convert=False)
    if isinstance(facts, ProjectFacts):
        complete(again, facts)
    file.content = content
    file.status = Status.REWRITTEN
    file.findings = _still_true(file.findings, again.findings)
    file.sites = [
        replace(site, outcome=Outcome.REWRITTEN, migration=Migration.RUNS) for site in file.sites
    ]
    file.structured = form


def _still_true(before: list[Finding], again: list[Finding]) -> list[Finding]:
    """Return the findings of the old file that the new one has, too."""
    left = Counter((f.code, f.problem) for f in again)
    found = []
    for finding in before:
        key = finding.code, finding.problem
        if finding.fixed and finding.fix is None and finding.code.startswith(OTHER_RULES):
            found.append(finding)
        elif left[key]:
            left[key] -= 1
            found.append(finding)
    return found
