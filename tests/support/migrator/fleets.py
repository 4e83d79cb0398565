"""Jobs and projects of fleets, made for tests of what is said of them."""

from __future__ import annotations

from typing import Any

from migrator.model.fleet import FleetJob, FleetProject, Task

BROKERS = Task("D201", "name the Kafka brokers", 1, 15)
FLUME = Task("D203", "replace Flume", 1, 120)


def job(path: str = "job.py", state: str = "runs", **values: Any) -> FleetJob:
    fields: dict[str, Any] = {
        "path": path,
        "state": state,
        "needs": "",
        "sources": (),
        "keeps": (),
        "minutes": 0,
        "unchanged": None,
        "compat": None,
        "structured": None,
        "spark": None,
    }
    return FleetJob(**{**fields, **values})


def project(name: str, *jobs: FleetJob, **values: Any) -> FleetProject:
    return FleetProject(name, name, jobs, **values)
