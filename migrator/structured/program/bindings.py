"""Which names a piece of code uses."""

from __future__ import annotations

import ast


def names_of(code: ast.AST) -> set[str]:
    """Return the names that occur in some code."""
    return {node.id for node in ast.walk(code) if isinstance(node, ast.Name)}


def uses(code: ast.AST, name: str) -> list[ast.Name]:
    """Return the nodes of a name in some code."""
    return [node for node in ast.walk(code) if isinstance(node, ast.Name) and node.id == name]


def loads(code: ast.AST, name: str) -> list[ast.Name]:
    """Return where some code reads a name."""
    return [use for use in uses(code, name) if isinstance(use.ctx, ast.Load)]


def stores(code: ast.AST, name: str) -> list[ast.Name]:
    """Return where some code assigns or deletes a name."""
    return [use for use in uses(code, name) if not isinstance(use.ctx, ast.Load)]


def own_nodes(node: ast.AST) -> list[ast.AST]:
    """Return a node and its parts, without functions inside."""
    nodes = [node]
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            nodes.extend(own_nodes(child))
    return nodes
