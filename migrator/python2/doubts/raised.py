"""Raised values that may be no arguments of an exception."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from migrator.python2.doubts.doubt import Doubt
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart

_WITH_VALUE = re.compile(r"raise\s+[\w.]+\s*,")


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Find strings that are raised, and values behind the comma whose kind is not known."""
    for node in ast.walk(part.tree):
        if not isinstance(node, ast.Raise) or node.exc is None:
            continue
        if kinds.kind(node.exc) in ("str", "text"):
            detail = "a string cannot be raised: TypeError"
            yield Doubt(node, "raise", part.source(node.exc), detail, True)
        match node.exc:
            case ast.Call(args=[value], keywords=[]) if _WITH_VALUE.match(part.before(node)):
                if kinds.kind(value) not in ("str", "text", "int", "float", "bool", "bytes"):
                    detail = (
                        "an exception was raised itself, and the parts of a tuple were the "
                        "arguments"
                    )
                    yield Doubt(node, "raise", part.source(value), detail)
