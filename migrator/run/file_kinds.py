"""What a file of a report is."""

from __future__ import annotations

from pathlib import PurePath

from migrator.discover.filetypes import FileType, type_by_first_line, type_of
from migrator.model.report import FileReport


def kind_of(file: FileReport) -> FileType:
    """Return how a file is read, by its name, its folder and its first line."""
    folder = PurePath(file.path).parent.name
    return type_of(file.path, folder) or type_by_first_line(file.original) or FileType.PLAIN
