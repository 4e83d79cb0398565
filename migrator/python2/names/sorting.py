"""`sorted(x, cmp=f)` and `x.sort(f)` get a key, and `cmp(a, b)` is written out."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.edit.spans import Span
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.names.added_import import import_edit
from migrator.python2.program import Change, Program2, ProgramPart

_KEY = "cmp_to_key"


def changes(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Change]:
    """Yield the calls with `functools.cmp_to_key`, which orders in the same way."""
    found = [*_sorts(program, part), *_comparisons(program, part)]
    imported = False
    for change in found:
        if change.fixer == "sorting" and not imported:
            imported = True
            edit = import_edit(part, f"from functools import {_KEY}")
            change = Change(change.node, change.fixer, change.text, (*change.edits, edit))
        yield Change(change.node, "sorting", change.text, change.edits)


def _sorts(program: Program2, part: ProgramPart) -> Iterator[Change]:
    if _KEY in program.bound:
        return
    for node in ast.walk(part.tree):
        function = compared_by(program, node)
        if function is None:
            continue
        assert isinstance(node, ast.Call)
        given = next((k for k in node.keywords if k.value is function), None)
        start = part.start(function if given is None else given)
        edits = (
            Span(start, part.start(function), f"key={_KEY}("),
            Span(part.end(function), part.end(function), ")"),
        )
        yield Change(node, "sorting", f"the function becomes `key={_KEY}(...)`", edits)


def compared_by(program: Program2, node: ast.AST) -> ast.expr | None:
    """Return the function that a sort compares with, None if it has none or also a key."""
    if not isinstance(node, ast.Call):
        return None
    given = {k.arg: k.value for k in node.keywords}
    match node.func, node.args:
        case ast.Name() as func, [_, *rest] if program.is_builtin(func, "sorted"):
            pass
        case ast.Attribute(attr="sort"), rest:
            pass
        case _:
            return None
    function = rest[0] if rest else given.get("cmp")
    if len(rest) > 1 or "key" in given or isinstance(function, ast.Starred):
        return None
    if function is None or (isinstance(function, ast.Constant) and function.value is None):
        return None
    # a DataFrame is sorted by columns
    return function if given.get("cmp") or _is_function(function, program) else None


def _is_function(node: ast.expr, program: Program2) -> bool:
    if isinstance(node, ast.Lambda):
        return len(node.args.args) == 2
    return isinstance(node, ast.Name) and (node.id in program.functions or node.id == "cmp")


def _comparisons(program: Program2, part: ProgramPart) -> Iterator[Change]:
    for node in ast.walk(part.tree):
        match node:
            case ast.Call(func=func, args=[left, right], keywords=[]):
                if program.is_builtin(func, "cmp") and _simple(left) and _simple(right):
                    one, other = part.source(left), part.source(right)
                    new = f"(({one} > {other}) - ({one} < {other}))"
                    text = "`cmp(a, b)` becomes `((a > b) - (a < b))`"
                    yield Change(node, "comparison", text, part.replaced(node, new))


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
