"""Decides which findings a run fixes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath

from migrator.discover.filetypes import FileType, type_of
from migrator.model.report import FileReport, Fix, Report, Safety, Status

_JVM = frozenset({FileType.SCALA, FileType.JAVA})
_BUILDS = (".sbt", ".gradle", ".kts", ".xml")


def choose_fixes(report: Report, unsafe: bool) -> None:
    """Marks the findings that are fixed: safe ones, and unsafe ones if they are wanted.

    Parameters
    ----------
    report
        The report of the whole run.
    unsafe
        Whether fixes are made that may change what a job does.
    """
    python_only = only_python(report)

    def made(fix: Fix) -> bool:
        wanted = fix.safety is Safety.SAFE or (unsafe and fix.safety is Safety.UNSAFE)
        return wanted and (python_only or not fix.python_only)

    for file in report.files:
        file.findings = [
            replace(f, fixed=True)
            if f.fix is not None and f.suppression is None and made(f.fix)
            else f
            for f in file.findings
        ]


def only_python(report: Report) -> bool:
    """Whether all DStream code of a project is Python, so that its settings are for Python too."""
    kinds = {type_of(f.path) for f in report.files if f.sites or f.status is Status.UNREADABLE}
    return (
        bool(kinds & {FileType.PYTHON, FileType.NOTEBOOK})
        and not kinds & _JVM
        and not any(_builds_with_connector(f) for f in report.files)
    )


def _builds_with_connector(file: FileReport) -> bool:
    return PurePath(file.path).suffix in _BUILDS and any(f.code == "D901" for f in file.findings)
