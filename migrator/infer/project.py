"""The modules of a tree that are inferred together, and what is known across them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from migrator.model.locate import ModuleIndex

if TYPE_CHECKING:
    from migrator.infer.program import Program
    from migrator.source.python import Unit


@dataclass(eq=False)
class Project:
    """Everything known while the modules of a tree are run.

    Parameters
    ----------
    load : callable
        Reads a module by its file, or None if it cannot be read.
    importers : callable
        The files that import a file.
    users : callable, optional
        The same, including files around the tree that are only read; `importers` by default.
    sealed : bool
        Whether what is not defined by now never is.
    patched : set of (str, str)
        Names of Spark's classes that some module sets.
    has_shell : bool
        Whether the contexts and sessions that a shell gives are there for certain.
    """

    index: ModuleIndex
    load: Callable[[str], Unit | None]
    importers: Callable[[str], Iterable[str]]
    users: Callable[[str], Iterable[str]] | None = None
    programs: dict[str, Program] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    patched: set[tuple[str, str]] = field(default_factory=set)
    sealed: bool = False
    has_shell: bool = False
    converged: bool = True
    count: int = 0
    added: int = 0

    def next_index(self) -> int:
        """Return a number for a function or class, which orders them."""
        self.count += 1
        return self.count

    def program(self, path: str) -> Program | None:
        """Return the module at a path, if it has been added."""
        file = self.index.file(path)
        return None if file is None else self.programs.get(file)
