"""Where imports of a result may stand: before all that uses their names."""

from __future__ import annotations

import ast
import math
from collections.abc import Collection, Iterator

from ..program.modules import SourceModule

Import = ast.Import | ast.ImportFrom
_FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def all_imports(tree: ast.Module) -> list[Import]:
    """Return the imports of a module, also those inside of other code, by line."""
    found = [node for node in ast.walk(tree) if isinstance(node, Import)]
    return sorted(found, key=lambda node: node.lineno)


def last_import(tree: ast.Module, names: Collection[str] = ()) -> int:
    """Return the last line of imports at the top, or the docstring, before a use of names."""
    last, end = 0, _first_use(tree, names)
    for node in tree.body:
        text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if node.lineno < end and (isinstance(node, Import) or (text and not last)):
            last = node.end_lineno or node.lineno
    return last


def is_in_time(module: SourceModule, node: Import, names: Collection[str]) -> bool:
    """Return whether names that are imported at the place of a node are there where they are used.

    Parameters
    ----------
    module : SourceModule
        The result so far.
    names : collection of str
        What it is to import.
    """
    around = _scope(module, node)
    if isinstance(around, ast.Module):
        return node.lineno < _first_use(module.tree, names)
    inside = {each for each in _uses(around, names) if each.lineno > node.lineno}
    return isinstance(around, _FUNCTIONS) and {*_uses(module.tree, names)} == inside


def _scope(module: SourceModule, node: ast.AST) -> ast.AST:
    """Return the function, class or module around an import."""
    scopes = _FUNCTIONS | ast.ClassDef | ast.Module
    return next(each for each in module.around(node) if isinstance(each, scopes))


def follows_other_code(module: SourceModule, node: Import) -> bool:
    """Return whether a function does something before an import in it, such as setting a path."""
    around = _scope(module, node)
    if not isinstance(around, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    return any(
        each.lineno < node.lineno
        and not isinstance(each, Import | ast.FunctionDef)
        and not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
        for each in around.body
    )


def _uses(tree: ast.AST, names: Collection[str]) -> Iterator[ast.Name]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            yield node


def _first_use(tree: ast.Module, names: Collection[str]) -> float:
    """Return the line of the first use that is run when the module is; functions run later."""
    found = math.inf
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name) and node.id in names:
            found = min(found, node.lineno)
        body = node.body if isinstance(node, _FUNCTIONS) else []
        later = body if isinstance(body, list) else [body]
        waiting.extend(each for each in ast.iter_child_nodes(node) if each not in later)
    return found
