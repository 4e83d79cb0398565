"""Keeps the projects of a tree apart: which file is of which, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path

from migrator.discover.projects import Projects
from migrator.model.job_events import ForeignContext
from migrator.model.projects import ProjectFacts, concern
from migrator.model.report import FileReport
from migrator.run.project_facts import project_facts


def name_projects(files: Iterable[FileReport], root: Path) -> Callable[[str], str]:
    """Say of each file which project of a tree it belongs to.

    Returns
    -------
    callable
        Gives the name of the project of any path of the tree.
    """
    projects = Projects(root)
    jobs: dict[str, list[str]] = {}
    for file in files:
        for job in file.jobs:
            jobs.setdefault(job, [job]).append(file.path)
    for paths in jobs.values():
        projects.join(paths)
    for file in files:
        file.project = projects.name(file.path)
    return projects.name


def facts_of_projects(
    files: Sequence[FileReport],
    ansi: Iterable[str],
    makes_context_around: Callable[[], bool],
) -> Callable[[str], ProjectFacts]:
    """Return what gives the facts of a project by its name.

    Parameters
    ----------
    files : sequence of FileReport
        All reports of the tree.
    ansi : iterable of str
        The projects of the files that name the setting of ANSI SQL.
    makes_context_around : callable
        Whether a file around the tree may make a StreamingContext.
    """
    setting = frozenset(ansi)

    @cache
    def facts(project: str) -> ProjectFacts:
        own = [file for file in files if concern(project, file.project)]
        asked = any(isinstance(e, ForeignContext) for file in own for e in file.events)
        sets_ansi = any(concern(project, other) for other in setting)
        return project_facts(own, sets_ansi, asked and makes_context_around())

    return facts
