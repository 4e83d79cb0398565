"""Imports that rewritten dotted paths need and the program does not have."""

from __future__ import annotations

import ast

from migrator.edit.dotted_paths import Binding, Reference
from migrator.edit.edits import Edits
from migrator.edit.name_uses import unconditional
from migrator.infer.program import Program
from migrator.infer.scopes import bound_name, imported_module
from migrator.source.python import Unit
from migrator.spark import api, names


def add_missing(
    unit: Unit,
    program: Program,
    edits: Edits,
    references: list[Reference],
    served: set[Binding],
) -> None:
    """Add imports of dstream_compat behind those of `pyspark` that a path goes through.

    Parameters
    ----------
    references : list of Reference
        The paths that are rewritten.
    served : set of Binding
        The bindings whose own import becomes one of dstream_compat.
    """
    imports = [n for n in unit.nodes() if isinstance(n, ast.Import | ast.ImportFrom)]
    for (scope, name), modules in _wanted(
        unit, program, edits, imports, references, served
    ).items():
        places = [n for n in imports if program.facts.scopes.get(n) is scope and name in _bound(n)]
        first = next((n for n in places if unconditional(n, scope)), None)
        extra = [m for m in sorted(modules) if m != api.COMPAT]
        for node in [first] if first is not None else places:
            ours = any(api.in_streaming(a.name) and a.asname is None for a in node.names)
            new = extra if ours else extra or modules
            if new:
                edits.statement(node).after += [(m, None) for m in new]


def _bound(node: ast.Import | ast.ImportFrom) -> set[str]:
    """Return the names that an import binds to a package."""
    of_package = isinstance(node, ast.Import) or imported_module(node) == "pyspark"
    return {bound_name(alias) for alias in node.names} if of_package else set()


def _wanted(
    unit: Unit,
    program: Program,
    edits: Edits,
    imports: list[ast.Import | ast.ImportFrom],
    references: list[Reference],
    served: set[Binding],
) -> dict[Binding, list[str]]:
    """Return the modules to import for each binding."""
    loaded = _loaded(unit, program, edits, imports)
    wanted: dict[Binding, list[str]] = {}
    for reference in references:
        binding, needed = reference.binding, reference.module
        there = needed in loaded or needed.rpartition(".")[2] not in names.EXPLICIT
        if reference.through_alias and there:
            continue
        if there:
            # the package is enough, and bound already where an import of it takes this place
            needed = "" if binding in served else api.COMPAT
        modules = wanted.setdefault(binding, [])
        if needed and needed not in modules:
            modules.append(needed)
    return wanted


def _loaded(
    unit: Unit, program: Program, edits: Edits, imports: list[ast.Import | ast.ImportFrom]
) -> set[str]:
    """Return modules of dstream_compat that the edited program will always have imported."""
    found: set[str] = set()
    module = program.scopes[unit.tree]
    for node in imports:
        if not unconditional(node, module):
            continue
        paths = [a.name for a in node.names]
        if isinstance(node, ast.ImportFrom):
            paths = [imported_module(node)]
        for path in paths:
            moves = node in edits.statements and api.in_streaming(path)
            if moves or path.startswith(api.COMPAT):
                found.add(api.COMPAT + api.canonical(path)[len(api.ROOT) :])
    return found
