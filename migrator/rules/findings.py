"""Adds the findings for events, and a site for each use of the API, to the report of a file."""

from __future__ import annotations

from dataclasses import replace

from migrator.model.events import Event, FileProblem, PackageUse, Use
from migrator.model.jvm_events import JvmUse
from migrator.model.project_events import about_project, replaced
from migrator.model.report import (
    Confidence,
    FileReport,
    Finding,
    Migration,
    Outcome,
    Severity,
    Site,
    Spot,
    Status,
)
from migrator.rules.registry import findings_for, rules

# the rules of what was converted
CONVERTED = frozenset({"D010", "D011"})


def add_findings(report: FileReport, events: list[Event]) -> None:
    """Add the findings for events to a report, and a site for each use of the API."""
    for event in events:
        later = about_project(event)
        if later is not None:
            report.waiting.append(later)
            if replaced(event):
                continue
        findings = findings_for(event)
        report.findings += findings
        reported = any(f.asks_for_change for f in findings)
        foreign = isinstance(event, JvmUse)
        outcome = Outcome.REPORTED if reported or foreign else Outcome.KEPT
        if isinstance(event, Use):
            way = migration(findings, event.confidence)
            site = Site(
                event.at,
                event.name,
                event.use,
                event.receiver,
                event.confidence,
                outcome,
                event.evidence,
                Migration.MANUAL if foreign and way is Migration.RUNS else way,
                event.inputs,
            )
            report.sites.append(site)
        elif isinstance(event, PackageUse):
            if event.after is not None:
                outcome = Outcome.REWRITTEN
            proven = Confidence.PROVEN
            way = migration(findings, proven)
            site = Site(event.at, event.path, event.use, "module", proven, outcome, migration=way)
            report.sites.append(site)


def migration(findings: list[Finding], confidence: Confidence) -> Migration:
    """Return how a site with these findings gets to Structured Streaming."""
    left = [f for f in findings if f.asks_for_change]
    if any(rules()[f.code].impossible for f in left):
        return Migration.IMPOSSIBLE
    if any(f.severity is Severity.ERROR for f in left):
        return Migration.MANUAL
    if left or confidence is Confidence.PROBABLE:
        return Migration.REVIEW
    return Migration.RUNS


def mark_unreadable(report: FileReport, problem: FileProblem) -> FileReport:
    """Mark a file as not readable because of a problem."""
    report.status = Status.UNREADABLE
    report.error = report.error or problem.detail
    report.findings += findings_for(problem)
    return report


def refuse_edits(report: FileReport, why: str) -> None:
    """Withdraw the edits of a file and report why."""
    rewritten = [s for s in report.sites if s.outcome is Outcome.REWRITTEN]
    at = rewritten[0].at if rewritten else Spot(1, 1)
    withdraw_edits(report)
    report.findings += findings_for(FileProblem(at, "edit", why))


def withdraw_edits(report: FileReport) -> None:
    """Withdraw the edits of a file that has a finding already; a conversion stays."""
    converted = report.conversion
    report.content = None if converted is None else converted.content
    report.findings = [f for f in report.findings if not f.fixed or f.code in CONVERTED]
    _mark_not_rewritten(report)


def keep_original(report: FileReport, why: str) -> None:
    """Drop the rewrite of a file's imports, which are open findings from now on."""
    if report.content is None:
        return
    report.content = report.conversion = None
    if report.status is Status.REWRITTEN:
        report.status = Status.UNCHANGED
    report.findings = [f.left_open(why) if f.fixed else f for f in report.findings]
    _mark_not_rewritten(report)


def _mark_not_rewritten(report: FileReport) -> None:
    """Mark what was to be rewritten as manual work."""
    report.sites = [
        replace(s, outcome=Outcome.REPORTED, migration=Migration.MANUAL)
        if s.outcome is Outcome.REWRITTEN
        else s
        for s in report.sites
    ]
