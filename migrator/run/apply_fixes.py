"""Makes the fixes that were chosen, and proves each file that they change."""

from __future__ import annotations

import ast
import json
import tomllib
import warnings
from collections.abc import Iterable
from pathlib import PurePath

from migrator.discover.filetypes import FileType
from migrator.edit.text_edits import ConvertedEditor, FileEditor, file_texts
from migrator.model.projects import ProjectFacts, concern
from migrator.model.report import (
    FileReport,
    Finding,
    Fix,
    Outcome,
    Report,
    Safety,
    Severity,
    Status,
)
from migrator.rules.registry import judge, migration
from migrator.run.analyse_file import analyse, kind_of
from migrator.source.decode import DecodeProblem
from migrator.source.notebook import NotebookProblem

OTHER_RULES = ("D11", "D8", "D9")
"""The rules of Python, of Spark's other APIs and of what a job needs to run: on every target."""


def apply_fixes(report: Report) -> None:
    """Give each file with a fix its new content; a fix that cannot be made stays a finding."""
    following = {f.project for f in report.files if any(fix.follows_imports for fix in _fixes(f))}
    reasons = {project: _unmoved_import(report, project) for project in following}
    for file in sorted(report.files, key=lambda f: any(fix.after for fix in _fixes(f))):
        for finding in _findings_with_fix(file):
            _withhold(finding, report, reasons.get(file.project))
        if any(_findings_with_fix(file)):
            _apply(file, report.facts(file.project))


def _findings_with_fix(file: FileReport) -> list[Finding]:
    return [f for f in file.findings if f.own_fix is not None]


def _fixes(file: FileReport) -> list[Fix]:
    return [f.own_fix for f in file.findings if f.own_fix is not None]


def _unmoved_import(report: Report, project: str) -> str | None:
    """Return why not all imports of the package move in a project, None if they do."""
    files = [f for f in report.files if concern(project, f.project)]
    programs = [f for f in files if kind_of(f) in (FileType.PYTHON, FileType.NOTEBOOK)]
    sites = [(file, s) for file in programs for s in file.sites if s.receiver == "module"]
    for file, site in sites:
        left = any(f.at == site.at and f.is_fixed and f.own_fix is None for f in file.findings)
        if site.outcome is Outcome.REPORTED or (left and file.content is None):
            return f"`{site.name}` stays in {file.path}, line {site.at.line}"
    return None if sites else "no import of pyspark.streaming moves with it"


def _withhold(finding: Finding, report: Report, unmoved: str | None) -> None:
    """Leave a finding open whose fix needs imports or fixes of other files that are not made."""
    fix = finding.own_fix
    if fix is not None and fix.follows_imports and unmoved is not None:
        finding.decision.leave_open(unmoved)
    elif fix is not None and fix.after:
        others = [f for file in report.files if file.path in fix.after for f in file.findings]
        left = [f for f in others if f.code == finding.code and not f.is_fixed]
        if any(f.severity is not Severity.INFO for f in left):
            finding.decision.leave_open("a change of another file has to come first")


def _apply(file: FileReport, facts: ProjectFacts) -> None:
    for finding in _findings_with_fix(file):
        finding.decision.fixed = finding.suppression is None
    try:
        content, fixes = _fix_job(file)
        others = [f for f in _findings_with_fix(file) if f not in fixes]
        changed, fitting = content_with(file, content, others)
    except (DecodeProblem, NotebookProblem):
        _leave(_findings_with_fix(file), "the file cannot be written back as it is")
        return
    _leave((f for f in others if f not in fitting), "another change of the same place comes first")
    if fitting:
        content = changed
    if content is None or not _findings_with_fix(file):
        return
    wrong = _problem(file, content, facts)
    if wrong is not None:
        _leave(_findings_with_fix(file), wrong)
        return
    file.content = content
    file.status = Status.REWRITTEN
    _conclude(file)


def _fix_job(file: FileReport) -> tuple[bytes | None, list[Finding]]:
    """Return what was rewritten of a file, after the fixes that its job needs on any target if it
    is rewritten as a whole, and the findings that these solve.
    """
    findings = [f for f in _findings_with_fix(file) if f.code.startswith(OTHER_RULES)]
    if file.rewrite_again is None or not findings:
        return file.content, []
    before = None if file.conversion is None else file.conversion.content
    content, fitting = content_with(file, before, findings)
    moved = file.rewrite_again(content) if fitting else None
    return (file.content, []) if moved is None else (moved, fitting)


def content_with(
    file: FileReport, moved: bytes | None, findings: list[Finding]
) -> tuple[bytes, list[Finding]]:
    """Return a file with the fixes of findings that fit together, and these findings.

    Parameters
    ----------
    moved : bytes, optional
        What was rewritten of it before.

    Raises
    ------
    DecodeProblem, NotebookProblem
        If the file cannot be written back as it is.
    """
    kind = kind_of(file)
    before = file_texts(kind, file.original)
    texts = None if moved is None else file_texts(kind, moved).texts
    editor = FileEditor(before.texts, texts)
    if file.conversion is not None and moved is not None:
        converted = file_texts(kind, file.conversion.content)
        editor = ConvertedEditor(before.texts, texts, converted.texts, file.conversion.edits)
        before = converted
    # what shares an edit of a safe fix that is not wanted is not made either
    unwanted = [f.fix for f in file.findings if f.fix is not None and f.own_fix is None]
    edits = {edit for fix in unwanted if fix.safety is Safety.SAFE for edit in fix.edits}
    fitting = [
        f
        for f in findings
        if f.fix and f.own_fix and edits.isdisjoint(f.fix.edits) and editor.add(f.own_fix)
    ]
    return before.render(editor.result()), fitting


def _conclude(file: FileReport) -> None:
    """Add what fixes leave to do, and the outcome of the uses that they were about."""
    findings: list[Finding] = []
    places = {f.at for f in _findings_with_fix(file)}
    for finding in file.findings:
        reminder = None if finding.own_fix is None else finding.own_fix.reminder
        if reminder is not None:
            reminder.decision.fingerprint = finding.fingerprint
            findings.append(reminder)
        findings.append(finding)
    file.findings = findings
    for site in file.sites:
        if site.at in places:
            left = [f for f in findings if f.at == site.at]
            reported = any(f.needs_person for f in left)
            site.outcome = Outcome.REPORTED if reported else Outcome.REWRITTEN
            site.migration = migration(left, site.confidence)


def _leave(findings: Iterable[Finding], why: str) -> None:
    for finding in findings:
        finding.decision.leave_open(why)


def _problem(file: FileReport, content: bytes, facts: ProjectFacts) -> str | None:
    """Return what is wrong with a new content, or None if it is proven right."""
    kind = kind_of(file)
    if _parses(file.path, kind, file.before_fixes) and not _parses(file.path, kind, content):
        return "the result would not parse"
    codes = {f.code for f in _findings_with_fix(file)}
    left = {f.fix.summary for f in file.findings if f.fix is not None and f.own_fix is None}
    again = analyse(file.path, kind, content, convert=file.conversion is not None)
    judge(again, facts)
    if any(f.fix and f.code in codes and f.fix.summary not in left for f in again.findings):
        return "a second run would change the result again"
    return None


def _parses(path: str, kind: FileType, content: bytes) -> bool:
    """Return whether a program, JSON or TOML is one; any other text is what it is."""
    suffix = PurePath(path).suffix.lower()
    try:
        if kind is FileType.PYTHON:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                ast.parse(content)
        elif kind is FileType.NOTEBOOK or suffix == ".json":
            json.loads(content)
        elif suffix == ".toml":
            tomllib.loads(content.decode("utf-8"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True
