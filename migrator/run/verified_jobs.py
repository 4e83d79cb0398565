"""Finds what `migrate verify` has left of jobs: of those of a report, and of a fleet."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from migrator.errors import MigrateError
from migrator.model.fleet import NOT_VERIFIED, STALE, VERIFIED, FleetProject
from migrator.model.printable import visible
from migrator.model.report import Report
from migrator.model.verification import Verified

# of one job, and of all jobs of a project
_VERDICTS = ("verify-*/verdict.json", "verify-*/jobs/**/verdict.json")
_COMPARED = ("equal", "different")
SUMMARY = "summary.json"
"""The report of `migrate verify --all` in the folder of its verifications."""
JOBS = "jobs"
"""The folder there that has a folder for each job."""
# as `migrate verify --all` says it, where a fleet says it otherwise
_WORDS = {"different": "differs", "no recording": NOT_VERIFIED}


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def add_verified(report: Report, root: Path) -> list[str]:
    """Add to a report the last verification of each of its jobs.

    Verdicts are looked for in the working folder and beside each job.

    Parameters
    ----------
    root : Path
        To which the paths of the jobs are relative, or the only file.

    Returns
    -------
    list of str
        Notes about verdicts that cannot be read.
    """
    base = root if root.is_dir() else root.parent
    jobs = {(base / job).resolve(): job for file in report.files for job in file.jobs}
    if not jobs:
        return []
    folders = {Path.cwd(), *(job.parent for job in jobs)}
    notes = []
    verdicts = {
        path.resolve() for folder in folders for form in _VERDICTS for path in folder.glob(form)
    }
    for path in sorted(verdicts):
        try:
            job, verified = _read(path)
        except (OSError, ValueError, LookupError, TypeError, ArithmeticError, RecursionError):
            notes.append(f"{visible(str(path))} is no verdict that can be read; verify again")
            continue
        name = jobs.get(job)
        if name is None or verified is None:
            continue
        verdict = report.verified.get(name)
        if verdict is None or verdict.date < verified.date:
            report.verified[name] = verified
    return notes


def _read(path: Path) -> tuple[Path, Verified | None]:
    """Return the job of a verdict, and its figures if there was something to compare."""
    if not path.is_file():
        raise OSError("no regular file")
    values = json.loads(path.read_bytes())
    job = (path.parent / values["sources"][0]["path"]).resolve()
    if values["result"] not in _COMPARED:
        return job, None
    date = datetime.fromisoformat(values["date"]).astimezone(UTC)
    return job, Verified(
        values["result"] == "equal",
        int(values["batches"]),
        int(values["equal_batches"]),
        int(values["rows"]["original"]),
        date,
        have_changed(path.parent, values["sources"]),
    )


def have_changed(folder: Path, sources: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether a file that was verified is another one now, or gone.

    An original may have become its migrated form, as ``migrate --in-place`` writes it afterwards.

    Parameters
    ----------
    folder : Path
        Of the verdict.
    sources : sequence of mapping
        Each has the ``path`` of a file from there and its ``sha256``; the original's come first.
    """
    for at, source in enumerate(sources):
        path = folder / source["path"]
        later = {one["sha256"] for one in sources[at:] if Path(one["path"]).name == path.name}
        if not path.is_file() or file_hash(path) not in later:
            return True
    return False


# whether it is of the files as they are, when it was found, and its word: greater ones count more
_Verdict = tuple[bool, datetime, str]


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
    here = {place for project in projects for place in _places(project)}
    for folder in folders:
        verdicts = _read_summary(folder)
        if not here & verdicts.keys():
            raise MigrateError(
                f"{visible(str(folder))} has verdicts of {len(verdicts)} jobs, and none of them is "
                "in the reports; run `migrate report` in the folder in which the reports and the "
                "verdicts were made"
            )
        for place, verdict in verdicts.items():
            if verdict[-1] != NOT_VERIFIED:
                newest[place] = max(newest.get(place, verdict), verdict)
    return [_with_verdicts(project, newest) for project in projects]


def _with_verdicts(project: FleetProject, verdicts: Mapping[str, _Verdict]) -> FleetProject:
    jobs = tuple(
        replace(job, verified=verdicts[place][-1]) if place in verdicts else job
        for job, place in zip(project.jobs, _places(project), strict=True)
    )
    return replace(project, jobs=jobs)


def _places(project: FleetProject) -> list[str]:
    return [_place(project.path, job.path) for job in project.jobs]


def _place(project: str, job: str) -> str:
    """Return where a job of a project is; the project may be the file itself."""
    path = os.path.abspath(project)
    return path if os.path.basename(path) == job else os.path.join(path, os.path.normpath(job))


def _read_summary(folder: Path) -> dict[str, _Verdict]:
    """Return what is known of each job, by its place."""
    file = folder / SUMMARY
    try:
        values = json.loads(file.read_bytes())
        return {
            _place(values["project"], one["job"]): _verdict(one, folder / JOBS / one["job"])
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


def _verdict(one: dict[str, Any], folder: Path) -> _Verdict:
    result, report = str(one["result"]), one["verdict"]
    word = _WORDS.get(result, result)
    if word not in VERIFIED:
        raise ValueError(f"unknown result {result!r}")
    if report is None:
        return word != STALE, datetime.min.replace(tzinfo=UTC), word
    if word not in (STALE, NOT_VERIFIED) and have_changed(folder, report["sources"]):
        word = STALE
    return word != STALE, datetime.fromisoformat(report["date"]).astimezone(UTC), word
