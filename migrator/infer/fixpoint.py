"""Runs the modules of a tree until nothing new is learnt about any of them.

Modules with DStream code come first. What they import, and who imports them, is added as long as
streams, contexts or RDDs get there. A module is run again when something that it looked into has
changed; all that is remembered only grows, and every module has a limit of runs.

Decision 0035: Inference records what it reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from migrator.infer.attributes import api_instance
from migrator.infer.engine import open_parameters, run_module
from migrator.infer.program import Facts, Program, Project
from migrator.infer.scopes import scope_of
from migrator.infer.values import (
    Atom,
    Function,
    LocalClass,
    LocalObj,
    Obj,
    Ref,
    Value,
    atoms_within,
)
from migrator.model.locate import ModuleIndex
from migrator.source.python import Unit
from migrator.spark import api
from migrator.spark.kinds import STREAMING

MAX_RUNS = 60
# beyond this, what else could be pulled in stays unknown
MAX_ADDED = 1000


def add_module(project: Project, file: str, unit: Unit, full: bool) -> Program:
    """Add a module that has been read; in full if all its functions are of interest."""
    program = Program(unit.tree, project, file, unit, full=full)
    scope_of(program, program.tree, None)
    project.programs[file] = program
    program.changed = True
    return program


def _load(project: Project, files: Iterable[str], full: bool) -> bool:
    """Read and add modules; return whether there were new ones."""
    news = False
    for file in files:
        if project.added >= MAX_ADDED:
            break
        if file not in project.programs and file not in project.failed:
            project.added += 1
            unit = project.load(file)
            if unit is None:
                project.failed.add(file)
            else:
                add_module(project, file, unit, full)
                news = True
    if news:
        _retry(project)
    return news


def _retry(project: Project) -> None:
    """Mark modules to run again that met something not defined yet."""
    for program in project.programs.values():
        program.changed = program.changed or program.missing


def infer(project: Project) -> None:
    """Run all modules, add those that matter, and go on until nothing new is learnt."""
    _settle(project)
    while _add_neighbours(project):
        _settle(project)
    project.sealed = True
    _retry(project)
    _settle(project)
    for all_left in (False, True):
        while _open(project, all_left):
            _settle(project)
            while _add_neighbours(project):
                _settle(project)
    for program in project.programs.values():
        program.facts.converged = project.converged


def _settle(project: Project) -> None:
    """Run modules until none has changed."""
    while True:
        changed = [p for p in project.programs.values() if p.changed]
        if not changed:
            return
        for program in changed:
            program.changed = False
            if program.runs >= MAX_RUNS:
                project.converged = False
                continue
            program.missing = False
            _run(program)


def _add_neighbours(project: Project) -> bool:
    """Add the modules next to those with DStream code; return whether that was news."""
    news = False
    for program in project.programs.values():
        if not program.full and _works_with_streams(program):
            program.full = program.changed = news = True
    imported: dict[str, None] = {}
    importers: dict[str, None] = {}
    for file, program in project.programs.items():
        imported |= program.imports if program.full else dict.fromkeys(_reexported_modules(program))
        if program.full and _exports_streams(program):
            importers |= dict.fromkeys(project.importers(file))
    news |= _load(project, importers, True)
    files = [f for path in imported if (f := project.index.file(path)) is not None]
    return _load(project, files, False) or news


def _open(project: Project, all_left: bool) -> bool:
    for program in project.programs.values():
        for info in program.functions.values():
            open_parameters(program, info, all_left)
    return any(program.changed for program in project.programs.values())


def _run(program: Program) -> None:
    program.runs += 1
    program.reads = set()
    program.facts = Facts(patched=program.project.patched)
    run_module(program)


def infer_alone(unit: Unit, path: str = "", has_shell: bool = False) -> Program:
    """Infer a module without any other; the `facts` of the result describe the nodes of its tree.

    Parameters
    ----------
    has_shell : bool
        Whether names that nothing defines, such as `sc`, are certainly those of a shell.
    """
    project = Project(ModuleIndex(()), lambda file: None, lambda file: (), has_shell=has_shell)
    program = add_module(project, path, unit, True)
    infer(project)
    return program


def infer_again(unit: Unit, before: Program) -> Program:
    """Infer a new version of a module of a project that has been inferred."""
    project = before.project
    program = Program(unit.tree, project, before.path, unit, full=True)
    scope_of(program, unit.tree, None)
    program.changed = True
    project.programs[before.path] = program
    while program.changed and program.runs < MAX_RUNS:
        program.changed = False
        _run(program)
    program.facts.converged = project.converged and not program.changed
    project.programs[before.path] = before
    return program


def _works_with_streams(program: Program) -> bool:
    """Return whether the module works with streams, or is given the RDD of a batch by others.

    A base class of a class that does works with them too.
    """
    if any(c.program.full for i in program.classes.values() for c in i.descendants()):
        return True
    parameter_values = [v for info in program.functions.values() for v in info.params.values()]
    parameter_values += [v for info in program.classes.values() for v in info.attrs.values()]
    if any(
        isinstance(a, Obj) and (a.kind in STREAMING or a.tag)
        for a in atoms_within(parameter_values)
    ):
        return True
    seen = (a for value in program.facts.values.values() for a in value.atoms)
    return any(isinstance(a, Obj) and a.kind in STREAMING for a in seen)


def _exports_streams(program: Program) -> bool:
    """Return whether who imports the module may get a stream or context, or gives one to it."""
    if _has_streams(program):
        return True
    atoms = atoms_within(program.module.bound.values())
    others = {a.info.program for a in atoms if isinstance(a, Function | LocalClass | LocalObj)} - {
        program
    }
    return any(_has_streams(other) for other in others)


def _has_streams(program: Program) -> bool:
    """Return whether names, functions or classes of a module deal with streams or contexts."""
    values = list(program.module.bound.values())
    for function in program.functions.values():
        values += [function.result, *function.params.values()]
    for info in program.classes.values():
        values += info.attrs.values()
        if api_instance(info) is not None:
            return True
    return any(_is_streaming(atom) for atom in atoms_within(values))


def _is_streaming(atom: Atom) -> bool:
    if isinstance(atom, Obj):
        return atom.kind in STREAMING
    return isinstance(atom, Ref) and api.in_streaming(api.canonical(atom.path))


def _reexported_modules(program: Program) -> Iterator[str]:
    """Yield modules that matter because others ask for what this one has from them."""
    for name in sorted(program.demanded):
        yield from program.imported.get(name, ())
        yield from program.imported.get("*", ())
        for atom in program.module.bound.get(name, Value(frozenset())).sorted_atoms():
            if isinstance(atom, LocalClass | LocalObj) and atom.info.node.bases:
                yield from program.imports
