"""Writes copies of a project, as it is and as it is migrated, for what runs over both."""

from __future__ import annotations

import os
from pathlib import Path

from migrator.discover.paths import Selection
from migrator.model.report import Report, Status
from migrator.output.tree import write_tree
from migrator.verify.migrated_job import read_text
from migrator.verify.programs import beside, imported_modules


def base_folder(selection: Selection) -> Path:
    """Return the folder to which the paths of the jobs of a selection are relative."""
    root = selection.root
    return root if root.is_dir() else root.parent


def write_copy(
    report: Report, selection: Selection, folder: Path, *, migrated: bool, whole: bool = True
) -> None:
    """Write a copy of the files that a run looks at.

    Parameters
    ----------
    report : Report
        With the new contents of files.
    folder : Path
        The destination, whose parent exists.
    migrated : bool
        Whether files have their new contents.
    whole : bool
        Of a file that is named by itself, whether its whole folder is copied; else only if the
        file imports something from there.
    """
    root = selection.root
    contents = {
        file.path if root.is_dir() else root.name: file.content
        for file in report.files
        if file.content is not None
    }
    unread = {
        file.path
        for file in report.files
        if file.status is Status.UNREADABLE and not os.access(root / file.path, os.R_OK)
    }
    chosen = selection.chosen
    if root.is_file():
        unread = set()
        chosen = () if whole or _imports_beside(root) else (root.name,)
    write_tree(base_folder(selection), folder, contents if migrated else {}, unread, chosen)


def _imports_beside(job: Path) -> bool:
    return any(
        path != job for name in imported_modules(read_text(job)) for path in beside(job, name)
    )
