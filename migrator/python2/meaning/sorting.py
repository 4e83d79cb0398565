"""`sorted(x, cmp=f)` and `x.sort(f)` get a key, and `cmp(a, b)` is written out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python2.program import Change, ProgramPart
from migrator.source.spans import Span

_KEY = "cmp_to_key"


def changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a call with `functools.cmp_to_key`, which orders in the same way."""
    match node:
        case ast.Call(func=func, args=[left, right], keywords=[]) if part.is_builtin(func, "cmp"):
            if _simple(left) and _simple(right):
                first, other = part.source(left), part.source(right)
                new = f"(({first} > {other}) - ({first} < {other}))"
                text = "`cmp(a, b)` becomes `((a > b) - (a < b))`"
                yield Change(node, "sorting", text, part.replacing_spans(node, new))
        case ast.Call(keywords=keywords) if _KEY not in part.program.bound:
            function = _comparison_function(part, node)
            if function is not None:
                keyword = next((k for k in keywords if k.value is function), None)
                start = part.start(function if keyword is None else keyword)
                edits = (
                    Span(start, part.start(function), f"key={_KEY}("),
                    Span(part.end(function), part.end(function), ")"),
                )
                text = f"the function becomes `key={_KEY}(...)`"
                yield Change(node, "sorting", text, edits, f"from functools import {_KEY}")


def doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a `sort` that is given a function and could not get a key; D110 and D115 have `cmp` and
    `sorted`.
    """
    match node:
        case ast.Call(func=ast.Attribute(attr="sort"), args=args, keywords=keywords):
            if any(k.arg == "cmp" for k in keywords):
                yield part.doubt(node, "cmp", "cmp=", "sorting takes no `cmp` in Python 3", True)
            elif (
                args
                and isinstance(args[0], ast.Lambda)
                and _comparison_function(part, node) is None
            ):
                detail = "sorting takes nothing by position in Python 3"
                yield part.doubt(node, "cmp", part.source(args[0]), detail, True)


def _comparison_function(part: ProgramPart, node: ast.Call) -> ast.expr | None:
    """Return the function that a sort compares with, None if it has none or also a key."""
    arguments = {k.arg: k.value for k in node.keywords}
    match node.func, node.args:
        case ast.Name() as func, [_, *rest] if part.is_builtin(func, "sorted"):
            pass
        case ast.Attribute(attr="sort"), rest:
            pass
        case _:
            return None
    function = rest[0] if rest else arguments.get("cmp")
    if len(rest) > 1 or "key" in arguments or isinstance(function, ast.Starred):
        return None
    if function is None or (isinstance(function, ast.Constant) and function.value is None):
        return None
    # a DataFrame is sorted by columns
    return function if arguments.get("cmp") or _is_function(part, function) else None


def _is_function(part: ProgramPart, node: ast.expr) -> bool:
    if isinstance(node, ast.Lambda):
        return len(node.args.args) == 2
    return isinstance(node, ast.Name) and (node.id in part.program.functions or node.id == "cmp")


def _simple(node: ast.expr) -> bool:
    """Return whether it can be evaluated twice, and stands between comparisons."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Attribute(value=value):
            return _simple(value)
        case ast.Subscript(value=value, slice=index):
            return _simple(value) and _simple(index)
    return False
