"""A fleet as JSON, which `migrate report` reads again; `fleet.schema.json` describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from migrator import __version__
from migrator.model.fleet import FleetProject
from migrator.report.fleet.summary import (
    by_kept_state,
    by_source,
    by_state,
    by_target,
    by_verification,
    in_order,
    jobs_of,
    reasons_without_form,
    shared_tasks,
    wave,
)

SCHEMA_VERSION = 2


def as_dict(projects: Sequence[FleetProject]) -> dict[str, Any]:
    """Return the fleet as plain values, with the projects in the order to move them in."""
    return {
        "fleet_schema_version": SCHEMA_VERSION,
        "tool": {"name": "migrate", "version": __version__},
        "summary": _summary(projects),
        "projects": [
            {**project.as_dict(), "wave": wave(project).value} for project in in_order(projects)
        ],
    }


def render(projects: Sequence[FleetProject]) -> str:
    """Return the JSON text, ASCII only."""
    return json.dumps(as_dict(projects), indent=2) + "\n"


def _summary(projects: Sequence[FleetProject]) -> dict[str, Any]:
    jobs = jobs_of(projects)
    return {
        "projects": len(projects),
        "failed": sum(bool(project.error) for project in projects),
        "jobs": by_state(jobs),
        "sources": dict(by_source(jobs)),
        "keeps": dict(by_kept_state(jobs)),
        "targets": {
            name: {"jobs": count, "needs": needs} for name, count, needs in by_target(jobs)
        },
        "verified": dict(by_verification(jobs)),
        "effort_minutes": sum(project.minutes for project in projects),
        "tasks": [asdict(task) for task in shared_tasks(projects)],
        "reasons_without_form": dict(reasons_without_form(projects)),
    }
