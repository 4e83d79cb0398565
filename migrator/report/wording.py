"""Phrases that the text, Markdown and HTML reports share."""

from __future__ import annotations

from collections.abc import Sequence

from migrator.model.changes import IgnoresAdded
from migrator.model.printable import visible
from migrator.model.report import (
    FileReport,
    Finding,
    Migration,
    Outcome,
    Report,
    Severity,
    Spot,
    Status,
    SuppressedBy,
)

MIGRATION = {
    Migration.RUNS: "runs",
    Migration.REVIEW: "runs, to be reviewed",
    Migration.MANUAL: "by hand",
    Migration.IMPOSSIBLE: "impossible, no counterpart",
}
OUTCOME = {
    Outcome.REWRITTEN: "rewritten",
    Outcome.KEPT: "run as they are",
    Outcome.REPORTED: "need a person",
}
_SUPPRESSED = {
    SuppressedBy.COMMENT: "ignored by comments",
    SuppressedBy.BASELINE: "known from the baseline",
    SuppressedBy.UNCHANGED: "on lines that did not change",
}
_NAMED = 3


BUGS = "Bugs that the jobs have always had"
BUGS_REMARK = "wrong with DStreams too, and no part of the migration"


def quantity(count: int, singular: str, plural: str = "") -> str:
    """Return a number with its noun."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"


def duration(minutes: int) -> str:
    """Return minutes, or hours from two on."""
    return quantity(minutes, "minute") if minutes < 120 else f"{minutes / 60:.1f} hours"


def short_duration(minutes: int) -> str:
    """Return the same for tables."""
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"


def list_jobs(jobs: Sequence[str]) -> str:
    """Return the first names of some jobs, and the number of the others."""
    if len(jobs) <= _NAMED:
        return ", ".join(jobs)
    more = len(jobs) - _NAMED + 1
    return f"{', '.join(jobs[: _NAMED - 1])} and {quantity(more, 'more job')}"


def shown_root(report: Report) -> str:
    """Return what was looked at: the first paths, and the number of the others."""
    if len(report.paths) <= _NAMED:
        return report.root
    more = len(report.paths) - _NAMED + 1
    return f"{' '.join(report.paths[: _NAMED - 1])} and {quantity(more, 'more path')}"


def place(at: Spot) -> str:
    """Return line and column, with the cell of a notebook."""
    text = f"{at.line}:{at.column}"
    return text if at.cell is None else f"[{at.cell}] {text}"


def status(file: FileReport, report: Report) -> str:
    """Return the status of a file in words."""
    if file.status is Status.UNREADABLE:
        return "could not be read"
    if file.status is Status.REWRITTEN:
        done = "rewritten" if writes(report) else "to be rewritten"
        return done if file.error is None else f"{done} in part"
    return "not changed"


def writes(report: Report) -> bool:
    """Return whether the run is one that writes what it rewrites."""
    return report.mode not in ("check", "diff")


def label(finding: Finding, report: Report) -> str:
    """Return the severity, or that the finding is fixed or would be fixed."""
    if not finding.is_fixed:
        return finding.severity.value
    return "fixed" if writes(report) else "fixable"


def totals(report: Report) -> list[tuple[str, str]]:
    """Return what is counted: the files, the uses of the API, the findings."""
    done = "rewritten" if writes(report) else "to rewrite"
    files = [
        f"{report.scanned} scanned",
        f"{sum(bool(f.sites) for f in report.files)} with DStream code",
        f"{report.with_status(Status.REWRITTEN)} {done}",
    ]
    if unread := report.with_status(Status.UNREADABLE):
        files.append(f"{unread} not readable, wholly or in part")
    rows = [("files", ", ".join(files))]
    if sites := report.sites():
        outcomes = (f"{n} {OUTCOME[outcome]}" for outcome, n in report.by_outcome().items() if n)
        rows.append(("uses of the API", f"{len(sites)}, of these {', '.join(outcomes)}"))
    findings = [f for _, f in report.findings() if f.is_open and not f.is_bug]
    counts = [
        quantity(sum(f.severity is severity for f in findings), severity.value)
        for severity in (Severity.ERROR, Severity.WARNING)
    ]
    if notes := sum(f.severity is Severity.INFO for f in findings):
        counts.append(quantity(notes, "note"))
    if bugs := report.bugs():
        minutes = short_duration(sum(f.effort for f in bugs))
        counts.append(f"{quantity(len(bugs), 'bug')} of the jobs' own ({minutes})")
    counts += [
        f"{n} {name}" for by, name in _SUPPRESSED.items() if (n := report.count_suppressed(by))
    ]
    if report.hidden_notes:
        counts.append(f"{quantity(report.hidden_notes, 'note')} left out (--notes)")
    rows.append(("findings", ", ".join(counts)))
    return rows


def closing_lines(report: Report) -> list[str]:
    """Return the last lines: what was written, and the manual work that remains."""
    rewritten = quantity(report.with_status(Status.REWRITTEN), "file")
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
            lines = [f"Written to {report.output}; {shown_root(report)} was not changed."]
    if report.baseline_gone:
        gone = quantity(report.baseline_gone, "entry", "entries")
        lines.append(f"{gone} of the baseline no longer found: write it anew.")
    if report.ignores is not None:
        findings = quantity(report.ignores.findings, "rejected finding")
        lines += [
            f"Comments ignore {findings} from now on.",
            *places_without_comment(report.ignores),
        ]
    left = report.count_manual()
    if left:
        noun = "finding needs" if left == 1 else "findings need"
        lines.append(f"{left} {noun} manual work, about {duration(report.effort())}.")
    else:
        lines.append("No manual work remains.")
    return lines


def places_without_comment(added: IgnoresAdded) -> list[str]:
    """Return where no comment could be written, a line for each place."""
    if not added.left:
        return []
    head = "No comment has a place there; --write-baseline FILE or --ignore CODE leaves them out:"
    return [head, *(f"  {visible(place)}" for place in added.left)]


def no_code_message(report: Report) -> str:
    """Return the message if no file has DStream code."""
    looked = quantity(report.scanned, "file")
    return f"No DStream code found in {shown_root(report)} ({looked} scanned): nothing to do."
