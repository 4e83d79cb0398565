"""Functions and constants of a job that its result does not use."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from ..program.modules import SourceModule
from ..unfold.edits import with_edits, without


def without_unused(text: str, before: SourceModule) -> str:
    """Return a result without the functions and constants that only the replaced code used.

    What has a comment, or was not used before either, stays.
    """
    was_used = _loaded_names(before.first or before.tree)
    after = SourceModule(text, ast.parse(text))
    while gone := _unused_statements(after, was_used):
        after = with_edits(after, [without(after, gone[-1])])
    return after.text if text.endswith("\n") else after.text.removesuffix("\n")


def _unused_statements(after: SourceModule, was_used: set[str]) -> list[ast.stmt]:
    """Return the statements of a result that define what nothing uses any more."""
    unused = was_used - _loaded_names(after.tree)
    found = [*after.tree.body, *_functions_in_blocks(after.tree)]
    return [e for e in found if _name(e) in unused and not _has_comment(after, e)]


def _functions_in_blocks(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the functions in functions and branches that are not all that is there."""
    for block in ast.walk(tree):
        if isinstance(block, ast.FunctionDef | ast.If) and len(block.body) > 1:
            yield from (each for each in block.body if isinstance(each, ast.FunctionDef))


def _name(statement: ast.stmt) -> str | None:
    """Return what a statement defines, if leaving it out changes nothing else."""
    match statement:
        case ast.FunctionDef(name=name, decorator_list=[]):
            return None if statement.args.defaults or statement.args.kw_defaults else name
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            if _is_named_tuple(value):
                return name
            try:
                ast.literal_eval(value)
            except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
                return None
            return name
    return None


def _is_named_tuple(value: ast.expr) -> TypeGuard[ast.Call]:
    """Return whether an expression makes a class of named tuples."""
    match value:
        case ast.Call(func=ast.Name(id="namedtuple"), args=[ast.Constant(), fields], keywords=[]):
            return isinstance(fields, ast.Name | ast.Constant | ast.Tuple | ast.List)
    return False


def _loaded_names(tree: ast.Module) -> set[str]:
    """Return all names that are read, also as texts as in `globals()["x"]` and ``__all__``."""
    names = set()
    own = {
        node.value.args[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_named_tuple(node.value)
    }
    for node in ast.walk(tree):
        if node in own:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            names.update(node.names)
    return names


def _has_comment(module: SourceModule, statement: ast.stmt) -> bool:
    last = statement.end_lineno or statement.lineno
    return bool(module.comments_in(module.above(statement.lineno), last))
