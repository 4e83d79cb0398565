"""Reads JSON reports of earlier runs, and makes one fleet of their projects."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from migrator.errors import MigrateError
from migrator.model.fleet import FleetProject
from migrator.report.fleet.json_report import SCHEMA_VERSION
from migrator.report.fleet.projects import projects
from migrator.report.json_report import SCHEMA_VERSION as OF_ONE_RUN

_ADVICE = "give files that `migrate --report FILE.json` has written"


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
        return _projects(values, name, file)
    except (KeyError, TypeError, AttributeError) as error:
        raise MigrateError(
            f"{file}: no JSON report of migrate: {type(error).__name__}: {error}; {_ADVICE}"
        ) from error


def _projects(values: dict[str, Any], name: str, file: Path) -> list[FleetProject]:
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
