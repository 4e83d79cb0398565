"""Adds to the jobs of a fleet what `migrate verify --all` has found out about them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from migrator.errors import MigrateError
from migrator.model.fleet import NOT_VERIFIED, STALE, VERIFIED, FleetProject
from migrator.model.printable import visible
from migrator.run.verified_jobs import have_changed

SUMMARY = "summary.json"
"""The report of `migrate verify --all` in the folder of its verifications."""
JOBS = "jobs"
"""The folder there that has a folder for each job."""
# as `migrate verify --all` says it, where a fleet says it otherwise
_WORDS = {"different": "differs", "no recording": NOT_VERIFIED}


@dataclass(frozen=True, slots=True)
class _Verdict:
    word: str
    date: datetime

    def rank(self) -> tuple[bool, datetime]:
        """Return what is greater for a verdict that counts more: one of the files as they are."""
        return self.word != STALE, self.date


def add_verdicts(projects: Sequence[FleetProject], folders: Iterable[Path]) -> list[FleetProject]:
    """Return projects whose jobs have the verdicts of verifications.

    Paths of both sides count from the working folder. A job that was not run keeps what its report
    says. Of several verdicts, the newest counts that is not stale.

    Parameters
    ----------
    folders : iterable of Path
        The folders that `migrate verify --all` has written.

    Raises
    ------
    MigrateError
        If there is no report in a folder, or none of its jobs is in the projects.
    """
    newest: dict[str, _Verdict] = {}
    here = {place for project in projects for _, place in _places(project)}
    for folder in folders:
        verdicts = _read(folder)
        if not here & verdicts.keys():
            raise MigrateError(
                f"{visible(str(folder))} has verdicts of {len(verdicts)} jobs, and none of them is "
                "in the reports; run `migrate report` in the folder in which the reports and the "
                "verdicts were made"
            )
        for place, verdict in verdicts.items():
            if verdict.word != NOT_VERIFIED:
                newest[place] = max(newest.get(place, verdict), verdict, key=_Verdict.rank)
    words = {place: verdict.word for place, verdict in newest.items()}
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


def _read(folder: Path) -> dict[str, _Verdict]:
    """Return what is known of each job, by its place."""
    file = folder / SUMMARY
    try:
        values = json.loads(file.read_bytes())
        return {
            _place(values["project"], one["job"]): _Verdict(
                _word(one, folder / JOBS / one["job"]), _date(one)
            )
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
    return STALE if have_changed(folder, one["verdict"]["sources"]) else word


def _date(one: dict[str, Any]) -> datetime:
    if one["verdict"] is None:
        return datetime.min.replace(tzinfo=UTC)
    return datetime.fromisoformat(one["verdict"]["date"]).astimezone(UTC)
