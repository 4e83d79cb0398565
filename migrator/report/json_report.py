"""The report as one JSON object; `migrator/report/report.schema.json` describes it."""

from __future__ import annotations

import json
from typing import Any

from migrator import __version__
from migrator.model.printable import visible
from migrator.model.report import (
    FileReport,
    Finding,
    Report,
    Severity,
    Site,
    Spot,
    Status,
    StreamOrigin,
    SuppressedBy,
    Suppression,
)
from migrator.model.structured_forms import StructuredForm
from migrator.model.verification import Verified
from migrator.report.formats import file_diff
from migrator.report.jobs import Job, Jobs, JobState, forms, outcome, targets
from migrator.report.traits import keeps, sources

SCHEMA_VERSION = 2


def as_dict(report: Report) -> dict[str, Any]:
    """Return the report as plain values, in a fixed order."""
    jobs = Jobs(report)
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "migrate", "version": __version__},
        "summary": _summary(report, jobs),
        "jobs": _jobs(report, jobs),
        "other_files": [_job(job) for job in jobs.others],
        "files": [_file(f, report.mode) for f in report.files],
        "findings": [_finding(f, finding) for f in report.files for finding in f.findings],
        "sites": [_site(f, site) for f in report.files for site in f.sites],
    }


def render(report: Report) -> str:
    """Return the JSON text, ASCII only."""
    return json.dumps(as_dict(report), indent=2) + "\n"


def _summary(report: Report, jobs: Jobs) -> dict[str, Any]:
    findings = [finding for _, finding in report.findings()]
    sites = report.sites()
    states = [job.state for job in jobs.all]
    return {
        "jobs": {state.value: states.count(state) for state in JobState},
        "mode": report.mode,
        "path": visible(report.root),
        "target": report.target,
        "output": None if report.output is None else visible(report.output),
        "exit_code": report.exit_code(),
        "files_scanned": report.scanned,
        "files_with_dstreams": sum(bool(f.sites) for f in report.files),
        "files_rewritten": report.with_status(Status.REWRITTEN),
        "files_unreadable": report.with_status(Status.UNREADABLE),
        "findings": {
            s.value: sum(f.is_open and f.severity is s for f in findings) for s in Severity
        },
        "findings_fixed": sum(f.is_fixed and f.suppression is None for f in findings),
        "findings_suppressed": {by.value: report.count_suppressed(by) for by in SuppressedBy},
        "baseline_entries_gone": report.baseline_gone,
        "fail_on": "never" if report.fail_on is None else report.fail_on.value,
        "needs_person": report.count_manual(),
        "bugs": len(report.bugs()),
        "bugs_effort_minutes": sum(f.effort for f in report.bugs()),
        "fail_on_bugs": report.fails_on_bugs,
        "notes_hidden": report.hidden_notes,
        "effort_minutes": report.effort(),
        "sites": len(sites),
        "sites_by_outcome": {outcome.value: n for outcome, n in report.by_outcome().items()},
        "sites_by_migration": {way.value: n for way, n in report.by_migration().items()},
    }


def _jobs(report: Report, jobs: Jobs) -> list[dict[str, Any]]:
    files = {file.path: file for file in report.files}
    job_forms = forms(report)
    values = []
    for job in jobs.all:
        sites = [site for path in job.modules for site in files[path].sites]
        uses = [(site.receiver, site.name) for site in sites if site.use == "call"]
        traits = {"sources": sources(uses), "keeps": keeps(uses)}
        values.append({**_job(job), **traits, "targets": targets(job, report, files, job_forms)})
    return values


def _job(job: Job) -> dict[str, Any]:
    return {
        "path": visible(job.path),
        "project": visible(job.project),
        "state": job.state.value,
        "modules": [visible(path) for path in job.modules],
        "needs": visible(job.needs()) if job.findings else "",
        "findings": [finding.fingerprint for finding in job.findings],
        "effort_minutes": job.effort,
        "verified": _verification_fields(job.verified),
    }


def _verification_fields(verified: Verified | None) -> dict[str, Any] | None:
    if verified is None:
        return None
    return {
        "result": outcome(verified)[0],
        "batches": verified.batches,
        "equal_batches": verified.equal_batches,
        "rows": verified.rows,
        "date": verified.date.isoformat(),
        "changed_since": verified.changed,
    }


def _file(file: FileReport, mode: str) -> dict[str, Any]:
    values = {
        "path": visible(file.path),
        "status": file.status.value,
        "error": None if file.error is None else visible(file.error),
        "jobs": [visible(job) for job in file.jobs],
        "structured": _structured_fields(file.structured),
    }
    if mode == "diff":
        values["diff"] = _text(file_diff(file)) if file.content is not None else None
        values["text"] = _text(file.content) if file.content is not None else None
    return values


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")


def _structured_fields(form: StructuredForm | None) -> dict[str, Any] | None:
    if form is None:
        return None
    return {
        "form": form.label,
        "spark": form.spark,
        "steps": [
            {
                "line": s.at.line,
                **_cell(s.at),
                "before": visible(s.before),
                "after": visible(s.after),
                "why": s.why,
            }
            for s in form.steps
        ],
        "differences": [visible(text) for text in form.differences],
    }


def _finding(file: FileReport, finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "category": finding.category.value,
        "safety": None if finding.safety is None else finding.safety.value,
        "path": visible(file.path),
        **_place(finding.at),
        "message": visible(finding.message),
        "advice": visible(finding.advice),
        "task": visible(finding.task or finding.remedy),
        "details": [visible(detail) for detail in finding.details],
        "also": [_origin(origin) for origin in finding.also],
        "fixed": finding.is_fixed,
        "needs_person": finding.needs_person,
        "effort_minutes": finding.effort,
        "confidence": finding.confidence.value,
        "evidence": [visible(text) for text in finding.evidence],
        "fingerprint": finding.fingerprint,
        "suppression": _suppression(finding.suppression),
    }


def _suppression(suppression: Suppression | None) -> dict[str, str] | None:
    if suppression is None:
        return None
    return {"by": suppression.by.value, "reason": visible(suppression.reason)}


def _site(file: FileReport, site: Site) -> dict[str, Any]:
    return {
        "path": visible(file.path),
        **_place(site.at),
        "name": visible(site.name),
        "use": site.use,
        "receiver": site.receiver,
        "confidence": site.confidence.value,
        "outcome": site.outcome.value,
        "migration": site.migration.value,
        "evidence": [visible(text) for text in site.evidence],
        "inputs": [_origin(origin) for origin in site.inputs],
    }


def _origin(origin: StreamOrigin) -> dict[str, Any]:
    return {"path": visible(origin.path), **_place(origin.at)}


def _place(at: Spot) -> dict[str, int]:
    """Return a place; only those in notebooks have a cell."""
    return {"line": at.line, "column": at.column, **_cell(at)}


def _cell(at: Spot) -> dict[str, int]:
    return {} if at.cell is None else {"cell": at.cell}
