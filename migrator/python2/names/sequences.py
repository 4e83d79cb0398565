"""`map`, `filter`, `zip` and `range` gave lists, and called their functions at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python2.contexts import is_pure, looks, loop_of, may_change, takes_all
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Change, Program2, ProgramPart


def changes(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Change]:
    """Yield the calls that are a list still, unless nobody can tell the difference."""
    if "list" in program.bound:
        return
    for node in ast.walk(part.tree):
        if not isinstance(node, ast.Call) or node.keywords:
            continue
        func, args = node.func, node.args
        if not program.is_builtin(func, "map", "filter", "zip", "range"):
            continue
        assert isinstance(func, ast.Name)
        name = func.id
        if name == "map" and len(args) == 2 and _is_none(args[0]):
            edits = part.replaced(node, f"list({part.source(args[1])})")
            yield Change(node, "sequences", "`map(None, ...)` becomes `list(...)`", edits)
        elif name == "map" and args and _is_none(args[0]):
            continue
        elif name == "filter" and kinds.kind(args[-1]) in ("str", "text", "tuple"):
            # gave a string or a tuple
            continue
        elif args and not _stays(program, part, node, name):
            text = f"`{name}(...)` stays a list"
            yield Change(node, "sequences", text, part.wrapped(node, "list("))


def _stays(program: Program2, part: ProgramPart, node: ast.Call, name: str) -> bool:
    """Return whether an iterator is as good as a list."""
    loop = loop_of(part, node)
    if name == "range":
        parent = part.parents.get(node)
        indexed = isinstance(parent, ast.Subscript) and not isinstance(parent.slice, ast.Slice)
        return loop is not None or looks(program, part, node) or indexed
    if takes_all(program, part, node):
        return True
    if loop is None or any(may_change(loop, arg) for arg in node.args):
        return False
    return name == "zip" or is_pure(program, node.args[0])


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
