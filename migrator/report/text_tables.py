"""The tables of the text report: findings by rule, and the totals."""

from __future__ import annotations

from rich import box
from rich.table import Table

from migrator.model.report import Finding, Report, Severity, Status, SuppressedBy
from migrator.report.wording import MIGRATION, shares

_SUPPRESSED = {
    SuppressedBy.COMMENT: "ignored by comments",
    SuppressedBy.BASELINE: "known from the baseline",
    SuppressedBy.UNCHANGED: "on lines that did not change",
}


def rules_table(report: Report) -> Table:
    """One row for each rule that found something."""
    counts: dict[tuple[str, str], list[Finding]] = {}
    for _, finding in report.findings():
        if finding.suppression is None:
            counts.setdefault((finding.code, finding.name), []).append(finding)
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("rule")
    table.add_column("")
    for title in ("fixed", "to do", "bugs", "notes", "minutes"):
        table.add_column(title, justify="right")
    for (code, name), findings in sorted(counts.items()):
        fixed = sum(f.fixed for f in findings)
        todo = sum(f.needs_person for f in findings)
        bugs = sum(f.is_bug for f in findings)
        minutes = sum(f.effort for f in findings if f.asks_for_change)
        notes = len(findings) - fixed - todo - bugs
        numbers = (fixed, todo, bugs, notes, minutes)
        table.add_row(code, name, *(str(n or "") for n in numbers))
    return table


def totals(report: Report) -> list[tuple[str, str, str]]:
    """Name, number and percentage of everything that is counted."""
    open_findings = [f for _, f in report.findings() if f.is_open and not f.is_bug]
    rows = [
        ("files scanned", str(report.scanned), ""),
        ("files with DStream code", str(sum(bool(f.sites) for f in report.files)), ""),
        ("files rewritten", str(report.with_status(Status.REWRITTEN)), ""),
        ("files not readable, wholly or in part", str(report.with_status(Status.UNREADABLE)), ""),
    ]
    names = {Severity.ERROR: "errors", Severity.WARNING: "warnings", Severity.INFO: "notes"}
    for severity, name in names.items():
        rows.append((name, str(sum(f.severity is severity for f in open_findings)), ""))
    if bugs := len(report.bugs()):
        rows.append(("bugs that the jobs have always had", str(bugs), ""))
    for by, name in _SUPPRESSED.items():
        if count := report.suppressed(by):
            rows.append((name, str(count), ""))
    rows.append(("uses of the DStream API", str(len(report.sites())), ""))
    for way, count, percent in shares(report):
        rows.append((f"  {MIGRATION[way]}", str(count), f"{percent:.1f} %"))
    rows.append(("minutes of manual work", str(report.effort()), ""))
    return rows


def totals_table(report: Report) -> Table:
    """The totals as a table."""
    table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
    table.add_column()
    table.add_column(justify="right")
    table.add_column(justify="right")
    for row in totals(report):
        table.add_row(*row)
    return table
