"""Where names of a module are bound, and whether that always happens."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrator.infer.program import Scope


def unconditional(node: ast.stmt, scope: Scope) -> bool:
    """Return whether a statement stands directly in the body of a scope, so that it always runs."""
    return not isinstance(scope.node, ast.Lambda) and node in scope.node.body


def binds_elsewhere(nodes: Iterable[ast.AST], name: str) -> int | None:
    """Return the line where a name is bound by anything but
    an import of the module of that name.
    """
    for node in nodes:
        match node:
            case ast.Name(id=found, ctx=ast.Store() | ast.Del()) if found == name:
                return node.lineno
            case ast.FunctionDef(name=found) | ast.ClassDef(name=found) if found == name:
                return node.lineno
            case ast.arg(arg=found) if found == name:
                return node.lineno
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                for alias in aliases:
                    if (alias.asname or "") == name and alias.name != name:
                        return node.lineno
    return None
