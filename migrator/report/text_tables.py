"""The table of the text report: findings by rule."""

from __future__ import annotations

from rich import box
from rich.table import Table

from migrator.model.report import Finding, Report


def rules_table(report: Report) -> Table:
    """Return one row for each rule that found something."""
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
