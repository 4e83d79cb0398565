"""Walks a tree and yields the files to look at, in a fixed order."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from migrator.discover.filetypes import FileType, type_by_first_line, type_of
from migrator.discover.ignore import IgnoreFile, is_ignored, read_ignore_file

MARKER = ".migrate-output"

_SKIPPED = {"__pycache__", "node_modules", "site-packages", "__pypackages__"}


@dataclass(frozen=True, slots=True)
class Source:
    """A file to look at; type None means that its first line decides. error: why it is none."""

    path: Path
    relative: str
    type: FileType | None
    size: int
    error: str | None = None


def is_environment(folder: Path) -> bool:
    """Whether a folder is a virtual environment."""
    return (folder / "pyvenv.cfg").exists() or (folder / "conda-meta").is_dir()


def is_skipped(folder: Path) -> bool:
    """Whether a folder below the root holds nothing of the project's own."""
    name = folder.name
    if name.startswith(".") or name in _SKIPPED:
        return True
    return is_environment(folder) or (folder / MARKER).is_file()


def walk(root: Path) -> Iterator[Source]:
    """The files of a folder, or the file itself.

    Symbolic links, hidden files and folders, environments, earlier output of this tool, and what
    `.gitignore` excludes are left out. Special files are never opened.
    """
    if root.is_file():
        yield Source(root, root.name, _type_of_named(root), root.stat().st_size)
        return
    yield from _walk(root, "", [])


def _walk(folder: Path, relative: str, ignores: list[IgnoreFile]) -> Iterator[Source]:
    try:
        entries = sorted(os.scandir(folder), key=lambda e: e.name)
    except OSError as error:
        name = relative or "."
        yield Source(folder, name, None, 0, error.strerror or str(error))
        return
    own = read_ignore_file(folder, relative)
    if own is not None:
        ignores = [*ignores, own]
    folders = []
    for entry in entries:
        path = f"{relative}/{entry.name}" if relative else entry.name
        if entry.name.startswith(".") or entry.is_symlink():
            continue
        if entry.is_dir(follow_symlinks=False):
            if not is_skipped(Path(entry.path)) and not is_ignored(ignores, path, True):
                folders.append((entry, path))
        elif not is_ignored(ignores, path, False):
            yield from _file(entry, path)
    for entry, path in folders:
        yield from _walk(Path(entry.path), path, ignores)


def _file(entry: os.DirEntry[str], relative: str) -> Iterator[Source]:
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError as error:
        yield Source(Path(entry.path), relative, None, 0, error.strerror or str(error))
        return
    if not stat.S_ISREG(found.st_mode):
        return
    kind = type_of(entry.name)
    has_suffix = "." in entry.name
    if kind is not None or not has_suffix:
        yield Source(Path(entry.path), relative, kind, found.st_size)


def _type_of_named(path: Path) -> FileType | None:
    """The type of a file that the user named: it is read, whatever it is."""
    found = type_of(path.name)
    if found is not None:
        return found
    try:
        with path.open("rb") as stream:
            found = type_by_first_line(stream.read(200))
    except OSError:
        # reading it will fail again and be reported
        return None
    return found or (FileType.PLAIN if path.suffix else FileType.PYTHON)


def script_type(source: Source, data: bytes) -> FileType | None:
    """The type of a source, looking into it if its name does not say."""
    return source.type if source.type is not None else type_by_first_line(data)
