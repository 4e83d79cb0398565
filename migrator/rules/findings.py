"""Makes the findings of a file, and a site for each use of the API."""

from __future__ import annotations

from dataclasses import replace

from migrator.model.events import UNMOVED, JvmUse, PackageUse, Use
from migrator.model.projects import ProjectFacts
from migrator.model.report import (
    Confidence,
    FileReport,
    Finding,
    Migration,
    Outcome,
    Severity,
    Site,
)
from migrator.rules.registry import findings_for, rules


def judge(file: FileReport, facts: ProjectFacts) -> None:
    """Make the findings and sites of a file of its events and of what is known of its project."""
    facts = replace(facts, path=file.path)
    all_findings = []
    for event in file.events:
        findings = findings_for(event, facts)
        all_findings += findings
        if isinstance(event, Use | PackageUse):
            file.sites.append(_site(event, findings))
    file.findings = [f for f in all_findings if not rules()[f.code].asked_only]
    file.asked = [f for f in all_findings if rules()[f.code].asked_only]


def _site(event: Use | PackageUse, findings: list[Finding]) -> Site:
    reported = any(f.asks_for_change for f in findings)
    outcome = Outcome.REPORTED if reported else Outcome.KEPT
    if isinstance(event, Use):
        way = migration(findings, event.confidence)
        if isinstance(event, JvmUse):
            outcome = Outcome.REPORTED
            way = Migration.MANUAL if way is Migration.RUNS else way
        return Site(
            event.at,
            event.name,
            event.use,
            event.receiver,
            event.confidence,
            outcome,
            event.evidence,
            way,
            event.inputs,
        )
    way = migration(findings, Confidence.PROVEN)
    if event.after is not None:
        outcome = Outcome.REWRITTEN
    elif event.problem == UNMOVED:
        outcome, way = Outcome.REPORTED, Migration.MANUAL
    return Site(
        event.at, event.path, event.use, "module", Confidence.PROVEN, outcome, migration=way
    )


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
