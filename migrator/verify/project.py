"""Finds the jobs of a project, the recording of each, and what is known of it already."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from dstream_compat.testing.recordings import FILE
from migrator.discover.paths import select
from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.report.wording import quantity
from migrator.run.cache import Cache
from migrator.run.fleet_verdicts import JOBS
from migrator.run.scan import scan
from migrator.verify.check import Request
from migrator.verify.verdict import VERDICT

RECORDINGS = "recordings"
EXPECTED = "expected.jsonl"


@dataclass(frozen=True, slots=True)
class ProjectJob:
    """A job of a project.

    Parameters
    ----------
    name : str
        Its path in the project.
    path : Path
        Its file.
    recording : Path, optional
        What `migrate record` has recorded for it: a file, or the folder of one.
    migrated : Path, optional
        Its migrated form, if there is a migrated project.
    """

    name: str
    path: Path
    recording: Path | None = None
    migrated: Path | None = None

    @property
    def expected_results(self) -> Path | None:
        """What the original gave, if that is recorded, too."""
        if self.recording is None or not self.recording.is_dir():
            return None
        path = self.recording / EXPECTED
        return path if path.is_file() else None

    def folder(self, out: Path) -> Path:
        """Return the folder of its verification."""
        # with its suffix: a.py is no folder around a/b.py
        return out / JOBS / self.name


def job_names(project: Path) -> tuple[Path, list[str]]:
    """Return the base of a project and the paths of its jobs, which are found without running them.

    Raises
    ------
    MigrateError
        If there is no such project, or no job in it.
    """
    selection = select([project])
    root = selection.root
    report = scan(root, "check", selection.chosen, Cache(root, selection.chosen))
    names = sorted({job for file in report.files for job in file.jobs})
    if not names:
        raise MigrateError(f"{visible(str(project))} has no job that starts a StreamingContext")
    return (root if root.is_dir() else root.parent), names


def project_jobs(
    base: Path, names: Iterable[str], recordings: Path | None, migrated: Path | None = None
) -> list[ProjectJob]:
    """Return the jobs of a project with their recordings.

    The recording of the job ``a/b.py`` is ``a/b`` or ``a/b.jsonl`` in the folder of recordings,
    or ``b`` in that of ``a``, which may be a project of its own.

    Parameters
    ----------
    base : Path
        The project.
    names : iterable of str
        The paths of its jobs.
    recordings : Path, optional
        The folder of all recordings; else each folder of the project may have one.
    migrated : Path, optional
        The migrated project, which has the same paths.

    Raises
    ------
    MigrateError
        If no job has a recording.
    """
    names = [name for name in names if PurePosixPath(name).suffix == ".py"]
    if not names:
        raise MigrateError("there is no job in a Python file, so nothing can be verified")
    jobs = [
        ProjectJob(
            name,
            base / name,
            next(filter(None, map(_recording, _places(base, name, recordings))), None),
            None if migrated is None else migrated / name,
        )
        for name in names
    ]
    if not any(job.recording for job in jobs):
        folder = base / RECORDINGS if recordings is None else recordings
        if not folder.is_dir():
            raise MigrateError(
                f"there is no folder {visible(str(folder))} with recordings; record batches of a "
                f"job a/b.py with `migrate record a/b.py --out {visible(str(folder / 'a' / 'b'))}`"
            )
        first = folder / PurePosixPath(jobs[0].name).with_suffix("")
        raise MigrateError(
            f"{visible(str(folder))} has a recording of none of {quantity(len(jobs), 'job')}: "
            f"that of {visible(jobs[0].name)} would be {visible(str(first))} or "
            f"{visible(first.name)}.jsonl beside it"
        )
    return jobs


def _places(base: Path, name: str, recordings: Path | None) -> list[Path]:
    """Return where the recording of a job may be, the first place that counts first."""
    path = PurePosixPath(name).with_suffix("")
    if recordings is not None:
        return [recordings / path]
    return [base / top / RECORDINGS / path.relative_to(top) for top in reversed(path.parents)]


def _recording(folder: Path) -> Path | None:
    if (folder / FILE).is_file():
        return folder
    file = folder.with_name(f"{folder.name}.jsonl")
    return file if file.is_file() else None


def known_verdict(job: ProjectJob, out: Path) -> dict[str, Any] | None:
    """Return the report of a job's last verification; None if there is none that can be read."""
    try:
        values = json.loads((job.folder(out) / VERDICT).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    is_report = isinstance(values, dict) and isinstance(values.get("result"), str)
    return values if is_report else None


def why_stale(verdict: dict[str, Any], request: Request) -> str:
    """Return why a verdict says nothing about a job as it is now; nothing if it does.

    Parameters
    ----------
    verdict : dict
        The report of a verification.
    request : Request
        What would be verified now.
    """
    asked, before = request.dependencies(), verdict.get("request") or {}
    if other := [name for name, value in asked.items() if before.get(name) != value]:
        return f"verified with another {', '.join(other).replace('_', '-')}"
    digests = {
        str(source.get("path")): source.get("sha256") for source in verdict.get("sources") or ()
    }
    files = dict(request.files())
    paths = digests.keys() | files.keys()
    changed = sorted(Path(path).name for path in paths if digests.get(path) != files.get(path))
    return f"changed since: {', '.join(changed)}" if changed else ""
