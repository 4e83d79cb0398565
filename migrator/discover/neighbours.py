"""The modules around single files: read for inference, not reported.

Decision 0032: A file that is named by itself is analysed with its neighbours.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from migrator.discover.filetypes import FileType
from migrator.discover.paths import with_parents
from migrator.discover.projects import is_marked
from migrator.discover.walk import Candidate, is_skipped

_SUFFIXES = {".py": FileType.PYTHON, ".ipynb": FileType.NOTEBOOK}
# a job may lie in a folder that is no project at all
_MOST_ENTRIES = 20_000


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Modules by their paths relative to some folder, and that folder's path in their project."""

    base: str = ""
    sources: dict[str, tuple[Candidate, FileType]] = field(default_factory=dict)


def neighbours(folder: Path) -> Neighbours:
    """Return the Python files and notebooks of the project around a folder, those nearby first.

    Nothing is read. Of a very large project only a part is found.
    """
    top = _top(folder)
    base = folder.relative_to(top).as_posix()
    result = Neighbours("" if base == "." else base)
    for entry, kind in _below((folder, top)):
        name = os.path.relpath(entry.path, folder).replace(os.sep, "/")
        result.sources.setdefault(
            name, (Candidate(Path(entry.path), name, kind, entry.stat().st_size), kind)
        )
    return result


def _top(folder: Path) -> Path:
    """Return the top of the project that a folder belongs to."""
    around = list(with_parents(folder))
    for candidate in around:
        if is_marked(candidate):
            return candidate
    # without a sign, at least the packages around it
    for candidate in around:
        folder = candidate
        if not (candidate / "__init__.py").exists():
            break
    return folder


def _below(starts: tuple[Path, ...]) -> Iterator[tuple[os.DirEntry[str], FileType]]:
    left = _MOST_ENTRIES
    waiting = deque(dict.fromkeys(os.fspath(start) for start in starts))
    seen: set[str] = set()
    while waiting:
        folder = waiting.popleft()
        if folder in seen:
            continue
        seen.add(folder)
        try:
            with os.scandir(folder) as listed:
                entries = sorted(listed, key=lambda e: e.name)
        except OSError:
            # nobody asked for it: what lies there stays unknown, as what lies outside does
            continue
        for entry in entries:
            left -= 1
            if left < 0:
                return
            kind = _SUFFIXES.get(os.path.splitext(entry.name)[1])
            if entry.is_symlink():
                continue
            if kind is not None and entry.is_file():
                yield entry, kind
            elif kind is None and entry.is_dir() and not is_skipped(Path(entry.path)):
                waiting.append(entry.path)
