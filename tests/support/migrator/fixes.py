"""Runs the fixes of findings over files, as `migrate` does."""

from __future__ import annotations

from pathlib import Path

from migrator.model.report import FileReport, Report
from migrator.run.apply_fixes import apply_fixes
from migrator.select.apply import apply_filter, make_filter
from tests.support.migrator.reports import report
from tests.support.migrator.runs import JOB

# the project around a file, unless a test says otherwise
PYTHON = {"other/job.py": JOB}


def fixed_report(
    name: str,
    text: str | bytes,
    *,
    unsafe: bool = False,
    others: dict[str, str] | None = None,
) -> FileReport:
    """The report of a file after all fixes, in a project with these other files."""
    files = {name: text, **(PYTHON if others is None else others)}
    run = Report(".", "check")
    for path, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        run.files.append(report(data, path))
    apply_filter(run, Path("."), make_filter((), (), None, None, unsafe=unsafe))
    apply_fixes(run)
    found = [f for f in run.files if f.path == name]
    return found[0] if found else FileReport(name)


def fixed_text(name: str, text: str, **options: bool) -> str:
    """What a file becomes; a second run over that changes nothing."""
    found = fixed_report(name, text, **options)
    if found.content is None:
        return text
    again = fixed_report(name, found.content, **options)
    assert again.content is None
    return found.content.decode()
