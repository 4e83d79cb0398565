"""Which files of a tree import which, read from their text.

This only decides what is inferred together, so it may find too much (an import in a comment) but
should not find too little; inference follows the real import statements.

Decision 0020: Inference looks at the modules that matter, together.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator

from migrator.model.locate import ModuleIndex

# lines of notebooks are JSON strings: a quote ends them
_IMPORT = re.compile(
    rb"""\bfrom\s+(?P<module>\.*[\w.]*)\s+import\s*(?P<names>\([^)]*\)|(?:[^\n;\#"\\]|\\\r?\n)*)
    |\bimport\s+(?P<modules>[\w., \t]+)
    |\b(?:import_module|__import__)\(\s*[rfRF]?["'](?P<dynamic>[\w.]+)
    |%run[ \t]+(?:-\w[ \t]+)*(?:\\?["'](?P<quoted>[^"'\\\n]+)|(?P<run>[^\s"'\\]+))""",
    re.VERBOSE,
)
_WORD = re.compile(rb"\w+")


class ImportGraph:
    """The imports between the files of a tree, read when they are asked for.

    Parameters
    ----------
    files : iterable of str
        The Python files and notebooks of the tree.
    read : callable
        Returns the bytes of a file, empty if it cannot be read.
    """

    def __init__(
        self, index: ModuleIndex, files: Iterable[str], read: Callable[[str], bytes]
    ) -> None:
        self.index = index
        self._read = read
        self._files = tuple(files)
        self._imports: dict[str, frozenset[str]] = {}
        self._importers: dict[str, list[str]] | None = None

    def imports(self, file: str) -> frozenset[str]:
        """Return the files that a file imports."""
        files = self._imports.get(file)
        if files is None:
            files = frozenset(self._imported_files(file, self._read(file))) - {file}
            self._imports[file] = files
        return files

    def importers(self, file: str) -> list[str]:
        """Return the files that import a file."""
        if self._importers is None:
            self._importers = {}
            for importer in self._files:
                for target in self.imports(importer):
                    self._importers.setdefault(target, []).append(importer)
        return self._importers.get(file, [])

    def groups(self, files: Iterable[str]) -> Iterator[list[str]]:
        """Yield files of which some import others, directly or not, in order of their first."""
        left = dict.fromkeys(files)
        while left:
            first = next(iter(left))
            if len(left) == 1:
                yield [first]
                return
            seen = {first}
            pending = [first]
            while pending:
                file = pending.pop()
                new = (self.imports(file) | set(self.importers(file))) - seen
                seen |= new
                pending.extend(new)
            group = [file for file in left if file in seen]
            for file in group:
                del left[file]
            yield group

    def _imported_files(self, file: str, data: bytes) -> Iterator[str]:
        for match in _IMPORT.finditer(data):
            for path in self._paths(file, match):
                yield from self._files_of(path)

    def _paths(self, file: str, match: re.Match[bytes]) -> Iterator[str]:
        if match["modules"] is not None:
            for part in match["modules"].split(b","):
                name = part.split()[0] if part.split() else b""
                yield from self._path(file, 0, name)
        elif match["dynamic"] is not None:
            prefix = match["dynamic"]
            for path in self._path(file, 0, prefix.rstrip(b".")):
                yield path
                if prefix.endswith(b"."):
                    yield from self.index.children(path)
        elif (target := match["run"] or match["quoted"]) is not None:
            place = self.index.script(file, target.decode("utf-8", "replace"))
            if place is not None:
                yield place.path
        else:
            module = match["module"]
            dotted = module.lstrip(b".")
            for path in self._path(file, len(module) - len(dotted), dotted):
                yield path
                for word in _WORD.findall(match["names"]):
                    child = self.index.child(path, word.decode("ascii", "replace"))
                    if child is not None:
                        yield child

    def _path(self, file: str, level: int, dotted: bytes) -> Iterator[str]:
        place = self.index.find(file, level, dotted.decode("ascii", "replace").strip("."))
        if place is not None:
            yield place.path

    def _files_of(self, path: str) -> Iterator[str]:
        """Yield the file of a module and those of the packages around it."""
        file = self.index.file(path)
        if file is not None:
            yield file
        while path:
            path = posixpath.dirname(path)
            file = self.index.file(path)
            if file is None:
                return
            yield file
