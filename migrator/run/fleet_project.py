"""Analyses one project of a fleet, in a process of its own."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, replace
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.fleet import FleetProject
from migrator.report.fleet.projects import projects, with_targets
from migrator.report.json_report import as_dict
from migrator.run.migrate import analyse, carry_out
from migrator.run.options import Mode, Options


@dataclass(frozen=True, slots=True)
class ProjectRun:
    """A run over a project.

    Parameters
    ----------
    name : str
        What the project is called in the fleet.
    options : Options
        The run.
    page : Path, optional
        Where the HTML report of the project goes.
    error : str
        Why there can be no such run; empty if there can.
    """

    name: str
    options: Options
    page: Path | None = None
    error: str = ""

    def failure(self, error: str) -> FleetProject:
        """Return the project of a run that has failed."""
        path = str(self.options.paths[0])
        return FleetProject(self.name, path, exit_code=2, error=error.removeprefix(f"{path}: "))


def carry_out_project(run: ProjectRun) -> tuple[list[FleetProject], list[str]]:
    """Carry out a run over a project; nothing but what the run writes is changed.

    Returns
    -------
    (list of FleetProject, list of str)
        The project, or the projects of its tree, and what a user should know of the run.
    """
    if run.error:
        return [run.failure(run.error)], []
    try:
        return _carry_out(run)
    except MigrateError as error:
        return [run.failure(str(error))], []
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}, line {where.lineno}"
        words = f"internal error, please report it: {type(error).__name__}: {error} ({place})"
        return [run.failure(words)], []


def _carry_out(run: ProjectRun) -> tuple[list[FleetProject], list[str]]:
    options = replace(run.options, reports=() if run.page is None else (run.page,))
    # what the project becomes on the other target, before anything is written
    target = "compat" if options.target == "structured" else "structured"
    other = replace(options, mode=Mode.CHECK, output=None, reports=(), target=target)
    report, notes = analyse(options)  # puts back what an interrupted run has left
    second, _ = analyse(other)
    carry_out(second, other)
    carry_out(report, options)
    values, others = as_dict(report), as_dict(second)
    both = (others, values) if target == "compat" else (values, others)
    page = "" if run.page is None else str(run.page)
    old_projects = projects(with_targets(values, *both), run.name)
    return [replace(project, page=page) for project in old_projects], notes
