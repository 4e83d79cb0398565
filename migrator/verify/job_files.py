"""Tells which files a verification is about."""

from __future__ import annotations

import os
from pathlib import Path

from migrator.errors import MigrateError
from migrator.run.verified_jobs import file_hash
from migrator.verify.migrated_job import read_text
from migrator.verify.programs import beside, imported_modules


def job_files(job: Path) -> list[Path]:
    """Return a job, and the modules beside it that it imports,
    also through others; packages as a whole.

    Parameters
    ----------
    job : Path
        The file, which comes first.
    """
    job_paths = [job]
    for path in job_paths:
        try:
            names = imported_modules(read_text(path))
        except MigrateError:
            continue  # a module that no program can import
        for first in [one for name in names for one in beside(job, name)]:
            whole = first.name == "__init__.py"
            files = sorted(first.parent.rglob("*.py")) if whole else [first]
            job_paths += [file for file in files if file not in job_paths]
    return job_paths


def hashes(jobs: list[Path], folder: Path) -> list[tuple[str, str]]:
    """Return the files of jobs by their paths relative to a folder, with their SHA-256."""
    files = dict.fromkeys(file.resolve() for job in jobs for file in job_files(job))
    return [(os.path.relpath(file, folder.resolve()), file_hash(file)) for file in files]
