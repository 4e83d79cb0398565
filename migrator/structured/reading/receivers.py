"""Receivers that a job starts in a list, and functions that start one."""

from __future__ import annotations

import ast
import copy
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


def inlined(
    module: SourceModule, block: Block, call: ast.Call
) -> tuple[ast.FunctionDef, ast.Call] | None:
    """Return a function, and the call that it returns with the arguments of its only use.

    None if the function does more, or computes with its arguments.
    """
    if not isinstance(call.func, ast.Name) or call.keywords:
        return None
    found = block.function(call.func.id) or Block(module.tree.body).function(call.func.id)
    if not isinstance(found, ast.FunctionDef):
        return None
    loads = [n for n in ast.walk(module.tree) if isinstance(n, ast.Name) and n.id == found.name]
    body = [e for e in found.body if not isinstance(getattr(e, "value", None), ast.Constant)]
    names = [each.arg for each in found.args.args]
    simple = len(names) == len(call.args) and not (
        found.args.vararg or found.args.kwarg or found.args.kwonlyargs or found.args.defaults
    )
    if len(loads) != 1 or len(body) != 1 or not simple or not isinstance(body[0], ast.Return):
        return None
    if not isinstance(body[0].value, ast.Call):
        return None
    arguments = dict(zip(names, call.args, strict=True))
    made = _Inlined(arguments).visit(copy.deepcopy(body[0].value))
    assert isinstance(made, ast.Call)
    if any(isinstance(each, ast.Name) and each.id in _locals(block) for each in _own(made, call)):
        return None
    module.parents[made] = call
    return (found, made) if _only_places(body[0].value, names) else None


def _locals(block: Block) -> set[str]:
    """Return the names that the functions around a block bind."""
    return {
        each.id
        for function in block.functions
        for each in ast.walk(function)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def _own(made: ast.Call, call: ast.Call) -> list[ast.AST]:
    """Return the nodes of an inlined call that are not those of its arguments."""
    given = {part for each in call.args for part in ast.walk(each)}
    return [each for each in ast.walk(made) if each not in given]


def _only_places(made: ast.Call, names: list[str]) -> bool:
    """Return whether parameters are arguments, and keys or
    values of dicts, and no parts of others.
    """
    places: list[ast.expr | None] = [*made.args, *(each.value for each in made.keywords)]
    for each in [*places]:
        if isinstance(each, ast.Dict):
            places += [*each.keys, *each.values]
    uses = [e for e in ast.walk(made) if isinstance(e, ast.Name) and e.id in names]
    return all(each in places for each in uses)


class _Inlined(ast.NodeTransformer):
    """Parameters as the arguments that they are given."""

    def __init__(self, arguments: dict[str, ast.expr]) -> None:
        self.arguments = arguments

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.arguments.get(node.id, node)
