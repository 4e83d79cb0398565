"""Which project of a tree a file belongs to.

A tree may hold many projects, as a folder of clones does. What is known of one does not count for
another, unless it lies inside it, or they share a job.

Decision 0107: What is known of one project of a tree does not count for another.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

from migrator.discover.walk import is_skipped

# what lies at the top of a project
_PACKAGES = ("pyproject.toml", "setup.py", "setup.cfg")
MARKERS = (".git", ".hg", *_PACKAGES)
# what lies there as a rule, and elsewhere too
_SIGNS = ("readme", "license", "licence", "requirements.txt", ".gitignore", "pipfile")
_PROGRAMS = (".py", ".ipynb")


class Projects:
    """The projects of a tree, by the folders of their tops."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._tops: dict[str, str] = {}
        self._links: dict[str, str] = {}

    @cached_property
    def _collections(self) -> frozenset[str]:
        """The folders that hold projects and are none themselves."""
        # a repository may hold many projects, and whoever names a folder in it wants that one
        around = (above / name for above in self.root.absolute().parents for name in _PACKAGES)
        if is_marked(self.root) or any(path.exists() for path in around):
            return frozenset()
        return frozenset(_collections(self.root, ""))

    def name(self, path: str) -> str:
        """Return the name of the project of a file: its folder, "" for the whole tree.

        Files between projects have a name of their own, which ends with `/*`.
        """
        folder = path.rpartition("/")[0]
        top = self._tops.get(folder)
        if top is None:
            top = self._tops[folder] = self._top(folder)
        while top in self._links:
            top = self._links[top]
        return top

    def _top(self, folder: str) -> str:
        if folder in self._collections:
            return f"{folder or '.'}/*"
        while folder:
            above = folder.rpartition("/")[0]
            if above in self._collections or is_marked(self.root / folder):
                return folder
            folder = above
        return ""

    def join(self, paths: Iterable[str]) -> None:
        """Note that the projects of some files belong together, as those of one job do."""
        first, *others = sorted({self.name(path) for path in paths}, key=lambda n: (len(n), n))
        self._links.update(dict.fromkeys(others, first))


def is_marked(folder: Path) -> bool:
    """Return whether a folder is the top of a project."""
    return any((folder / marker).exists() for marker in MARKERS)


def _collections(root: Path, folder: str) -> Iterator[str]:
    names, folders = _entries(root / folder)
    inner = [f"{folder}/{name}" if folder else name for name in folders]
    signed = [one for one in inner if any(map(_is_sign, _entries(root / one)[0]))]
    if any(_is_sign(name) or name.endswith(_PROGRAMS) for name in names):
        # so it looks like a project, unless all programs below the top are of others
        holders = [] if folder else [one for one in inner if _holds_programs(root / one)]
        if len(holders) > 1 and set(signed).issuperset(holders):
            yield folder
        return
    deeper = [collection for one in inner for collection in _collections(root, one)]
    if deeper or len(signed) > 1:
        yield folder
        yield from deeper


def _holds_programs(folder: Path) -> bool:
    names, folders = _entries(folder)
    return any(name.endswith(_PROGRAMS) for name in names) or any(
        _holds_programs(folder / name) for name in folders
    )


def _is_sign(name: str) -> bool:
    return name in MARKERS or name.lower().startswith(_SIGNS)


def _entries(folder: Path) -> tuple[list[str], list[str]]:
    """Return the names in a folder that may say what it is, and its folders."""
    try:
        with os.scandir(folder) as listed:
            entries = sorted(listed, key=lambda entry: entry.name)
    except OSError:
        # what cannot be read says nothing; the walk has reported it
        return [], []
    folders = [
        e.name
        for e in entries
        if e.is_dir(follow_symlinks=False) and e.name[:1] != "." and not is_skipped(Path(e.path))
    ]
    return [e.name for e in entries if e.name not in folders], folders
