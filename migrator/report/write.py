"""Writes reports to files."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from migrator.errors import MigrateError
from migrator.model.report import Report
from migrator.report.formats import HEAD_BYTES, format_of, is_report, render


def check_report_file(path: Path) -> None:
    """Refuse a place for a report before any work is done.

    Raises
    ------
    MigrateError
        If its ending is unknown, its folder is missing, or if there is something that is not an
        earlier report.
    """
    format_of(path)
    check_place(path)


def check_place(path: Path) -> None:
    """Refuse a file for a report whose folder is missing, or that is there and is no report.

    Raises
    ------
    MigrateError
        If it is refused.
    """
    if not path.parent.is_dir():
        raise MigrateError(f"--report {path}: the folder {path.parent} does not exist")
    if not os.path.lexists(path):
        return
    if not path.is_file():
        raise MigrateError(f"--report {path}: not a file; choose another name")
    try:
        with path.open("rb") as stream:
            head = stream.read(HEAD_BYTES)
    except OSError as error:
        raise MigrateError(f"--report {path}: {error.strerror}") from error
    if head and not is_report(head):
        raise MigrateError(
            f"--report {path}: the file exists and is not a report of migrate; remove it or choose "
            "another name"
        )


def write_report(report: Report, path: Path, group_by: str, verbose: bool = False) -> None:
    """Write a report; the file appears whole or not at all.

    Parameters
    ----------
    path : Path
        The file; its ending decides the form.
    group_by : str
        "file" or "rule", for the text report.
    verbose : bool
        Whether that says everything.

    Raises
    ------
    MigrateError
        If it cannot be written.
    """
    write_text(path, render(report, format_of(path).name, group_by, verbose))


def write_text(path: Path, text: str) -> None:
    """Write a text to a file, which appears whole or not at all.

    Raises
    ------
    MigrateError
        If it cannot be written.
    """
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(text.encode("utf-8"))
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise MigrateError(f"cannot write the report {path}: {error.strerror}") from error
