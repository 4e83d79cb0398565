"""Where names of a module are bound, and whether that always happens."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrator.infer.program import Scope
from migrator.infer.scopes import bindings


def unconditional(node: ast.stmt, scope: Scope) -> bool:
    """Return whether a statement stands directly in the body of a scope, so that it always runs."""
    return not isinstance(scope.node, ast.Lambda) and node in scope.node.body


def binds_elsewhere(nodes: Iterable[ast.AST], name: str) -> int | None:
    """Return the line where anything but an import of the module of that name binds a name."""
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found = any(each.asname == name != each.name for each in node.names)
        else:
            found = name in bindings(node)
        if found:
            return getattr(node, "lineno", 1)
    return None
