"""`/` between two ints becomes `//`, which is what it was."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.edit.spans import Span
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Change, Program2, ProgramPart

_INTS = ("int", "bool")


def changes(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Change]:
    """Yield the divisions whose operands are both proven ints."""
    if part.divides:
        return
    for node in ast.walk(part.tree):
        match node:
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                pass
            case ast.AugAssign(target=left, op=ast.Div(), value=right):
                pass
            case _:
                continue
        if kinds.kind(left) in _INTS and kinds.kind(right) in _INTS:
            start = part.between(left, right, "/")
            text = "`/` becomes `//`: both values are ints"
            yield Change(node, "division", text, (Span(start, start + 1, "//"),))
