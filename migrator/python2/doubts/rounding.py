"""`round()`, which gives an int in Python 3 and rounds halves to even numbers."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python2.doubts.doubt import Doubt
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Find calls of the builtin whose value is not proven to be an int."""
    for node in ast.walk(part.tree):
        if isinstance(node, ast.Call) and program.is_builtin(node.func, "round") and node.args:
            detail = "a half goes to the even number in Python 3, and away from zero in Python 2"
            if len(node.args) == 1:
                detail += "; the result is an int"
            if kinds.kind(node.args[0]) not in ("int", "bool"):
                yield Doubt(node, "round", part.source(node), detail)
