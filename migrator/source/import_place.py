"""Adds imports to a program."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from migrator.source.lines import TextLines
from migrator.source.spans import Span


def import_span(
    tree: ast.Module, lines: TextLines, statements: Sequence[str], before: int = 0
) -> Span:
    """Return what puts imports in front of the first one, else of the first statement behind the
    docstring and `__future__`.

    Parameters
    ----------
    before : int
        How many lines of the tree stand before the text.
    """
    body = [statement for statement in tree.body if not _is_head(statement)]
    imports = (
        statement for statement in body if isinstance(statement, ast.Import | ast.ImportFrom)
    )
    place = next(imports, body[0])
    line = first_line(place) - before
    start = lines.starts[line - 1]
    column = lines.column(line, place.col_offset)
    if line == place.lineno - before and lines.rows[line - 1][:column].strip():
        # behind a semicolon
        return Span(
            start + column, start + column, "".join(f"{statement}; " for statement in statements)
        )
    gap = [] if isinstance(place, ast.Import | ast.ImportFrom) else [""]
    return Span(
        start, start, "".join(statement + lines.usual_end for statement in [*statements, *gap])
    )


def first_line(statement: ast.stmt) -> int:
    """Return the line that a statement begins in, with its decorators."""
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min((statement.lineno, *(node.lineno for node in decorators)))


def _is_head(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring or an import from `__future__`."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())) | ast.ImportFrom(module="__future__"):
            return True
    return False
