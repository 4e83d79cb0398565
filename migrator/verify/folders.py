"""The folders that commands write to: only what they made is replaced."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from migrator.discover.walk import VERIFY_MARKER
from migrator.errors import MigrateError
from migrator.model.printable import visible


def make_folder(path: Path, inputs: Sequence[Path] = ()) -> Path:
    """Make a folder for a verification; one that an earlier verification made is emptied.

    Parameters
    ----------
    inputs : sequence of Path
        What the verification reads, which is not removed.

    Raises
    ------
    MigrateError
        If the folder has anything else, or one of these, or cannot be written.
    """
    try:
        return _make_folder(path, inputs)
    except OSError as error:
        raise MigrateError(
            f"cannot write to {visible(str(path))}: {error.strerror}; name another folder with "
            "--out"
        ) from error


def make_project_folder(path: Path, inputs: Sequence[Path]) -> Path:
    """Make a folder for the verifications of a project, or go on with an earlier one.

    Parameters
    ----------
    inputs : sequence of Path
        What the verifications read.

    Raises
    ------
    MigrateError
        If the folder is not for verifications, or around what is read, or cannot be written.
    """
    for file in inputs:
        if file.resolve().is_relative_to(path.resolve()):
            raise MigrateError(
                f"{visible(str(path))} has {visible(str(file))}, which is read; name another "
                "folder with --out"
            )
    if path.is_dir() and (path / VERIFY_MARKER).exists():
        return path
    return make_folder(path, inputs)


def _make_folder(path: Path, inputs: Sequence[Path]) -> Path:
    if path.exists() and not path.is_dir():
        raise MigrateError(f"{visible(str(path))} is no folder; name another one with --out")
    if path.is_dir() and any(path.iterdir()):
        if not (path / VERIFY_MARKER).exists():
            raise MigrateError(
                f"{visible(str(path))} has files that `migrate verify` has not made; name another "
                "folder with --out"
            )
        for file in inputs:
            if file.resolve().is_relative_to(path.resolve()):
                raise MigrateError(
                    f"{visible(str(file))} is in the folder of an earlier verification, which this "
                    "one would replace; name another folder with --out"
                )
        shutil.rmtree(path)
    path.mkdir(parents=True, exist_ok=True)
    (path / VERIFY_MARKER).write_text("made by `migrate verify`, which replaces this folder\n")
    return path
