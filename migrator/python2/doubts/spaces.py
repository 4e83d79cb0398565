"""`print x,`, whose space Python 2 only wrote in front of what came next."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python2.doubts.doubt import Doubt
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Yield the calls that came of a `print` with a comma at its end."""
    for node in ast.walk(part.tree):
        match node:
            case ast.Call(func=ast.Name(id="print"), keywords=keywords):
                if any(_is_space(keyword) for keyword in keywords):
                    detail = (
                        "Python 3 writes the space at once, Python 2 in front of the next value"
                    )
                    yield Doubt(node, "space", "print ...,", detail)


def _is_space(keyword: ast.keyword) -> bool:
    return (
        keyword.arg == "end"
        and isinstance(keyword.value, ast.Constant)
        and keyword.value.value == " "
    )
