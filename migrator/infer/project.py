"""The modules of a tree as one program: which of them matter, and what is known of them.

Modules with DStream code come first. What they import, and who imports them, is added as long as
streams, contexts or RDDs get there. A module is run again when something that it looked into has
changed; all that is remembered only grows, and every module has a limit of runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from migrator.infer.engine import World, open_parameters, run_module
from migrator.infer.locate import ModuleIndex
from migrator.infer.program import Facts, Program
from migrator.infer.scopes import scope_of
from migrator.infer.spread import exports_streams, passed_on, works_with_streams
from migrator.source.python import Unit

MAX_RUNS = 60
# beyond this, what else could be pulled in stays unknown
MAX_ADDED = 1000


@dataclass(eq=False)
class Project:
    """Everything known while the modules of a tree are run.

    index: where imports lead. load: reads a module by its file, or None if it cannot be read.
    importers: the files that import a file; users: the same with files around that are not looked
    at, the importers if not given. sealed: whether what is not defined by now never is.
    patched: names of Spark's classes that some module sets.
    """

    index: ModuleIndex
    load: Callable[[str], Unit | None]
    importers: Callable[[str], Iterable[str]]
    users: Callable[[str], Iterable[str]] | None = None
    programs: dict[str, Program] = field(default_factory=dict)
    failed: set[str] = field(default_factory=set)
    patched: set[tuple[str, str]] = field(default_factory=set)
    sealed: bool = False
    converged: bool = True
    count: int = 0
    added: int = 0

    def next_index(self) -> int:
        """A number for a function or class, which orders them."""
        self.count += 1
        return self.count

    def program(self, path: str) -> Program | None:
        """The module at a path, if it has been added."""
        file = self.index.file(path)
        return None if file is None else self.programs.get(file)

    def add(self, file: str, unit: Unit, full: bool) -> Program:
        """Adds a module that has been read; full if all its functions are of interest."""
        program = Program(unit.tree, self, file, unit, full=full)
        scope_of(program, program.tree, None)
        self.programs[file] = program
        program.changed = True
        return program

    def _load(self, files: Iterable[str], full: bool) -> bool:
        """Reads and adds modules; whether there were new ones."""
        news = False
        for file in files:
            if self.added >= MAX_ADDED:
                break
            if file not in self.programs and file not in self.failed:
                self.added += 1
                unit = self.load(file)
                if unit is None:
                    self.failed.add(file)
                else:
                    self.add(file, unit, full)
                    news = True
        if news:
            self._retry()
        return news

    def _retry(self) -> None:
        """What modules missed may be known now."""
        for program in self.programs.values():
            program.changed = program.changed or program.missing

    def infer(self) -> None:
        """Runs all modules, adds those that matter, and goes on until nothing new is learnt."""
        self._settle()
        while self._spread():
            self._settle()
        self.sealed = True
        self._retry()
        self._settle()
        for world in (World.OPEN, World.REST):
            while self._open(world):
                self._settle()
                while self._spread():
                    self._settle()
        for program in self.programs.values():
            program.facts.converged = self.converged

    def _settle(self) -> None:
        """Runs modules until none has changed."""
        while True:
            changed = [p for p in self.programs.values() if p.changed]
            if not changed:
                return
            for program in changed:
                program.changed = False
                if program.runs >= MAX_RUNS:
                    self.converged = False
                    continue
                program.missing = False
                _run(program)

    def _spread(self) -> bool:
        """Adds the modules next to those with DStream code; whether that was news."""
        news = False
        for program in self.programs.values():
            if not program.full and works_with_streams(program):
                program.full = program.changed = news = True
        imported: dict[str, None] = {}
        importers: dict[str, None] = {}
        for file, program in self.programs.items():
            imported |= program.imports if program.full else dict.fromkeys(passed_on(program))
            if program.full and exports_streams(program):
                importers |= dict.fromkeys(self.importers(file))
        news |= self._load(importers, True)
        files = [f for path in imported if (f := self.index.file(path)) is not None]
        return self._load(files, False) or news

    def _open(self, world: World) -> bool:
        for program in self.programs.values():
            for info in program.functions.values():
                open_parameters(program, info, world)
        return any(program.changed for program in self.programs.values())


def _run(program: Program) -> None:
    program.runs += 1
    program.reads = set()
    program.facts = Facts(patched=program.project.patched)
    run_module(program)


def alone(unit: Unit, path: str = "") -> Program:
    """What is known of a module without any other.

    Parameters: unit, the parsed source; path, its file.
    Returns: the module, whose `facts` describe the nodes of its tree.
    """
    project = Project(ModuleIndex(()), lambda file: None, lambda file: ())
    program = project.add(path, unit, True)
    project.infer()
    return program


def again(unit: Unit, before: Program) -> Program:
    """What is known of a new version of a module whose project is known already."""
    project = before.project
    program = Program(unit.tree, project, before.path, unit, full=True)
    scope_of(program, unit.tree, None)
    program.changed = True
    project.programs[before.path] = program
    while program.changed and program.runs < MAX_RUNS:
        program.changed = False
        _run(program)
    project.programs[before.path] = before
    return program
