"""Finds where a program takes another import."""

from __future__ import annotations

import ast

from migrator.edit.spans import Span
from migrator.python2.program import ProgramPart


def import_edit(part: ProgramPart, statement: str) -> Span:
    """Put an import in front of the first one, behind the docstring and `__future__`."""
    body = part.tree.body
    place = 0
    for number, node in enumerate(body):
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        documents = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not future and not (documents and number == 0):
            break
        place = number + 1
    imports = (ast.Import, ast.ImportFrom)
    first = next((n for n in body[place:] if isinstance(n, imports)), None)
    target = first or (body[place] if place < len(body) else None)
    if target is None:
        return Span(len(part.text.text), len(part.text.text), f"\n{statement}\n")
    line = target.lineno
    if isinstance(target, ast.FunctionDef | ast.ClassDef) and target.decorator_list:
        line = target.decorator_list[0].lineno
    start = part.text.offset(line, 0)
    gap = "" if first is not None else "\n"
    return Span(start, start, f"{statement}\n{gap}")
