"""Finds the modules that imports of a tree mean, as Python would, without running anything.

A module is known by its path in the tree without `.py`; a package by its folder.
"""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

# always Spark's own, whatever a folder in the tree is called
_SPARK = frozenset({"pyspark", "py4j", "dstream_compat"})
# folders below which projects keep their packages
_SOURCE_FOLDERS = ("src", "lib", "python", "src/main/python")


@dataclass(frozen=True, slots=True)
class Place:
    """A module of the tree; not sure if only its name speaks for it, not the search path."""

    path: str
    sure: bool = True


class ModuleIndex:
    """The modules of a tree by their paths.

    Parameters: files, the relative paths of all Python files of the tree, with `/`.
    """

    def __init__(self, files: Iterable[str]) -> None:
        self.files = frozenset(f for f in files if f.endswith(".py"))
        self.folders: set[str] = set()
        self._by_name: dict[str, list[str]] = {}
        self._children: dict[str, list[str]] = {}
        for file in sorted(self.files):
            folder = posixpath.dirname(file)
            while folder and folder not in self.folders:
                self.folders.add(folder)
                folder = posixpath.dirname(folder)
        for path in sorted({module_path(f) for f in self.files} | self.folders):
            self._by_name.setdefault(posixpath.basename(path), []).append(path)
            self._children.setdefault(posixpath.dirname(path), []).append(path)

    def file(self, path: str) -> str | None:
        """The file of a module or package, or None for a folder without `__init__.py`."""
        package = _join(path, "__init__") + ".py"
        if package in self.files:
            return package
        return f"{path}.py" if f"{path}.py" in self.files else None

    def exists(self, path: str) -> bool:
        """Whether something can be imported from there."""
        return path in self.folders or f"{path}.py" in self.files

    def child(self, path: str, name: str) -> str | None:
        """A module directly in a package."""
        found = _join(path, name)
        return found if self.exists(found) else None

    def children(self, path: str) -> list[str]:
        """All modules directly in a package."""
        return self._children.get(path, [])

    def find(self, importer: str, level: int, dotted: str) -> Place | None:
        """The module that an import means.

        Parameters: importer, the file it stands in; level, the dots of a relative import; dotted,
        the name behind them.
        Returns: the place, or None if it is not in the tree.
        """
        folder = posixpath.dirname(importer)
        if level:
            for _ in range(level - 1):
                if not folder:
                    return None
                folder = posixpath.dirname(folder)
            path = _join(folder, dotted)
            return Place(path) if path == folder or self.exists(path) else None
        root = dotted.partition(".")[0]
        if not root or root in _SPARK:
            return None
        if root in sys.stdlib_module_names:
            # only a file beside a script comes before the standard library
            bases = [] if f"{folder}/__init__.py" in self.files else [folder]
        else:
            bases = list(_bases(folder))
        return self._below(bases, root, dotted) or self._anywhere(root, dotted)

    def _below(self, bases: list[str], root: str, dotted: str) -> Place | None:
        # a folder without __init__.py comes last on the search path
        for base in [b for b in bases if self.file(_join(b, root)) is not None] or bases:
            if self.exists(_join(base, root)):
                path = _join(base, dotted)
                return Place(path) if self.exists(path) else None
        return None

    def _anywhere(self, root: str, dotted: str) -> Place | None:
        """The only module of the tree whose path ends so: the search path may be set elsewhere."""
        if root in sys.stdlib_module_names:
            return None
        suffix = dotted.replace(".", "/")
        named = self._by_name.get(posixpath.basename(suffix), ())
        found = [p for p in named if p.endswith(f"/{suffix}") and self.file(p) is not None]
        return Place(found[0], sure=False) if len(found) == 1 else None


def module_path(file: str) -> str:
    """The path of the module that a file is."""
    stem = file.removesuffix(".py")
    return posixpath.dirname(file) if posixpath.basename(stem) == "__init__" else stem


def _bases(folder: str) -> Iterator[str]:
    """Folders that may be on the search path of a script: its own first, then those around it."""
    while True:
        yield folder
        yield from (_join(folder, name) for name in _SOURCE_FOLDERS)
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _join(folder: str, dotted: str) -> str:
    rest = dotted.replace(".", "/")
    if not rest:
        return folder
    return f"{folder}/{rest}" if folder else rest
