"""Finds the verifications of the jobs of a report, which `migrate verify` has left."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from migrator.model.printable import visible
from migrator.model.report import Report
from migrator.model.verification import Verified

# of one job, and of all jobs of a project
_VERDICTS = ("verify-*/verdict.json", "verify-*/jobs/**/verdict.json")
_COMPARED = ("equal", "different")


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
