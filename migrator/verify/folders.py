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
    shown = visible(str(path))
    if path.exists() and not path.is_dir():
        raise MigrateError(f"{shown} is no folder; name another one with --out")
    try:
        if path.is_dir() and any(path.iterdir()):
            if not (path / VERIFY_MARKER).exists():
                raise MigrateError(
                    f"{shown} has files that `migrate verify` has not made; name another folder "
                    "with --out"
                )
            for file in _inside(path, inputs):
                raise MigrateError(
                    f"{visible(str(file))} is in the folder of an earlier verification, which this "
                    "one would replace; name another folder with --out"
                )
            shutil.rmtree(path)
        path.mkdir(parents=True, exist_ok=True)
        (path / VERIFY_MARKER).write_text("made by `migrate verify`, which replaces this folder\n")
    except OSError as error:
        raise MigrateError(
            f"cannot write to {shown}: {error.strerror}; name another folder with --out"
        ) from error
    return path


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
    for file in _inside(path, inputs):
        raise MigrateError(
            f"{visible(str(path))} has {visible(str(file))}, which is read; name another folder "
            "with --out"
        )
    is_own = path.is_dir() and (path / VERIFY_MARKER).exists()
    return path if is_own else make_folder(path, inputs)


def _inside(folder: Path, files: Sequence[Path]) -> list[Path]:
    return [file for file in files if file.resolve().is_relative_to(folder.resolve())]
