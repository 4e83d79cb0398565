"""Decides whether `import pyspark` has to stay when `import pyspark.streaming` moves."""

from __future__ import annotations

import ast

from migrator.edit.dotted_paths import Binding, Reference
from migrator.edit.evaluated_text import quoted_lines
from migrator.edit.import_bindings import ImportPart
from migrator.edit.importers import planned_module, users
from migrator.edit.name_uses import unconditional
from migrator.infer.program import Program
from migrator.source.python import Unit
from migrator.spark import api


def pyspark_stays(
    unit: Unit,
    program: Program,
    part: ImportPart,
    nodes: list[ast.Import | ast.ImportFrom],
    found: list[Reference],
    has_pyspark: set[Binding],
) -> bool:
    """Return whether `pyspark` itself is used, here or by other
    modules, and nothing else imports it.

    Parameters
    ----------
    unit, program : Unit, Program
        The parsed source and what inference knows about it.
    part : ImportPart
        The import that moves.
    nodes : list of Import or ImportFrom
        All imports of the unit.
    found : list of Reference
        The dotted paths that go through a module.
    has_pyspark : set of Binding
        The bindings for which an import of `pyspark` stays already.
    """
    if part.binding in has_pyspark:
        return False
    used = _lines_used(unit, part.binding[1], {r.root for r in found})
    if not used and not _seen(unit, program, part.binding):
        return False
    first = min(used, default=None)
    return not any(
        _binds_pyspark(node, index, part, first)
        for node in nodes
        if isinstance(node, ast.Import) and program.facts.scopes.get(node) is part.binding[0]
        for index in range(len(node.names))
    )


def _lines_used(unit: Unit, name: str, moves: set[ast.Name]) -> list[int]:
    """Return the lines that use a name, other than in the dotted paths that move."""
    used = [
        node.lineno
        for node in unit.nodes()
        if (isinstance(node, ast.Name) and node.id == name and node not in moves)
        # perhaps in `__all__`
        or (isinstance(node, ast.Constant) and node.value == name)
    ]
    return [*used, *quoted_lines(unit, name)]


def _binds_pyspark(node: ast.Import, index: int, part: ImportPart, first: int | None) -> bool:
    """Return whether another import binds the name of a part before the line that needs it."""
    scope, name = part.binding
    alias = node.names[index]
    if alias.asname is not None or alias.name.partition(".")[0] != name:
        return False
    same_node = node is part.node
    if api.in_streaming(alias.name):
        # an import of the same statement has been left as `pyspark` already
        return same_node and index < part.index
    if same_node and index == part.index:
        return False
    return (first is None or node.lineno <= first) and unconditional(node, scope)


def _seen(unit: Unit, program: Program, binding: Binding) -> bool:
    """Return whether other modules of the tree get at a name."""
    scope, name = binding
    if scope is not program.module:
        return False
    # inference also follows names that are made at run time
    return name in program.demanded or bool(users(planned_module(unit, program), name))
