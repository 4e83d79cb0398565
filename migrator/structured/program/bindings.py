"""Which names a piece of code uses."""

from __future__ import annotations

import ast


def names_of(code: ast.AST) -> set[str]:
    """Return the names that occur in some code."""
    return {each.id for each in ast.walk(code) if isinstance(each, ast.Name)}


def uses(code: ast.AST, name: str) -> list[ast.Name]:
    """Return the nodes of a name in some code."""
    return [each for each in ast.walk(code) if isinstance(each, ast.Name) and each.id == name]


def loads(code: ast.AST, name: str) -> list[ast.Name]:
    """Return where some code reads a name."""
    return [each for each in uses(code, name) if isinstance(each.ctx, ast.Load)]


def stores(code: ast.AST, name: str) -> list[ast.Name]:
    """Return where some code assigns or deletes a name."""
    return [each for each in uses(code, name) if not isinstance(each.ctx, ast.Load)]
