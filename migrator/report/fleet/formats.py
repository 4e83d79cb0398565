"""The forms of a report about a fleet, and how they are written to files."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.fleet import FleetProject
from migrator.report.write import check_place, write_text

FORMATS = {
    "text": (".txt",),
    "json": (".json",),
    "html": (".html", ".htm"),
    "csv": (".csv",),
}
"""The endings of files by the names of the forms."""


def format_of(path: Path) -> str:
    """Return the form that the ending of a file asks for.

    Raises
    ------
    MigrateError
        If it asks for none.
    """
    for name, suffixes in FORMATS.items():
        if path.name.lower().endswith(suffixes):
            return name
    endings = ", ".join(suffix for suffixes in FORMATS.values() for suffix in suffixes)
    raise MigrateError(
        f"--report {path}: the report of several projects has one of the endings {endings}"
    )


def render(projects: Sequence[FleetProject], name: str) -> str:
    """Return the report about a fleet in one of the forms."""
    module = importlib.import_module(f"migrator.report.fleet.{name}_report")
    return str(module.render(projects))


def check_fleet_report(path: Path) -> None:
    """Refuse a place for a report before any work is done.

    Raises
    ------
    MigrateError
        If its ending is unknown, its folder is missing, or if there is something that is not an
        earlier report.
    """
    format_of(path)
    check_place(path)


def write_fleet_report(projects: Sequence[FleetProject], path: Path) -> None:
    """Write a report; the file appears whole or not at all.

    Raises
    ------
    MigrateError
        If it cannot be written.
    """
    write_text(path, render(projects, format_of(path)))
