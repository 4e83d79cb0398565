"""Assignments of parts of a job: one name each, and no annotation."""

from __future__ import annotations

import ast

from ..program.bindings import names_of
from ..program.modules import SourceModule
from ..program.values import MADE, holds, is_in_batch
from .edits import has_long_text, instead, one_line, with_edits


def unfold_assignment(module: SourceModule) -> SourceModule | None:
    """Return a module in which an assignment of a stream or context is a plain one."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or is_in_batch(module, node):
            continue
        pairs = _pairs(module, node)
        before = module.lines[node.lineno - 1][: node.col_offset]
        if pairs is None or before.strip() or has_long_text(ast.walk(node)):
            continue
        lines = [
            (f"{name} = {value}", node.lineno)
            if isinstance(value, str)
            else (f"{name} = {one_line(module, value)}", value.lineno)
            for name, value in pairs
        ]
        return with_edits(module, [instead(module, node, lines)])
    return None


def _pairs(
    module: SourceModule, node: ast.Assign | ast.AnnAssign
) -> list[tuple[str, ast.expr | str]] | None:
    """Return names with what they are assigned, None if it is a plain assignment already."""
    values = module.facts.values
    if node.value is None or not holds(values.get(node.value), MADE):
        return None
    match node:
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return [(name, value)]
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=parts)) if len(
            names
        ) == len(parts) and all(isinstance(name, ast.Name) for name in names):
            texts = [ast.unparse(name) for name in names]
            return None if names_of(node.value) & {*texts} else [*zip(texts, parts, strict=True)]
        case ast.Assign(targets=[ast.Name(id=first), *others], value=value) if others:
            if all(isinstance(other, ast.Name) for other in others):
                return [(first, value), *((ast.unparse(other), first) for other in others)]
    return None
