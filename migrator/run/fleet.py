"""Carries out runs over many projects, and reports them together.

Decision 0132: Reports of fleets are made of JSON reports.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.fleet import FleetProject
from migrator.model.printable import visible
from migrator.report.fleet.projects import projects, with_targets
from migrator.report.formats import check_report_file, print_text, render_fleet, write_fleet_report
from migrator.report.json_report import as_dict
from migrator.report.progress import Bar
from migrator.run.migrate import analyse, carry_out
from migrator.run.options import Mode, Options
from migrator.run.processes import ProcessDiedError, run_in_processes, usable_cpus

_IMPORTED_LATER = ("migrator.run.structured_jobs", "migrator.report.html_report")


def project_names(paths: Sequence[Path]) -> list[str]:
    """Return a name for each project: that of its folder, with folders above it where two of them
    have the same.
    """
    parts = [Path(os.path.abspath(path)).parts for path in paths]
    lengths = [1] * len(parts)
    while True:
        names = ["/".join(own[-length:]) for own, length in zip(parts, lengths, strict=True)]
        users = Counter(names)
        longer = [
            index
            for index, name in enumerate(names)
            if users[name] > 1 and lengths[index] < len(parts[index])
        ]
        if not longer:
            return names
        for index in longer:
            lengths[index] += 1


def page_folder(reports: Iterable[Path]) -> Path | None:
    """Return the folder for the pages of the projects: beside the first HTML report."""
    pages = [path for path in reports if path.suffix.lower() in (".html", ".htm")]
    return pages[0].with_name(f"{pages[0].stem}-projects") if pages else None


def page_name(name: str) -> str:
    """Return the name of the HTML report of a project."""
    return re.sub(r"[^\w.-]+", "_", name).strip(".") + ".html"


def run_fleet(runs: Sequence[ProjectRun], shown: Options) -> int:
    """Carry out runs over projects in parallel, and report them together.

    Returns
    -------
    int
        2 if a project could not be analysed, else 1 if one of them ends with 1, else 0.

    Raises
    ------
    MigrateError
        If a report cannot be written; nothing is analysed then.
    """
    for path in shown.reports:
        check_report_file(path, fleet=True)
    runs = _with_pages(runs, page_folder(shown.reports))
    projects: list[FleetProject] = []
    with Bar(shown.format == "text" and not shown.quiet and sys.stderr.isatty()) as progress:
        results = run_in_processes(carry_out_project, runs, usable_cpus(), _IMPORTED_LATER)
        for done, (number, result) in enumerate(results, 1):
            run = runs[number]
            progress(run.name, done, len(runs))
            if isinstance(result, ProcessDiedError):
                projects.append(run.failure(str(result)))
                continue
            projects += result[0]
            for note in result[1]:
                print(f"migrate: note: {visible(run.name)}: {visible(note)}", file=sys.stderr)
    report_fleet(projects, shown)
    return max(project.exit_code for project in projects)


def report_fleet(projects: Sequence[FleetProject], shown: Options) -> None:
    """Write and print the reports about projects.

    Raises
    ------
    MigrateError
        If one of them cannot be written.
    """
    for path in shown.reports:
        folder = path.absolute().parent
        write_fleet_report([_beside(project, folder) for project in projects], path)
    if shown.format != "text":
        here = [_beside(project, Path.cwd()) for project in projects]
        print_text(render_fleet(here, shown.format))
        return
    # rich is only needed here
    from migrator.report.fleet.text_report import show

    show(
        projects,
        verbose=shown.verbose,
        quiet=shown.quiet,
        color=shown.color,
        written=shown.reports,
    )


def _beside(project: FleetProject, folder: Path) -> FleetProject:
    """Return a project whose page is named as a report in a folder has to name it."""
    page = os.path.relpath(project.page, folder) if project.page else ""
    return replace(project, page=Path(page).as_posix() if page else "")


def _with_pages(runs: Sequence[ProjectRun], folder: Path | None) -> list[ProjectRun]:
    """Return the runs with the files for the pages of their projects, whose folder is written."""
    if folder is None:
        return list(runs)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise MigrateError(
            f"cannot make the folder {folder} for the reports of the projects: {error.strerror}"
        ) from error
    users: Counter[str] = Counter()
    with_pages = []
    for run in runs:
        name = page_name(run.name)
        users[name.lower()] += 1
        if users[name.lower()] > 1:
            name = f"{users[name.lower()]}-{name}"
        with_pages.append(replace(run, page=folder.absolute() / name))
    return with_pages


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
        return _carry_out_run(run)
    except MigrateError as error:
        return [run.failure(str(error))], []
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(where.filename).name}, line {where.lineno}"
        words = f"internal error, please report it: {type(error).__name__}: {error} ({place})"
        return [run.failure(words)], []


def _carry_out_run(run: ProjectRun) -> tuple[list[FleetProject], list[str]]:
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
