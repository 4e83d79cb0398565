"""Decides whether streams, contexts or RDDs pass between a module and others."""

from __future__ import annotations

from collections.abc import Iterator

from migrator.infer.attributes import api_instance
from migrator.infer.containers import atoms_within
from migrator.infer.program import Program
from migrator.infer.values import Atom, Function, LocalClass, LocalObj, Obj, Ref, Value
from migrator.spark import api
from migrator.spark.kinds import STREAMING


def works_with_streams(program: Program) -> bool:
    """Return whether the module works with streams, or is given the RDD of a batch by others.

    A base class of a class that does works with them too.
    """
    if any(c.program.full for i in program.classes.values() for c in i.descendants()):
        return True
    given = [v for info in program.functions.values() for v in info.params.values()]
    given += [v for info in program.classes.values() for v in info.attrs.values()]
    if any(isinstance(a, Obj) and (a.kind in STREAMING or a.tag) for a in atoms_within(given)):
        return True
    seen = (a for value in program.facts.values.values() for a in value.atoms)
    return any(isinstance(a, Obj) and a.kind in STREAMING for a in seen)


def exports_streams(program: Program) -> bool:
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


def reexported_modules(program: Program) -> Iterator[str]:
    """Yield modules that matter because others ask for what this one has from them."""
    for name in sorted(program.demanded):
        yield from program.imported.get(name, ())
        yield from program.imported.get("*", ())
        for atom in program.module.bound.get(name, Value(frozenset())).ordered():
            if isinstance(atom, LocalClass | LocalObj) and atom.info.node.bases:
                yield from program.imports
