"""Values of types that Python 2 took for one another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python2.program import ProgramPart

_NAMES = {"types.UnicodeType": "unicode", "types.LongType": "long"}
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_GROUPS = {
    **dict.fromkeys(("int", "float", "bool"), "number"),
    **dict.fromkeys(("str", "text"), "string"),
    **{"list": "list", "tuple": "tuple", "dict": "dict", "none": "None"},
}
_WITH_VALUE = re.compile(r"raise\s+[\w.]+\s*,")


def doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield checks for `unicode` or `long`, orders of different types, and raised values."""
    match node:
        case ast.Name() | ast.Attribute():
            yield from _doubts_of_name(part, node)
        case ast.Compare(left=left, ops=ops, comparators=others):
            for op, first, other in zip(ops, [left, *others], others, strict=False):
                if isinstance(op, _ORDERS):
                    yield from _doubts_of_order(part, node, first, other)
        case ast.Raise(exc=ast.expr() as raised):
            yield from _doubts_of_raise(part, node, raised)


def _doubts_of_name(part: ProgramPart, node: ast.Name | ast.Attribute) -> Iterator[Python2Doubt]:
    """Yield a check for `unicode` or `long`, or a decoding call of `unicode`."""
    old = _NAMES.get(part.path(node))
    if isinstance(node, ast.Name) and node.id in ("str", "int"):
        # what the conversion has made of it
        before = part.before(node)
        old = next((name for name in ("unicode", "long") if before.startswith(name)), None)
    parent = part.parents.get(node)
    if old is None:
        return
    called = isinstance(parent, ast.Call) and part.is_builtin(
        parent.func, "isinstance", "issubclass"
    )
    if called or isinstance(parent, ast.Compare):
        if old == "unicode":
            detail = "the check is true of each string in Python 3, of text only in Python 2"
        else:
            detail = "the check is true of each int in Python 3"
        yield part.doubt(node, "types", old, detail)
    elif (
        old == "unicode"
        and isinstance(parent, ast.Call)
        and len(parent.args) > 1
        and (parent.func is node)
    ):
        detail = "it decodes bytes; with text it fails in Python 3"
        yield part.doubt(parent, "types", "unicode(..., encoding)", detail)


def _doubts_of_order(
    part: ProgramPart, node: ast.Compare, operand: ast.expr, other: ast.expr
) -> Iterator[Python2Doubt]:
    groups = [_GROUPS.get(part.kind(value) or "") for value in (operand, other)]
    if "None" in groups:
        detail = "Python 3 does not order None, which came before all else"
    elif None not in groups and groups[0] != groups[1]:
        detail = f"Python 3 does not order a {groups[0]} and a {groups[1]}"
    else:
        return
    yield part.doubt(node, "comparison", part.source(node), detail, True)


def _doubts_of_raise(
    part: ProgramPart, node: ast.Raise, raised: ast.expr
) -> Iterator[Python2Doubt]:
    """Yield a string that is raised, or a value behind the comma whose kind is not known."""
    if part.kind(raised) in ("str", "text"):
        detail = "a string cannot be raised: TypeError"
        yield part.doubt(node, "raise", part.source(raised), detail, True)
    match raised:
        case ast.Call(args=[value], keywords=[]) if _WITH_VALUE.match(part.before(node)):
            if part.kind(value) not in ("str", "text", "int", "float", "bool", "bytes"):
                detail = (
                    "an exception was raised itself, and the parts of a tuple were the arguments"
                )
                yield part.doubt(node, "raise", part.source(value), detail)
