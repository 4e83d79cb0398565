"""Finds where a program takes another import."""

from __future__ import annotations

import ast


def import_place(tree: ast.Module) -> ast.stmt | None:
    """Return the statement that another import stands in front of: the first import, or the first
    statement behind the docstring and `__future__`.
    """
    body = [statement for statement in tree.body if not _is_head(statement)]
    first = next((s for s in body if isinstance(s, ast.Import | ast.ImportFrom)), None)
    return first or next(iter(body), None)


def first_line(statement: ast.stmt) -> int:
    """Return the line that a statement begins in, with its decorators."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min((statement.lineno, *(node.lineno for node in decorators)))


def _is_head(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring or an import from `__future__`."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom(module="__future__"):
            return True
    return False
