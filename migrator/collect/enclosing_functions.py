"""Which function each node of a unit stands in."""

from __future__ import annotations

import ast

from migrator.source.child_nodes import children
from migrator.source.python import Unit

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def enclosing_functions(unit: Unit) -> dict[ast.AST, ast.AST]:
    """Return the innermost function around each node; the module for what stands in none."""
    found: dict[ast.AST, ast.AST] = {}
    pending: list[tuple[ast.AST, ast.AST]] = [(unit.tree, unit.tree)]
    while pending:
        node, owner = pending.pop()
        for child in children(node):
            found[child] = owner
            pending.append((child, child if isinstance(child, _FUNCTIONS) else owner))
    return found
