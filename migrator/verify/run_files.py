"""Copies the files that a job reads by relative paths to where it runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from migrator.source.decode import DecodeProblem, decode_python
from migrator.verify.programs import beside, imported_modules, texts

LARGEST = 64 * 2**20
"""Bytes of a file that is copied because the program names it."""


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
    modules = [job]
    for path in modules:
        try:
            text = decode_python(path.read_bytes()).text
        except (DecodeProblem, OSError):
            continue  # the run says what is wrong with it
        yield from texts(text)
        modules_beside = [module for name in imported_modules(text) for module in beside(job, name)]
        modules += [module for module in dict.fromkeys(modules_beside) if module not in modules]
