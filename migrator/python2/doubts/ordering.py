"""Orders that Python 3 does not have: `cmp`, and values of different types."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python2.doubts.doubt import Doubt
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.names.sorting import compared_by
from migrator.python2.program import Program2, ProgramPart

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_NUMBERS = ("int", "float", "bool")
_GROUPS = {
    **dict.fromkeys(_NUMBERS, "number"),
    **dict.fromkeys(("str", "text"), "string"),
    **{"list": "list", "tuple": "tuple", "dict": "dict", "none": "None"},
}


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Find uses of `cmp`, and comparisons of a number with a string or of anything with None."""
    for node in ast.walk(part.tree):
        match node:
            case ast.Call(func=func, keywords=keywords):
                named = next((k for k in keywords if k.arg == "cmp"), None)
                sorts = isinstance(func, ast.Attribute) and func.attr == "sort"
                sorts = sorts or program.is_builtin(func, "sorted")
                if named is not None and sorts:
                    detail = "sorting takes no `cmp` in Python 3"
                    yield Doubt(node, "cmp", "cmp=", detail, True)
                elif sorts and (given := _second(program, node)) is not None:
                    detail = "sorting takes nothing by position in Python 3"
                    yield Doubt(node, "cmp", part.source(given), detail, _is_proven(given))
            case ast.Name(id="cmp", ctx=ast.Load()) if "cmp" not in program.bound:
                yield Doubt(node, "cmp", "cmp", "Python 3 has no `cmp`", True)
            case ast.Compare(left=left, ops=ops, comparators=others):
                values = [left, *others]
                for op, one, other in zip(ops, values, others, strict=False):
                    if isinstance(op, _ORDERS):
                        yield from _compared(part, kinds, node, one, other)


def _second(program: Program2, node: ast.Call) -> ast.expr | None:
    """Return what a sort is given by position beside its values,
    unless it is a function that is known.
    """
    if compared_by(program, node) is not None:
        return None
    if isinstance(node.func, ast.Name):
        return node.args[1] if len(node.args) > 1 else None
    # DataFrames and RDDs have sort() and sorting by columns
    found = node.args[0] if node.args else None
    return found if isinstance(found, ast.Lambda) else None


def _is_proven(node: ast.expr) -> bool:
    return isinstance(node, ast.Lambda)


def _compared(
    part: ProgramPart, kinds: ExpressionKinds, node: ast.Compare, one: ast.expr, other: ast.expr
) -> Iterator[Doubt]:
    known = [_GROUPS.get(kinds.kind(value) or "") for value in (one, other)]
    if "None" in known:
        detail = "Python 3 does not order None, which came before all else"
    elif None not in known and known[0] != known[1]:
        detail = f"Python 3 does not order a {known[0]} and a {known[1]}"
    else:
        return
    yield Doubt(node, "comparison", part.source(node), detail, True)
