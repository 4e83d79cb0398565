"""Decides which findings a run fixes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import PurePath

from migrator.discover.filetypes import FileType, type_of
from migrator.model.projects import concern
from migrator.model.report import FileReport, Fix, Migration, Outcome, Report, Safety, Status

_JVM = frozenset({FileType.SCALA, FileType.JAVA})
_BUILDS = (".sbt", ".gradle", ".kts", ".xml")


def choose_fixes(report: Report, unsafe: bool, values: Mapping[str, str]) -> None:
    """Mark the findings that are fixed: safe ones, and unsafe ones if they are wanted.

    Parameters
    ----------
    report : Report
        The report of the whole run.
    unsafe : bool
        Whether fixes are made that may change what a job does.
    values : mapping of str to str
        The values of the options that fixes ask for.
    """
    python_only = cache(partial(only_python, report))

    def is_made(fix: Fix, project: str) -> bool:
        is_allowed = fix.safety is Safety.SAFE or (unsafe and fix.safety is Safety.UNSAFE)
        is_allowed = is_allowed and (not fix.asks or fix.asks in values)
        return is_allowed and (not fix.python_only or python_only(project))

    for file in report.files:
        for finding in file.findings:
            fix = finding.fix
            if fix is not None and finding.suppression is None and is_made(fix, file.project):
                finding.decision.fix = _with_value(fix, values.get(fix.asks, ""))
                finding.decision.fixed = True


def keep_original(file: FileReport, why: str) -> None:
    """Decide that a file is not rewritten; what that would have solved is open."""
    if file.content is None:
        return
    file.drop_content()
    file.conversion = None
    for finding in file.findings:
        if finding.is_fixed:
            finding.decision.leave_open(why)
    for site in file.sites:
        if site.outcome is Outcome.REWRITTEN:
            site.outcome, site.migration = Outcome.REPORTED, Migration.MANUAL


def _with_value(fix: Fix, value: str) -> Fix:
    """Return a fix whose edits hold the value that it asks for."""
    edits = tuple(replace(edit, new=edit.new.replace("\0", value)) for edit in fix.edits)
    return replace(fix, edits=edits, summary=fix.summary.replace("\0", value))


def only_python(report: Report, project: str) -> bool:
    """Return whether all DStream code of a project, and so its settings, is Python's."""
    files = [f for f in report.files if concern(project, f.project)]
    kinds = {type_of(f.path) for f in files if f.sites or f.status is Status.UNREADABLE}
    return (
        bool(kinds & {FileType.PYTHON, FileType.NOTEBOOK})
        and not kinds & _JVM
        and not any(_builds_with_connector(f) for f in files)
    )


def _builds_with_connector(file: FileReport) -> bool:
    """Return whether a file asks for a connector that is not replaced, such as one of Oozie."""
    findings = [f for f in file.findings if f.code == "D901" and f.fix is None]
    return PurePath(file.path).suffix in _BUILDS and bool(findings)
