"""Reads programs: what they import, the modules beside them, and the files that they name."""

from __future__ import annotations

import ast
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.printable import visible
from migrator.run.verified_jobs import file_hash
from migrator.source.decode import DecodeProblem, decode_python

LARGEST = 64 * 2**20
"""Bytes of a file that is copied because the program names it."""


def read_text(path: Path) -> str:
    """Return the text of a program, with the encoding that it declares.

    Raises
    ------
    MigrateError
        If it cannot be read.
    """
    try:
        return decode_python(path.read_bytes()).text
    except DecodeProblem as problem:
        raise MigrateError(f"{visible(str(path))}: {problem.detail}") from problem
    except OSError as error:
        raise MigrateError(f"{visible(str(path))}: {error.strerror or error}") from error


def nodes(text: str) -> Iterator[ast.AST]:
    """Yield all nodes of a program; none if it does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    yield from ast.walk(tree)


def imported_modules(text: str) -> list[str]:
    """Return the modules that a program imports anywhere; none if it does not parse."""
    modules = []
    for node in nodes(text):
        if isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return modules


def beside(job: Path, text: str) -> list[Path]:
    """Return the files of the modules, or of the packages that they are in, which a program in the
    folder of a job imports, if they are there.
    """
    firsts = dict.fromkeys(name.partition(".")[0] for name in imported_modules(text))
    paths = [
        path
        for first in firsts
        for path in (job.with_name(f"{first}.py"), job.parent / first / "__init__.py")
    ]
    return [path for path in paths if path.is_file() and path != job]


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
            modules = beside(job, read_text(path))
        except MigrateError:
            continue  # a module that no program can import
        for first in modules:
            whole = first.name == "__init__.py"
            files = sorted(first.parent.rglob("*.py")) if whole else [first]
            job_paths += [file for file in files if file not in job_paths]
    return job_paths


def hashes(jobs: list[Path], folder: Path) -> list[tuple[str, str]]:
    """Return the files of jobs by their paths relative to a folder, with their SHA-256."""
    files = dict.fromkeys(file.resolve() for job in jobs for file in job_files(job))
    return [(os.path.relpath(file, folder.resolve()), file_hash(file)) for file in files]


def copy_files(job: Path, arguments: Sequence[str], folder: Path) -> None:
    """Copy the files of the working folder that a job's arguments or its program name.

    What a job writes into one of them does not reach the original.
    """
    for name in arguments:
        if _is_inside(name):
            _copy(name, folder)
    for name in _texts_of_job(job):
        if _is_inside(name) and not (folder / name).exists() and _is_small(name):
            _copy(name, folder)


def _copy(name: str, folder: Path) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(name, folder / name)
    # a file that only its owner reads stays one
    shutil.copymode(name, folder / name)
    (folder / name).chmod((folder / name).stat().st_mode | 0o200)


def _is_inside(name: str) -> bool:
    """Return whether a text names a file below the working folder."""
    path = Path(name)
    # unlike a method of the path, it is false for a text that can be no path
    return not path.is_absolute() and ".." not in path.parts and os.path.isfile(name)


def _is_small(name: str) -> bool:
    return os.access(name, os.R_OK) and Path(name).stat().st_size <= LARGEST


def _texts_of_job(job: Path) -> Iterator[str]:
    """Yield the texts in a job and in the modules beside it that it imports, directly or not."""
    for path in job_files(job):
        try:
            text = read_text(path)
        except MigrateError:
            continue  # the run says what is wrong with it
        for node in nodes(text):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value
