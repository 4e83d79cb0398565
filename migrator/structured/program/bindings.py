"""Which names a piece of code binds and uses."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.infer.scopes import names_bound_by


def bindings(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds itself, without those of the nodes in it."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
            yield name
        case _:
            yield from names_bound_by(node, {})


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


def imported(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> dict[str, str]:
    """Return the name that a part of an import binds, with its dotted path."""
    if isinstance(node, ast.Import):
        top = alias.name.partition(".")[0]
        return {alias.asname or top: alias.name if alias.asname else top}
    return {alias.asname or alias.name: f"{'.' * node.level}{node.module or ''}.{alias.name}"}
