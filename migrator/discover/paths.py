"""Expands the paths of the command line: files, folders and patterns."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from migrator.errors import MigrateError

# How far from a file others are read: no farther than the folder that `MIGRATE_WITHIN` names.
#
# Without that variable there is no such limit. `migrate mcp` sets it for the commands that it runs.

WITHIN = "MIGRATE_WITHIN"
"""The environment variable with the folder; a real path."""


def is_within(path: Path) -> bool:
    """Return whether a path, with its symlinks followed, is in the folder; True without one."""
    folder = os.environ.get(WITHIN)
    return not folder or Path(os.path.realpath(path)).is_relative_to(folder)


def with_parents(path: Path) -> Iterator[Path]:
    """Yield a path and the folders above it that may be read, the nearest first."""
    for place in (path, *path.parents):
        if not is_within(place):
            return
        yield place


@dataclass(frozen=True, slots=True)
class Selection:
    """What to look at.

    Parameters
    ----------
    root : Path
        The file or folder that paths in the report are relative to.
    chosen : tuple of str
        The parts of it that were named, relative to it; empty if it was named itself.
    """

    root: Path
    chosen: tuple[str, ...] = ()


def select(named: Sequence[str | Path]) -> Selection:
    """Return the files and folders that arguments name;
    patterns are expanded if no such file exists.

    Raises
    ------
    MigrateError
        If one of them names no file or folder.
    """
    expanded = [path for name in named for path in expand(os.fspath(name))]
    # one link keeps its name and its place; among several paths it stands for what it points to
    full = os.path.abspath if len(expanded) == 1 else os.path.realpath
    paths = dict.fromkeys(Path(full(path)) for path in expanded)
    # a path inside another one is covered by it
    outer = [p for p in paths if not any(parent in paths for parent in p.parents)]
    if len(outer) == 1:
        return Selection(outer[0])
    root = Path(os.path.commonpath([p.parent for p in outer]))
    return Selection(root, tuple(sorted(p.relative_to(root).as_posix() for p in outer)))


def expand(name: str) -> list[str]:
    """Return the files and folders that an argument names.

    Raises
    ------
    MigrateError
        If it names none.
    """
    if os.path.lexists(name) or not glob.has_magic(name):
        check_source(name)
        return [name]
    # links are not followed unless they are named themselves
    matches = [p for p in glob.glob(name, recursive=True) if not os.path.islink(p)]
    if not matches:
        raise MigrateError(f"{name}: no such file or folder, and as a pattern it matches nothing")
    return [p for p in matches if os.path.isfile(p) or os.path.isdir(p)]


def check_source(name: str) -> None:
    """Refuse what is neither a file nor a folder."""
    if not os.path.lexists(name):
        raise MigrateError(f"{name}: no such file or folder")
    if not os.path.exists(name):
        raise MigrateError(f"{name}: a symbolic link to nothing")
    if not os.path.isfile(name) and not os.path.isdir(name):
        raise MigrateError(f"{name}: neither a file nor a folder")
