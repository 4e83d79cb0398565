"""Adds to the jobs of a fleet what `migrate verify --all` has found out about them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from migrator.errors import MigrateError
from migrator.model.fleet import NOT_VERIFIED, STALE, VERIFIED, FleetProject
from migrator.model.printable import visible
from migrator.run.verified_jobs import has_changed

SUMMARY = "summary.json"
"""The report of `migrate verify --all` in the folder of its verifications."""
JOBS = "jobs"
"""The folder there that has a folder for each job."""
# as `migrate verify --all` says it, where a fleet says it otherwise
_WORDS = {"different": "differs", "no recording": NOT_VERIFIED}


def add_verdicts(projects: Sequence[FleetProject], folders: Iterable[Path]) -> list[FleetProject]:
    """Return projects whose jobs have the verdicts of verifications.

    Paths of both sides count from the working folder. A job that was not run keeps what its report
    says.

    Parameters
    ----------
    folders : iterable of Path
        The folders that `migrate verify --all` has written.

    Raises
    ------
    MigrateError
        If there is no report in a folder, or none of its jobs is in the projects.
    """
    words: dict[str, str] = {}
    here = {place for project in projects for _, place in _places(project)}
    for folder in folders:
        verdicts = _read(folder)
        if not here & verdicts.keys():
            raise MigrateError(
                f"{visible(str(folder))} has verdicts of {len(verdicts)} jobs, and none of them is "
                "in the reports; run `migrate report` in the folder in which the reports and the "
                "verdicts were made"
            )
        words |= {place: word for place, word in verdicts.items() if word != NOT_VERIFIED}
    return [_with_verdicts(project, words) for project in projects]


def _with_verdicts(project: FleetProject, words: dict[str, str]) -> FleetProject:
    jobs = tuple(
        replace(job, verified=words.get(place, job.verified))
        for job, (_, place) in zip(project.jobs, _places(project), strict=True)
    )
    return replace(project, jobs=jobs)


def _places(project: FleetProject) -> Iterator[tuple[str, str]]:
    for job in project.jobs:
        yield job.path, _place(project.path, job.path)


def _place(project: str, job: str) -> str:
    """Return where a job of a project is; the project may be the file itself."""
    path = os.path.abspath(project)
    return path if os.path.basename(path) == job else os.path.join(path, os.path.normpath(job))


def _read(folder: Path) -> dict[str, str]:
    """Return what is known of each job, by its place."""
    file = folder / SUMMARY
    try:
        values = json.loads(file.read_bytes())
        return {
            _place(values["project"], one["job"]): _word(one, folder / JOBS / one["job"])
            for one in values["jobs"]
        }
    except OSError as error:
        raise MigrateError(
            f"{visible(str(file))}: {error.strerror or error}; name the folder that "
            "`migrate verify --all` has written"
        ) from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise MigrateError(
            f"{visible(str(file))} is no report of `migrate verify --all`: "
            f"{type(error).__name__}: {error}; verify again"
        ) from error


def _word(one: dict[str, Any], folder: Path) -> str:
    result = str(one["result"])
    word = _WORDS.get(result, result)
    if word not in VERIFIED:
        raise ValueError(f"unknown result {result!r}")
    if one["verdict"] is None or word in (STALE, NOT_VERIFIED):
        return word
    sources = one["verdict"]["sources"]
    changed = any(has_changed(folder / each["path"], each["sha256"]) for each in sources)
    return STALE if changed else word
