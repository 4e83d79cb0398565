"""The projects of a fleet, made of the JSON reports of runs over them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from migrator.errors import MigrateError
from migrator.model.fleet import NOT_VERIFIED, STALE, FleetJob, FleetProject, Task
from migrator.report.fleet.json_report import SCHEMA_VERSION
from migrator.report.json_report import SCHEMA_VERSION as OF_ONE_RUN
from migrator.report.traits import keeps, sources

_NO_FORM_RULE = "D860"
_UNKNOWN = {"unchanged": None, "compat": None, "structured": None, "spark": None}
_ADVICE = "give files that `migrate --report FILE.json` has written"


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


def merge_reports(names: Sequence[str]) -> list[FleetProject]:
    """Return the projects of several reports.

    Parameters
    ----------
    names : sequence of str
        The files, as `FILE` or `NAME=FILE`.

    Raises
    ------
    MigrateError
        If one of them is no such report, or two have a project of the same name.
    """
    owners: dict[str, tuple[int, str]] = {}
    fleet: list[FleetProject] = []
    for number, named in enumerate(names):
        name, file = _parts(named)
        for project in _read(name, file):
            first, other = owners.setdefault(project.name, (number, named))
            if first != number:
                raise MigrateError(
                    f"{other} and {named} both have a project {project.name!r}; leave one of them "
                    f"out, or name it otherwise: OTHER={file}"
                )
            fleet.append(project)
    return fleet


def _parts(named: str) -> tuple[str, Path]:
    """Return the name that a report is given, empty if it is not, and its file."""
    name, equals, file = named.partition("=")
    if not equals or os.path.lexists(named):
        return "", Path(named)
    return name, Path(file)


def _read(name: str, file: Path) -> list[FleetProject]:
    try:
        values = json.loads(file.read_bytes())
    except OSError as error:
        raise MigrateError(f"{file}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise MigrateError(f"{file}: no JSON: {error}; {_ADVICE}") from error
    try:
        return _projects_of_report(values, name, file)
    except (KeyError, TypeError, AttributeError) as error:
        raise MigrateError(
            f"{file}: no JSON report of migrate: {type(error).__name__}: {error}; {_ADVICE}"
        ) from error


def _projects_of_report(values: dict[str, Any], name: str, file: Path) -> list[FleetProject]:
    if "fleet_schema_version" in values:
        _check_version(values["fleet_schema_version"], SCHEMA_VERSION, file)
        read = [FleetProject.of(project) for project in values["projects"]]
        named = [
            replace(project, name=f"{name}/{project.name}" if name else project.name)
            for project in read
        ]
        return [_with_page(project, file) for project in named]
    _check_version(values["schema_version"], OF_ONE_RUN, file)
    path = str(values["summary"]["path"])
    # every project is `.` to those who are in it
    plain = os.path.normpath(path)
    return projects(values, name or (file.stem if plain in (".", "..") else plain))


def _check_version(version: object, known_version: int, file: Path) -> None:
    if version != known_version:
        raise MigrateError(
            f"{file}: the report has version {version!r} of its schema, and this migrate reads "
            f"{known_version}; write it anew"
        )


def _with_page(project: FleetProject, file: Path) -> FleetProject:
    """Return a project with the place of its page, if the page is still there."""
    page = file.absolute().parent / project.page
    return replace(project, page=str(page) if project.page and page.is_file() else "")
