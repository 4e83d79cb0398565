"""Checks and conversions of types that are one type now."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python2.doubts.doubt import Doubt
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart

_NAMES = {"types.UnicodeType": "unicode", "types.LongType": "long"}


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Find checks for `unicode` or `long`, and decoding calls of `unicode`."""
    for node in ast.walk(part.tree):
        old = _old_name(part, node) if isinstance(node, ast.Name) else None
        if isinstance(node, ast.Attribute):
            old = _NAMES.get(program.path(node))
        parent = part.parents.get(node)
        if old in ("unicode", "long") and isinstance(parent, ast.Call) and parent.func is not node:
            if program.is_builtin(parent.func, "isinstance", "issubclass"):
                yield _check(node, old)
        elif old in ("unicode", "long") and isinstance(parent, ast.Compare):
            yield _check(node, old)
        elif old == "unicode" and isinstance(parent, ast.Call) and len(parent.args) > 1:
            detail = "it decodes bytes; with text it fails in Python 3"
            yield Doubt(parent, "types", "unicode(..., encoding)", detail)


def _old_name(part: ProgramPart, node: ast.Name) -> str | None:
    """Return what a type was called."""
    if node.id not in ("str", "int"):
        return None
    before = part.before(node)
    return next((name for name in ("unicode", "long") if before.startswith(name)), None)


def _check(node: ast.AST, old: str) -> Doubt:
    if old == "unicode":
        detail = "the check is true of each string in Python 3, of text only in Python 2"
    else:
        detail = "the check is true of each int in Python 3"
    return Doubt(node, "types", old, detail)
