"""`/`, which rounded down between two ints."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.model.python2_events import Python2Doubt
from migrator.python2.program import Change, ProgramPart, one_line
from migrator.source.spans import Span

_INTS = ("int", "bool")
# they define `/` for themselves, and never as a division of ints
_OTHERS = ("float", "str", "text", "list", "dict", "tuple", "set")


def changes(part: ProgramPart, node: ast.AST) -> Iterator[Change]:
    """Yield a division whose operands are both proven ints."""
    divided = _operands(part, node)
    if divided is not None and all(part.kind(operand) in _INTS for operand in divided):
        start = part.find_between(*divided, "/")
        text = "`/` becomes `//`: both values are ints"
        yield Change(node, "division", text, (Span(start, start + 1, "//"),))


def doubts(part: ProgramPart, node: ast.AST) -> Iterator[Python2Doubt]:
    """Yield a division of which neither operand is proven to be a float."""
    divided = _operands(part, node)
    if divided is None or any(part.kind(operand) in _OTHERS for operand in divided):
        return
    ints = [part.source(n) for n in divided if part.kind(n) in _INTS]
    unknown = [part.source(n) for n in divided if part.kind(n) not in _INTS]
    what = " and ".join(f"`{one_line(text)}`" for text in unknown)
    text = f"`{one_line(ints[0])}` is an int, and {what} may be one" if ints else f"{what} may be"
    detail = f"it rounds down in Python 2 if both values are ints, and {text}"
    yield part.doubt(node, "division", part.source(node), detail)


def _operands(part: ProgramPart, node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Return what is divided by what, None if nothing is or `/` is that of Python 3 already."""
    match node:
        case (
            ast.BinOp(left=left, op=ast.Div(), right=right)
            | ast.AugAssign(target=left, op=ast.Div(), value=right)
        ) if "division" not in part.features:
            return left, right
    return None
