"""Functions and constants of a job that its result does not use."""

from __future__ import annotations

import ast
import io
from itertools import takewhile
from typing import TypeGuard

from ..program.modules import SourceModule


def without_unused(text: str, before: SourceModule) -> str:
    """Return a result without the functions and constants that only the replaced code used.

    What has a comment, or was not used before either, stays.
    """
    was_used = _loaded(before.first or before.tree)
    while True:
        after = SourceModule(text, ast.parse(text))
        used = _loaded(after.tree)
        gone = [
            each
            for each in after.tree.body
            if (name := _name(each)) is not None and name in was_used - used
            if not _has_comment(after, each)
        ]
        if not gone:
            return text
        lines = io.StringIO(text, newline="\n").readlines()
        for each in reversed(gone):
            first, last = each.lineno - 1, each.end_lineno or each.lineno
            while last < len(lines) and not lines[last].strip():
                last += 1
            below = last - (each.end_lineno or each.lineno)
            del lines[first:last]
            spaced = first < len(lines) and lines[first].startswith(("def ", "class ", "@", "if "))
            above = [line for line in lines[:first] if line.strip()]
            spaced = spaced or (bool(above) and above[-1].startswith((" ", "\t")))
            while not spaced and first > 1 and not any(e.strip() for e in lines[first - 2 : first]):
                first -= 1
                del lines[first]
            if spaced and first < len(lines):
                empty = takewhile(lambda line: not line.strip(), reversed(lines[:first]))
                lines[first:first] = ["\n"] * (below - len([*empty]))
        text = "".join(lines)


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


def _loaded(tree: ast.Module) -> set[str]:
    """Return all names that are read, also as texts:
    `globals()["x"]` and ``__all__`` name them so.
    """
    found = set()
    own = {
        each.value.args[0]
        for each in ast.walk(tree)
        if isinstance(each, ast.Assign) and _is_named_tuple(each.value)
    }
    for node in ast.walk(tree):
        if node in own:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            found.update(node.names)
    return found


def _has_comment(module: SourceModule, statement: ast.stmt) -> bool:
    last = statement.end_lineno or statement.lineno
    return bool(module.comments_in(module.above(statement.lineno), last))
