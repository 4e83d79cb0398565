"""Phrases that the text, Markdown and HTML reports share."""

from __future__ import annotations

from migrator.model.report import FileReport, Finding, Migration, Report, Spot, Status

MIGRATION = {
    Migration.AUTOMATIC: "migrated automatically",
    Migration.REVIEW: "migrated, to be reviewed",
    Migration.MANUAL: "by hand",
    Migration.IMPOSSIBLE: "impossible, no counterpart",
}


BUGS = "Bugs that the jobs have always had"
BUGS_REMARK = "wrong with DStreams too, and no part of the migration"


def counted(count: int, singular: str, plural: str = "") -> str:
    """A number with its noun."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"


def duration(minutes: int) -> str:
    """Minutes, or hours from two on."""
    return counted(minutes, "minute") if minutes < 120 else f"{minutes / 60:.1f} hours"


def place(at: Spot) -> str:
    """Line and column, with the cell of a notebook."""
    text = f"{at.line}:{at.column}"
    return text if at.cell is None else f"[{at.cell}] {text}"


def status(file: FileReport) -> str:
    """The status of a file in words."""
    if file.status is Status.UNREADABLE:
        return "could not be read"
    if file.status is Status.REWRITTEN:
        return "rewritten" if file.error is None else "rewritten in part"
    return "not changed"


def label(finding: Finding, report: Report) -> str:
    """The severity, or that the finding is fixed or would be fixed."""
    if not finding.fixed:
        return finding.severity.value
    return "fixable" if report.mode in ("check", "diff") else "fixed"


def shares(report: Report) -> list[tuple[Migration, int, float]]:
    """Number and percentage of the sites for each way, none without sites."""
    counts = report.by_migration()
    total = sum(counts.values())
    return [(way, n, 100 * n / total) for way, n in counts.items()] if total else []


def closing(report: Report) -> list[str]:
    """The last lines: what was written, and the manual work that remains."""
    rewritten = counted(report.with_status(Status.REWRITTEN), "file")
    match report.mode:
        case "check":
            lines = [f"Nothing was written (--check); {rewritten} would be rewritten."]
        case "diff":
            lines = ["Nothing was written (--diff)."]
        case "in-place":
            undo = "" if report.undo is None else f" To undo this: {report.undo}"
            lines = [f"{rewritten} rewritten in place.{undo}"]
        case _ if report.output is None:
            lines = ["Nothing was written: there was nothing to rewrite."]
        case _:
            lines = [f"Written to {report.output}; {report.root} was not changed."]
    if report.baseline_gone:
        gone = counted(report.baseline_gone, "entry", "entries")
        lines.append(f"{gone} of the baseline no longer found: write it anew.")
    if report.hidden_notes:
        noun = counted(report.hidden_notes, "note that asks", "notes that ask")
        lines.append(f"{noun} for nothing left out; --notes shows them.")
    bugs = report.bugs()
    if bugs:
        minutes = duration(sum(f.effort for f in bugs))
        noun = counted(len(bugs), "bug", "bugs")
        lines.append(f"{noun} that the jobs have always had, about {minutes}.")
    left = report.needing_person()
    if left:
        noun = "finding needs" if left == 1 else "findings need"
        lines.append(f"{left} {noun} manual work, about {duration(report.effort())}.")
    else:
        lines.append("No manual work remains.")
    return lines


def nothing(report: Report) -> str:
    """The message if no file has DStream code."""
    looked = counted(report.scanned, "file")
    return f"No DStream code found in {report.root} ({looked} scanned): nothing to do."
