"""Receivers that a job starts in a list."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ..program.graph import Node
from ..program.modules import Block, SourceModule


@dataclass(frozen=True)
class Receivers:
    """A list of receivers that share the partitions of their topics: one source reads them."""

    node: Node


def repeated(node: ast.ListComp) -> ast.expr | None:
    """Return what a list has as often as a range says, None if the elements may differ."""
    match node.generators:
        case [
            ast.comprehension(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range" | "xrange")),
                ifs=[],
                is_async=0,
            )
        ]:
            uses = (each for each in ast.walk(node.elt) if isinstance(each, ast.Name))
            return None if any(each.id == name for each in uses) else node.elt
    return None


def only_used_in(module: SourceModule, block: Block, statement: ast.Assign) -> list[ast.stmt]:
    """Return the statements that bind the lengths of a list, if it is their only use."""
    assert isinstance(statement.value, ast.ListComp)
    length = statement.value.generators[0].iter
    wanted = {each.id for each in ast.walk(length) if isinstance(each, ast.Name)}
    uses = [each for each in ast.walk(module.tree) if isinstance(each, ast.Name)]
    return [
        each
        for each in block.body
        if isinstance(each, ast.Assign)
        and len(each.targets) == 1
        and isinstance(each.targets[0], ast.Name)
        and each.targets[0].id in wanted
        and sum(use.id == each.targets[0].id for use in uses) == 2
        and _has_no_effect(each.value)
    ]


def _has_no_effect(node: ast.expr) -> bool:
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    return all(isinstance(e.func, ast.Name) and e.func.id in ("int", "len") for e in calls)
