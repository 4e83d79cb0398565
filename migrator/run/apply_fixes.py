"""Makes the fixes that were chosen, and proves each file that they change."""

from __future__ import annotations

import ast
import json
import tomllib
import warnings
from dataclasses import replace
from pathlib import PurePath

from migrator.discover.filetypes import FileType
from migrator.edit.text_edits import ConvertedEditor, FileEditor, file_texts
from migrator.model.projects import concern
from migrator.model.report import (
    FileReport,
    Finding,
    Outcome,
    Report,
    Safety,
    Severity,
    Status,
    TextEdit,
)
from migrator.rules.findings import migration
from migrator.run.analyse_file import analyse
from migrator.run.file_kinds import kind_of
from migrator.source.decode import DecodeProblem
from migrator.source.notebook import NotebookProblem


def apply_fixes(report: Report) -> None:
    """Give each file with a fix its new content; a fix that cannot be made stays a finding."""
    waiting = [file for file in report.files if any(map(_waits, file.findings))]
    reasons: dict[str, str | None] = {}
    for file in [f for f in report.files if f not in waiting] + waiting:
        if file.project not in reasons:
            reasons[file.project] = _unmoved_import(report, file.project)
        stays = reasons[file.project]
        if stays is not None:
            file.findings = [
                f.left_open(stays) if f.fix is not None and f.fixed and f.fix.follows_imports else f
                for f in file.findings
            ]
        _withhold(file, report)
        if any(map(_is_made, file.findings)):
            _apply(file)


def _unmoved_import(report: Report, project: str) -> str | None:
    """Return why not all imports of the package move in a project, None if they do."""
    files = [f for f in report.files if concern(project, f.project)]
    programs = [f for f in files if kind_of(f) in (FileType.PYTHON, FileType.NOTEBOOK)]
    sites = [(file, s) for file in programs for s in file.sites if s.receiver == "module"]
    for file, site in sites:
        left = any(f.at == site.at and f.fixed and f.fix is None for f in file.findings)
        if site.outcome is Outcome.REPORTED or (left and file.content is None):
            return f"`{site.name}` stays in {file.path}, line {site.at.line}"
    return None if sites else "no import of pyspark.streaming moves with it"


def _waits(finding: Finding) -> bool:
    return _is_made(finding) and finding.fix is not None and bool(finding.fix.after)


def _withhold(file: FileReport, report: Report) -> None:
    """Open the findings whose fixes need others in other files, which are not made."""
    for index, finding in enumerate(file.findings):
        if not _waits(finding) or finding.fix is None:
            continue
        others = [f for f in report.files if f.path in finding.fix.after]
        left = [f for other in others for f in other.findings if not f.fixed]
        if any(f.code == finding.code and f.severity is not Severity.INFO for f in left):
            file.findings[index] = finding.left_open("a change of another file has to come first")


def _apply(file: FileReport) -> None:
    kind = kind_of(file)
    try:
        before = file_texts(kind, file.original)
        moved = None if file.content is None else file_texts(kind, file.content).texts
        conversion = None if file.content is None else file.conversion
        converted = None if conversion is None else file_texts(kind, conversion.content)
    except (DecodeProblem, NotebookProblem):
        _leave(file, "the file cannot be written back as it is")
        return
    editor = FileEditor(before.texts, moved)
    if conversion is not None and converted is not None:
        editor = ConvertedEditor(before.texts, moved, converted.texts, conversion.edits)
        before = converted
    kept = _kept_edits(file)
    for index, finding in enumerate(file.findings):
        if finding.fix is None or not finding.fixed:
            continue
        if finding.suppression is not None:
            file.findings[index] = replace(finding, fixed=False)
        elif not kept.isdisjoint(finding.fix.edits) or not editor.add(finding.fix):
            why = "another change of the same place comes first"
            file.findings[index] = finding.left_open(why)
    if not any(_is_made(f) for f in file.findings):
        return
    content = before.render(editor.result())
    wrong = _problem(file, kind, content)
    if wrong is not None:
        _leave(file, wrong)
        return
    file.content = content
    file.status = Status.REWRITTEN
    _conclude(file)


def _conclude(file: FileReport) -> None:
    """Add what a fix leaves to do, and the outcome of the uses that it was about."""
    found: list[Finding] = []
    places = set()
    for finding in file.findings:
        fix = finding.fix
        if fix is None or not finding.fixed:
            found.append(finding)
            continue
        places.add(finding.at)
        if fix.reminder is not None:
            found.append(replace(fix.reminder, fingerprint=finding.fingerprint))
        found.append(finding)
    file.findings = found
    for index, site in enumerate(file.sites):
        if site.at in places:
            left = [f for f in found if f.at == site.at]
            reported = any(f.needs_person for f in left)
            file.sites[index] = replace(
                site,
                outcome=Outcome.REPORTED if reported else Outcome.REWRITTEN,
                migration=migration(left, site.confidence),
            )


def _is_made(finding: Finding) -> bool:
    return finding.fix is not None and finding.fixed


def _kept_edits(file: FileReport) -> set[TextEdit]:
    """Return the edits of safe fixes that are not wanted; what
    shares one of them is not made either.
    """
    unwanted = [f for f in file.findings if not f.fixed or f.suppression is not None]
    fixes = [f.fix for f in unwanted if f.fix is not None and f.fix.safety is Safety.SAFE]
    return {edit for fix in fixes for edit in fix.edits}


def _leave(file: FileReport, why: str) -> None:
    """Open all findings with a fix again."""
    file.findings = [f.left_open(why) if _is_made(f) else f for f in file.findings]


def _problem(file: FileReport, kind: FileType, content: bytes) -> str | None:
    """Return what is wrong with a new content, or None if it is proven right."""
    if _parses(file.path, kind, file.before_fixes) and not _parses(file.path, kind, content):
        return "the result would not parse"
    made = {f.code for f in file.findings if _is_made(f)}
    left = {f.fix.summary for f in file.findings if f.fix is not None and not f.fixed}
    again = analyse(file.path, kind, content, convert=file.conversion is not None).findings
    if any(f.fix is not None and f.code in made and f.fix.summary not in left for f in again):
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
