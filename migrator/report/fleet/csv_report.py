"""A fleet as CSV: one row for each job, one for a project without jobs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from migrator.model.fleet import FleetProject
from migrator.model.printable import visible
from migrator.report.fleet.summary import in_order, wave

COLUMNS = (
    "order",
    "project",
    "job",
    "state",
    "sources",
    "keeps",
    "unchanged",
    "compat",
    "structured",
    "spark",
    "minutes",
    "verified",
    "wave",
    "needs",
    "no_form",
)
_FORMULA = ("=", "+", "-", "@")


def render(projects: Sequence[FleetProject]) -> str:
    """Return the table, with the projects in the order to move them in."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, project in enumerate(in_order(projects), 1):
        when = wave(project).value
        rows: list[list[str | int]] = [
            [
                *(number, project.name, job.path, job.state),
                *("; ".join(job.sources), "; ".join(job.keeps)),
                *(_flag(job.unchanged), _flag(job.compat), job.structured or "", job.spark or ""),
                *(job.minutes, job.verified, when, job.needs, "; ".join(job.no_form)),
            ]
            for job in project.jobs
        ]
        if not rows:
            state = "error" if project.error else ""
            empty: list[str | int] = [""] * 6
            rows = [[number, project.name, "", state, *empty, project.minutes]]
            rows[0] += ["", when, project.error, ""]
        writer.writerows([_cell(value) for value in row] for row in rows)
    return stream.getvalue()


def _flag(value: bool | None) -> str:
    return "" if value is None else "yes" if value else "no"


def _cell(value: str | int) -> str | int:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(value, int):
        return value
    text = visible(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
