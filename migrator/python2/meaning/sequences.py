"""`map`, `filter`, `zip` and `range` gave lists, and called their functions at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python2.contexts import is_pure, looks, loop_of, may_change, takes_all
from migrator.python2.program import Change, ProgramPart, one_line

_LISTS = ("list", "dict", "set", "file", "none")


def changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a call that is a list still, unless nobody can tell the difference."""
    if not isinstance(node, ast.Call) or node.keywords or "list" in part.program.bound:
        return
    func, args = node.func, node.args
    if not isinstance(func, ast.Name) or not part.is_builtin(func, "map", "filter", "zip", "range"):
        return
    name = func.id
    if name == "map" and len(args) == 2 and _is_none(args[0]):
        edits = part.replacing_spans(node, f"list({part.source(args[1])})")
        yield Change(node, "sequences", "`map(None, ...)` becomes `list(...)`", edits)
    elif name == "map" and args and _is_none(args[0]):
        return
    elif name == "filter" and part.kind(args[-1]) in ("str", "text", "tuple"):
        # gave a string or a tuple
        return
    elif args and not _stays(part, node, name):
        text = f"`{name}(...)` stays a list"
        yield Change(node, "sequences", text, part.wrapping_spans(node, "list("))


def doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a `map` or `filter` that gave something else."""
    match node:
        case ast.Call(func=func, args=[first, second, *rest], keywords=[]):
            if part.is_builtin(func, "map") and rest:
                detail = "it goes on to the end of the longest one in Python 2, with None"
                proven = isinstance(first, ast.Constant)
                yield part.doubt(node, "lazy", "map(...) of several values", detail, proven)
            elif part.is_builtin(func, "map") and _is_none(first):
                yield part.doubt(node, "lazy", "map(None, ...)", "it fails in Python 3", True)
            elif part.is_builtin(func, "filter"):
                yield from _filter(part, node, second)


def _filter(part: ProgramPart, node: ast.Call, function: ast.AST) -> Iterator[Python2Doubt]:
    kind = part.kind(function)
    inner = function.func if isinstance(function, ast.Call) else function
    if kind in _LISTS or part.is_builtin(inner, "filter", "map", "zip", "range", "list"):
        return
    value: ast.AST = node
    outer = part.parents.get(node)
    if isinstance(outer, ast.Call) and part.is_builtin(outer.func, "list"):
        # one that the conversion has written is not what the value was used for
        value = node if part.before(outer).startswith("list") else outer
    if loop_of(part, value) is not None or looks(part, value):
        return
    if kind in ("str", "text", "tuple"):
        what = "tuple" if kind == "tuple" else "string"
        yield part.doubt(node, "lazy", "filter(...)", f"it gave a {what} of what is one", True)
    else:
        source = one_line(part.source(function))
        detail = f"it gave a string or a tuple if `{source}` is one, and a list otherwise"
        yield part.doubt(node, "lazy", "filter(...)", detail)


def _stays(part: ProgramPart, node: ast.Call, name: str) -> bool:
    """Return whether an iterator is as good as a list."""
    loop = loop_of(part, node)
    if name == "range":
        parent = part.parents.get(node)
        indexed = isinstance(parent, ast.Subscript) and not isinstance(parent.slice, ast.Slice)
        return loop is not None or looks(part, node) or indexed
    if takes_all(part, node):
        return True
    if loop is None or any(may_change(loop, arg) for arg in node.args):
        return False
    return name == "zip" or is_pure(part, node.args[0])


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
