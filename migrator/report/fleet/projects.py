"""The projects of a fleet, made of the JSON reports of runs over them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from migrator.model.fleet import NOT_VERIFIED, STALE, FleetJob, FleetProject, Task
from migrator.report.traits import keeps, sources

_NO_FORM_RULE = "D860"
_UNKNOWN = {"unchanged": None, "compat": None, "structured": None, "spark": None}


def with_targets(
    values: dict[str, Any], compat: dict[str, Any], structured: dict[str, Any]
) -> dict[str, Any]:
    """Return the JSON report of a run with what jobs can become on both targets.

    Parameters
    ----------
    values : dict
        The report of the run, which is one of the others.
    compat, structured : dict
        The reports of runs for both targets.
    """
    by_package = {job["path"]: job["targets"] for job in compat["jobs"]}
    by_form = {job["path"]: job["targets"] for job in structured["jobs"]}
    jobs = []
    for job in values["jobs"]:
        names, forms = by_package.get(job["path"], _UNKNOWN), by_form.get(job["path"], _UNKNOWN)
        reach = {name: names[name] for name in ("unchanged", "compat")}
        reach |= {name: forms[name] for name in ("structured", "spark")}
        jobs.append({**job, "targets": reach})
    findings = [value for value in values["findings"] if value["code"] != _NO_FORM_RULE]
    findings += [each for each in structured["findings"] if each["code"] == _NO_FORM_RULE]
    return {**values, "jobs": jobs, "findings": findings}


def projects(values: dict[str, Any], name: str) -> list[FleetProject]:
    """Return the projects of a JSON report: one, or one for each project of a tree.

    Parameters
    ----------
    values : dict
        The report, as `migrate --format json` prints it.
    name : str
        What its path is called.

    Raises
    ------
    KeyError, TypeError
        If the report lacks something that every version writes.
    """
    everything = [*values["jobs"], *values["other_files"]]
    groups: dict[str, list[dict[str, Any]]] = {}
    for entry in everything:
        groups.setdefault(entry.get("project", ""), []).append(entry)
    return [
        _project(values, f"{name}/{group}" if group and len(groups) > 1 else name, groups[group])
        for group in sorted(groups)
    ] or [_project(values, name, [])]


def _project(values: dict[str, Any], name: str, entries: Iterable[dict[str, Any]]) -> FleetProject:
    findings = {
        value["fingerprint"]: value for value in values["findings"] if value["needs_person"]
    }
    jobs = []
    paths = {job["path"] for job in values["jobs"]}
    # what several jobs import is done once for all of them
    own: dict[str, dict[str, Any]] = {}
    for entry in entries:
        needed = {
            finding: findings[finding] for finding in entry["findings"] if finding in findings
        }
        own |= needed
        if entry["path"] in paths:
            jobs.append(_job(entry, values, _tasks(needed.values())))
    summary = values["summary"]
    return FleetProject(
        name,
        summary["path"],
        tuple(jobs),
        _tasks(own.values()),
        sum(each["effort_minutes"] for each in own.values()),
        summary["exit_code"],
        summary["output"],
    )


def _job(entry: dict[str, Any], values: dict[str, Any], tasks: tuple[Task, ...]) -> FleetJob:
    modules = set(entry["modules"])
    uses = [
        (site["receiver"], site["name"])
        for site in values["sites"]
        if site["path"] in modules and site["use"] == "call"
    ]
    reasons = [
        value.get("task", "")
        for value in values["findings"]
        if value["code"] == _NO_FORM_RULE and value["path"] in modules
    ]
    # reports of earlier versions do not say what a job can become
    reach = entry.get("targets", {**_UNKNOWN, "compat": entry["state"] == "runs"})
    no_form = tuple(dict.fromkeys(filter(None, reasons)))
    return FleetJob(
        entry["path"],
        entry["state"],
        entry["needs"],
        tuple(sources(uses)),
        tuple(keeps(uses)),
        entry["effort_minutes"],
        reach["unchanged"],
        reach["compat"],
        reach["structured"],
        reach["spark"],
        tasks,
        no_form if reach["structured"] in ("none", None) else (),
        _verification(entry["verified"]),
    )


def _tasks(findings: Iterable[Mapping[str, Any]]) -> tuple[Task, ...]:
    groups: dict[tuple[str, str], list[int]] = {}
    for finding in findings:
        text = finding.get("task") or finding["advice"]
        groups.setdefault((finding["code"], text), []).append(finding["effort_minutes"])
    return tuple(
        Task(code, text, len(minutes), sum(minutes)) for (code, text), minutes in groups.items()
    )


def _verification(verified: Mapping[str, Any] | None) -> str:
    if verified is None:
        return NOT_VERIFIED
    return STALE if verified["changed_since"] else str(verified["result"])
