"""Finds the modules that imports of a tree mean, as Python would, without running anything.

A module is known by its path in the tree without `.py`; a package by its folder. A notebook, which
others may run, keeps its suffix.
"""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

# always Spark's own, whatever a folder in the tree is called
_SPARK = frozenset({"pyspark", "py4j", "dstream_compat"})
# folders below which projects keep their packages
_SOURCE_FOLDERS = ("src", "lib", "python", "src/main/python")
_BAHIRS_NAME = "mqtt"


@dataclass(frozen=True, slots=True)
class ModulePlace:
    """A module of the tree; not sure if only its name speaks for it, not the search path."""

    path: str
    sure: bool = True


class ModuleIndex:
    """The modules of a tree by their paths.

    Parameters
    ----------
    files : iterable of str
        The relative paths of all Python files and notebooks of the tree, with `/`.
    base : str
        The folder of the tree that they are relative to, if that is not its top.
    copies : iterable of str
        Those that are copies of the module `mqtt` of Apache Bahir.
    related : callable
        Whether two files may be of one project.
    """

    def __init__(
        self,
        files: Iterable[str],
        base: str = "",
        copies: Iterable[str] = (),
        related: Callable[[str, str], bool] = lambda one, other: True,
    ) -> None:
        self._base = base
        self._related = related
        self._copies = frozenset(module_path(self._from_top(file)) for file in copies)
        # paths from the top, where imports lead, and the names under which the files are known
        names = {self._from_top(file): file for file in files}
        self._names = names
        self.files = frozenset(f for f in names if f.endswith(".py"))
        self.notebooks = frozenset(f for f in names if f.endswith(".ipynb"))
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
        """Return the file of a module or package, or None for a folder without `__init__.py`."""
        names = self._names
        found = names.get(f"{path}/__init__.py" if path else "__init__.py")
        if found is None:
            found = names.get(f"{path}.py")
        return names[path] if found is None and path in self.notebooks else found

    def _from_top(self, file: str) -> str:
        return posixpath.normpath(posixpath.join(self._base, file)) if self._base else file

    def exists(self, path: str) -> bool:
        """Return whether something can be imported from there."""
        return path in self.folders or f"{path}.py" in self.files

    def child(self, path: str, name: str) -> str | None:
        """Return a module directly in a package."""
        found = _join(path, name)
        return found if self.exists(found) else None

    def children(self, path: str) -> list[str]:
        """Return all modules directly in a package."""
        return self._children.get(path, [])

    def find(self, importer: str, level: int, dotted: str) -> ModulePlace | None:
        """Return the module that an import means, None if it is not in the tree.

        Parameters
        ----------
        importer : str
            The file it stands in.
        level : int
            The dots of a relative import.
        dotted : str
            The name behind them.
        """
        folder = posixpath.dirname(self._from_top(importer))
        if level:
            for _ in range(level - 1):
                if not folder:
                    return None
                folder = posixpath.dirname(folder)
            path = _join(folder, dotted)
            return ModulePlace(path) if path == folder or self.exists(path) else None
        root = dotted.partition(".")[0]
        if not root or root in _SPARK:
            return None
        if root in sys.stdlib_module_names:
            # only a file beside a script comes before the standard library
            bases = [] if f"{folder}/__init__.py" in self.files else [folder]
        else:
            bases = list(_bases(folder))
        return self._below(bases, root, dotted) or self._anywhere(importer, root, dotted)

    def resolve(self, importer: str, level: int, dotted: str) -> str | None:
        """Return the file of the module that an import means, None if the tree has none.

        The parameters are those of `find`.
        """
        place = self.find(importer, level, dotted)
        return None if place is None else self.file(place.path)

    def is_bahirs(self, importer: str, level: int, dotted: str) -> bool:
        """Return whether an import means Apache Bahir's module:
        a copy of it, or the one of its jar.

        The parameters are those of `find`.
        """
        if dotted.rpartition(".")[2] != _BAHIRS_NAME:
            return False
        place = self.find(importer, level, dotted)
        if place is None:
            return not level and dotted == _BAHIRS_NAME
        return place.path in self._copies

    def script(self, importer: str, target: str) -> ModulePlace | None:
        """Return the notebook or script that `%run target` means, None if it is not in the tree.

        Parameters
        ----------
        importer : str
            The file it stands in.
        target : str
            The name as written, with its suffix or without.
        """
        if not target.startswith("/"):
            folder = posixpath.dirname(self._from_top(importer))
            return self._script(posixpath.normpath(posixpath.join(folder, target)))
        # from the top of a workspace, of which the tree is some part
        parts = target.strip("/").split("/")
        tails = ("/".join(parts[start:]) for start in range(len(parts)))
        found = next((p for tail in tails if (p := self._script(tail)) is not None), None)
        return None if found is None else ModulePlace(found.path, sure=False)

    def _script(self, path: str) -> ModulePlace | None:
        for file in (path, f"{path}.ipynb", f"{path}.py"):
            if file in self.notebooks:
                return ModulePlace(file)
            if file in self.files:
                return ModulePlace(module_path(file))
        return None

    def _below(self, bases: list[str], root: str, dotted: str) -> ModulePlace | None:
        # a folder without __init__.py comes last on the search path
        for base in [b for b in bases if self.file(_join(b, root)) is not None] or bases:
            if self.exists(_join(base, root)):
                path = _join(base, dotted)
                return ModulePlace(path) if self.exists(path) else None
        return None

    def _anywhere(self, importer: str, root: str, dotted: str) -> ModulePlace | None:
        """Return the only module whose path ends so: the search path may be set elsewhere."""
        if root in sys.stdlib_module_names:
            return None
        suffix = dotted.replace(".", "/")
        named = self._by_name.get(posixpath.basename(suffix), ())
        found = [
            p
            for p in named
            if p.endswith(f"/{suffix}")
            and (file := self.file(p)) is not None
            and self._related(importer, file)
        ]
        return ModulePlace(found[0], sure=False) if len(found) == 1 else None


def module_path(file: str) -> str:
    """Return the path of the module that a file is."""
    stem = file.removesuffix(".py")
    return posixpath.dirname(file) if posixpath.basename(stem) == "__init__" else stem


def _bases(folder: str) -> Iterator[str]:
    """Yield folders on the search path that a script may have: its own, then those around it."""
    while True:
        yield folder
        yield from (_join(folder, name) for name in _SOURCE_FOLDERS)
        above = posixpath.dirname(folder)
        # the top of a tree, or of the system
        if above == folder:
            return
        folder = above


def _join(folder: str, dotted: str) -> str:
    rest = dotted.replace(".", "/")
    if not rest:
        return folder
    return f"{folder}/{rest}" if folder else rest
