"""Finds the modules of the tree that reach a package through another module that imports it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.edit.dotted_paths import Binding
from migrator.edit.escapes import escaping_uses
from migrator.edit.importers import (
    OtherModule,
    gets_every_name,
    imported_names,
    planned_module,
    users,
)
from migrator.infer.program import Program
from migrator.infer.scopes import bound_name
from migrator.source.python import Unit


def use_in_other_module(
    unit: Unit, program: Program, binding: Binding
) -> tuple[int | None, str] | None:
    """Return how another module reads `.streaming` of a package
    that this one imports, or hands it on.

    Returns
    -------
    tuple[int | None, str] | None
        No line (it is in another file) and what is done there, None if nothing is.
    """
    scope, name = binding
    if scope is not program.module:
        return None
    seen = {program.path}
    pending = [planned_module(unit, program)]
    while pending:
        target = pending.pop(0)
        for other in users(target, name):
            if other.file in seen:
                continue
            seen.add(other.file)
            line = min(_lines(other, target, name), default=None)
            if line is not None:
                at = other.unit.spot(line, 0)
                place = f"line {at.line}" if at.cell is None else f"cell {at.cell}, line {at.line}"
                return None, f"`{name}` of this module is used in {other.file}, {place}"
            if _passes_on(other, target, name):
                pending.append(other)
    return None


def _passes_on(other: OtherModule, target: OtherModule, name: str) -> bool:
    return gets_every_name(other, target, name) or any(
        alias.name == name and alias.asname is None for alias in imported_names(other, target)
    )


def _lines(other: OtherModule, target: OtherModule, name: str) -> Iterator[int]:
    """Yield the lines where a module uses a package that it has from another."""
    known = {a.asname or a.name for a in imported_names(other, target) if a.name == name}
    if gets_every_name(other, target, name) and not _imports(other, name):
        known.add(name)
    for node in other.unit.nodes():
        match node:
            case ast.Attribute(attr="streaming", value=ast.Attribute(attr=attr)) if attr == name:
                yield node.lineno
            case ast.Attribute(attr="streaming", value=ast.Name(id=root)) if root in known:
                yield node.lineno
            case _:
                continue
    program = other.project.programs.get(other.file)
    scopes = []
    if program is not None:
        nodes = (n for n in other.unit.nodes() if isinstance(n, ast.ImportFrom))
        found = (program.facts.scopes.get(node) for node in nodes)
        scopes = [program.module, *(scope for scope in found if scope is not None)]
    for use in escaping_uses(other.unit, program, dict.fromkeys(known, scopes)):
        yield use.lineno


def _imports(other: OtherModule, name: str) -> bool:
    """Return whether a module has an import of its own for a name."""
    imports = (n for n in other.unit.nodes() if isinstance(n, ast.Import))
    return any(bound_name(alias) == name for node in imports for alias in node.names)
