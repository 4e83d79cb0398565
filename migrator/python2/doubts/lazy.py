"""Lists that are views or iterators now, where the converter could not keep them lists."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python.replacements import VIEWS
from migrator.python2.contexts import looks, loop_of
from migrator.python2.doubts.doubt import Doubt, shown
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart

_LISTS = ("list", "dict", "set", "file", "none")


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Find views of what may be a dict, and `map` and `filter` that gave something else."""
    for node in ast.walk(part.tree):
        if not isinstance(node, ast.Call):
            continue
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=[], keywords=[]) if name in VIEWS:
                if name not in program.methods:
                    yield from _view(program, part, node, name)
            case ast.Call(func=func, args=[first, second, *rest], keywords=[]):
                if program.is_builtin(func, "map") and rest:
                    proven = isinstance(first, ast.Constant)
                    detail = "it goes on to the end of the longest one in Python 2, with None"
                    yield Doubt(node, "lazy", "map(...) of several values", detail, proven)
                elif program.is_builtin(func, "map") and _is_none(first):
                    yield Doubt(node, "lazy", "map(None, ...)", "it fails in Python 3", True)
                elif program.is_builtin(func, "filter"):
                    yield from _filter(program, part, kinds, node, second)


def _view(program: Program2, part: ProgramPart, node: ast.Call, name: str) -> Iterator[Doubt]:
    if loop_of(part, node) is not None or looks(program, part, node):
        return
    # what is done with it is nothing that a list can do
    if isinstance(part.parents.get(node), ast.Attribute | ast.Expr):
        return
    assert isinstance(node.func, ast.Attribute)
    owner = shown(part.source(node.func.value))
    detail = f"a list in Python 2 if `{owner}` is a dict, and a view in Python 3"
    yield Doubt(node, "lazy", f"{name}()", detail)


def _filter(
    program: Program2, part: ProgramPart, kinds: ExpressionKinds, node: ast.Call, given: ast.AST
) -> Iterator[Doubt]:
    kind = kinds.kind(given)
    inner = given.func if isinstance(given, ast.Call) else given
    if kind in _LISTS or program.is_builtin(inner, "filter", "map", "zip", "range", "list"):
        return
    value: ast.AST = node
    outer = part.parents.get(node)
    if isinstance(outer, ast.Call) and program.is_builtin(outer.func, "list"):
        # one that the conversion has written is not what the value was used for
        value = node if part.before(outer).startswith("list") else outer
    if loop_of(part, value) is not None or looks(program, part, value):
        return
    if kind in ("str", "text", "tuple"):
        what = "tuple" if kind == "tuple" else "string"
        yield Doubt(node, "lazy", "filter(...)", f"it gave a {what} of what is one", True)
    else:
        source = shown(part.source(given))
        detail = f"it gave a string or a tuple if `{source}` is one, and a list otherwise"
        yield Doubt(node, "lazy", "filter(...)", detail)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
