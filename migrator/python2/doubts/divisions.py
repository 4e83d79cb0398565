"""`/` that may divide ints: it rounded down in Python 2."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.python2.doubts.doubt import Doubt, shown
from migrator.python2.kinds import ExpressionKinds
from migrator.python2.program import Program2, ProgramPart

_INTS = ("int", "bool")
# they define `/` for themselves, and never as a division of ints
_OTHERS = ("float", "str", "text", "list", "dict", "tuple", "set")


def find(program: Program2, part: ProgramPart, kinds: ExpressionKinds) -> Iterator[Doubt]:
    """Yield the divisions of which neither operand is proven to be a float."""
    if part.divides:
        return
    for node in ast.walk(part.tree):
        match node:
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                pass
            case ast.AugAssign(target=left, op=ast.Div(), value=right):
                pass
            case ast.Attribute(attr="div") if program.path(node) == "operator.div":
                yield Doubt(node, "division", "operator.div", "does not exist in Python 3", True)
                continue
            case _:
                continue
        known = [kinds.kind(left), kinds.kind(right)]
        if not any(kind in _OTHERS for kind in known):
            yield Doubt(node, "division", part.source(node), _detail(part, (left, right), known))


def _detail(part: ProgramPart, operands: tuple[ast.AST, ast.AST], known: list[str | None]) -> str:
    unknown = [part.source(n) for n, k in zip(operands, known, strict=True) if k not in _INTS]
    ints = [part.source(n) for n, k in zip(operands, known, strict=True) if k in _INTS]
    what = " and ".join(f"`{shown(text)}`" for text in unknown)
    if ints:
        return f"`{shown(ints[0])}` is an int, and {what} may be one"
    return f"{what} may both be ints"
