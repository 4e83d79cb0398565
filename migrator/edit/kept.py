"""Whether an import that moves has to leave one of `pyspark` itself behind."""

from __future__ import annotations

import ast

from migrator.edit.bindings import unconditional
from migrator.edit.outside import as_other, users
from migrator.edit.parts import ImportPart
from migrator.edit.references import Binding, Reference
from migrator.edit.texts import lines_named
from migrator.infer import api
from migrator.infer.program import Program
from migrator.source.python import Unit


def still_needed(
    unit: Unit,
    program: Program,
    part: ImportPart,
    nodes: list[ast.Import | ast.ImportFrom],
    found: list[Reference],
    has_pyspark: set[Binding],
) -> bool:
    """Whether `pyspark` itself is used, here or by other modules, and nothing else imports it.

    Parameters: part, the import that moves; nodes, all imports of the unit; found, the paths that
    go through a module; has_pyspark, the bindings for which one has been left already.
    """
    scope, name = part.binding
    moves = {r.root for r in found}
    used = [
        n.lineno
        for n in unit.nodes()
        if (isinstance(n, ast.Name) and n.id == name and n not in moves)
        # perhaps in `__all__`
        or (isinstance(n, ast.Constant) and n.value == name)
    ]
    used += lines_named(unit, name)
    if part.binding in has_pyspark or not (used or _seen(unit, program, part.binding)):
        return False
    first = min(used, default=None)
    for node in nodes:
        if not isinstance(node, ast.Import) or program.facts.scopes.get(node) is not scope:
            continue
        for index, alias in enumerate(node.names):
            binds = alias.asname is None and alias.name.partition(".")[0] == name
            ours = api.in_streaming(alias.name)
            here = node is part.node and index == part.index
            in_time = (first is None or node.lineno <= first) and unconditional(node, scope)
            if binds and not ours and not here and in_time:
                return False
            if binds and ours and node is part.node and index < part.index:
                return False
    return True


def _seen(unit: Unit, program: Program, binding: Binding) -> bool:
    """Whether other modules of the tree get at a name."""
    scope, name = binding
    if scope is not program.module:
        return False
    # inference also follows names that are made at run time
    return name in program.demanded or bool(users(as_other(unit, program), name))
