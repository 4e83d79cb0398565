"""Annotations for GitHub Actions: one workflow command for each finding that is open."""

from __future__ import annotations

from migrator.model.printable import visible
from migrator.model.report import FileReport, Finding, Report, Severity
from migrator.report.jobs import COLUMNS, Jobs
from migrator.report.sarif_report import ReportPaths
from migrator.report.wording import closing_lines, no_code_message, totals

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
# what ends a message, and what also ends a property
_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_MESSAGE, ":": "%3A", ",": "%2C"}


def render(report: Report) -> str:
    """Return the workflow commands, and the totals as plain text in a group."""
    places = ReportPaths(report)
    lines = [
        _command(places, file, finding, report)
        for file, finding in report.findings()
        if finding.suppression is None
    ]
    texts = _summary(report) if report.files else [no_code_message(report)]
    # a line of text must not be taken for a command
    texts = [visible(text).replace("::", ": :") for text in texts]
    return "\n".join(["::group::migrate", *texts, "::endgroup::", *lines]) + "\n"


def _summary(report: Report) -> list[str]:
    """Return the jobs that need something, the totals, and the last lines of the text report."""
    jobs = Jobs(report)
    texts = [jobs.headline()]
    if not jobs.as_numbers:
        in_need = (*jobs.waiting, *jobs.others)
        texts += [f"{job.label} {job.path}: {job.needs()}" for job in in_need]
    else:
        for project, cells in jobs.rows():
            numbers = (f"{name} {c}" for c, name in zip(cells, COLUMNS, strict=True) if c)
            texts.append(f"{project}: {', '.join(numbers)}")
    return [*texts, *(f"{name}: {text}" for name, text in totals(report)), *closing_lines(report)]


def _command(places: ReportPaths, file: FileReport, finding: Finding, report: Report) -> str:
    level = "notice" if finding.is_fixed else _LEVELS[finding.severity]
    properties = {"file": visible(places.path(file))}
    text = visible(finding.message)
    if finding.at.cell is None:
        properties |= {"line": str(finding.at.line), "col": str(finding.at.column)}
    else:
        text = f"cell {finding.at.cell}, line {finding.at.line}: {text}"
    properties["title"] = f"{finding.code} {finding.name}"
    if finding.is_fixed and report.mode in ("check", "diff"):
        text += " (migrate can do this)"
    if finding.advice:
        text += f"\n{visible(finding.advice)}"
    shown = ",".join(f"{name}={_escape(value, _PROPERTY)}" for name, value in properties.items())
    return f"::{level} {shown}::{_escape(text, _MESSAGE)}"


def _escape(text: str, table: dict[str, str]) -> str:
    return "".join(table.get(char, char) for char in text)
