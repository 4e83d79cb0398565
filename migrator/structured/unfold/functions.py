"""What functions of a module are: their uses, their names, and how they end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.infer.program import ScopeNode
from migrator.infer.scopes import bindings
from migrator.infer.values import Function

from ..program.bindings import uses
from ..program.modules import SourceModule
from ..program.values import function_of, kinds


def attributes(module: SourceModule, name: str) -> list[ast.Attribute]:
    """Return the attributes of a name, without those of objects of Spark."""
    receivers = module.facts.receivers
    attributes_found = (node for node in ast.walk(module.tree) if isinstance(node, ast.Attribute))
    return [
        each for each in attributes_found if each.attr == name and not kinds(receivers.get(each))
    ]


def uses_of(module: SourceModule, node: ast.FunctionDef, function: Function) -> int | None:
    """Return how often a function is called; None if it has other uses, or is a special one."""
    if node.decorator_list and function.info.flags != {"staticmethod"}:
        return None
    if isinstance(module.parents[node], ast.ClassDef):
        if node.name.startswith("__"):
            return None
        uses_found: list[ast.Attribute] | list[ast.Name] = attributes(module, node.name)
    else:
        uses_found = uses(module.tree, node.name)
    if any(isinstance(e, ast.Constant) and e.value == node.name for e in ast.walk(module.tree)):
        return None
    calls = [module.parents[use] for use in uses_found]
    are_calls = [
        isinstance(call, ast.Call)
        and call.func is use
        and getattr(function_of(module, call), "info", None) is function.info
        for call, use in zip(calls, uses_found, strict=True)
    ]
    return len(uses_found) if all(are_calls) else None


def is_straight(node: ast.FunctionDef, body: list[ast.stmt]) -> bool:
    """Return whether the code of a function runs to its end, and returns only there."""
    dead = {
        part for statement in node.body if statement not in body for part in ast.walk(statement)
    }
    for inner in own_nodes(node):
        if isinstance(inner, ast.Yield | ast.YieldFrom | ast.Await | ast.Global | ast.Nonlocal):
            return False
        if isinstance(inner, ast.Return) and inner is not body[-1] and inner not in dead:
            return False
        if isinstance(inner, ast.Name) and inner.id in ("locals", "super", "vars", "eval", "exec"):
            return False
    return True


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.AsyncFunctionDef):
            yield from own_nodes(child)


def loaded_names(module: SourceModule, node: ScopeNode, apart: ast.AST) -> set[str]:
    """Return the names that code uses, without those that functions in it have for themselves."""
    gone, inside = {*ast.walk(apart)}, {*ast.walk(node)} - {node}
    return {
        use.id
        for use, scope in module.names_in(node)
        if use not in gone
        and ((owner := scope.owner_of(use.id)) is None or owner.node not in inside)
    }


def can_be_renamed(node: ast.FunctionDef, name: str) -> bool:
    """Return whether only assignments and functions in it bind a name of a function."""
    for part in ast.walk(node):
        if isinstance(part, ast.Global | ast.Nonlocal) and name in part.names:
            return False
    kinds = (ast.Name, ast.arg, ast.FunctionDef)
    bound = (inner for inner in ast.walk(node) if not isinstance(inner, kinds))
    return not any(name in bindings(node) for node in bound)


def span_of_name(module: SourceModule, node: ast.FunctionDef) -> tuple[int, int]:
    """Return where the name of a function stands in its definition."""
    start = module.text.index(node.name, module.span(node)[0] + len("def"))
    return start, start + len(node.name)


def paired_names(target: ast.expr, value: ast.expr) -> list[tuple[str, str]] | None:
    """Return the names of a value with those that they are assigned to."""
    match target, value:
        case ast.Name(id=new), ast.Name(id=name):
            return [(name, new)]
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            parts = [paired_names(*pair) for pair in zip(targets, values, strict=True)]
            if all(part is not None and len(part) == 1 for part in parts):
                names_found = [part[0] for part in parts if part]
                return (
                    names_found
                    if len({name for name, _ in names_found}) == len(names_found)
                    else None
                )
    return None
