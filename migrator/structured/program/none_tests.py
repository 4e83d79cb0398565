"""The names of which a test says whether they are None."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def tests_of_none(test: ast.expr, holds: bool) -> Iterator[tuple[str, bool]]:
    """Yield the names of which a test says whether they are None, where it has held or has not."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from tests_of_none(inner, not holds)
        case ast.BoolOp(op=op, values=parts) if isinstance(op, ast.And) == holds:
            for part in parts:
                yield from tests_of_none(part, holds)
        case ast.Compare(
            left=ast.Name(id=name),
            ops=[ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as op],
            comparators=[ast.Constant(value=None)],
        ):
            yield name, isinstance(op, ast.Is | ast.Eq) == holds
        case ast.Name(id=name) if holds:
            yield name, False
