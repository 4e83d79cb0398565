"""What functions of a module are: their uses, their names, and how they end."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from migrator.infer.program import Scope
from migrator.infer.values import Function

from ..program.batch_function import locals_of
from ..program.modules import SourceModule
from .values import function_of, kinds


def nodes_around(module: SourceModule, node: ast.AST) -> list[ast.AST]:
    found = []
    current: ast.AST | None = node
    while current is not None:
        found.append(current)
        current = module.parents.get(current)
    return found


def uses_of(module: SourceModule, node: ast.FunctionDef, function: Function) -> int | None:
    """Return how often a function is called; None if it has other uses, or is a special one."""
    if node.decorator_list and function.info.flags != {"staticmethod"}:
        return None
    if isinstance(module.parents[node], ast.ClassDef):
        if node.name.startswith("__"):
            return None
        receivers = module.facts.receivers
        uses: list[ast.Attribute | ast.Name] = [
            e
            for e in ast.walk(module.tree)
            if isinstance(e, ast.Attribute) and e.attr == node.name and not kinds(receivers.get(e))
        ]
    else:
        uses = [e for e in ast.walk(module.tree) if isinstance(e, ast.Name) and e.id == node.name]
    if any(isinstance(e, ast.Constant) and e.value == node.name for e in ast.walk(module.tree)):
        return None
    calls = [module.parents[each] for each in uses]
    known = [
        isinstance(call, ast.Call)
        and call.func is use
        and getattr(function_of(module, call), "info", None) is function.info
        for call, use in zip(calls, uses, strict=True)
    ]
    return len(uses) if all(known) else None


def is_straight(node: ast.FunctionDef, body: list[ast.stmt]) -> bool:
    """Return whether code runs to its end, and returns only there."""
    for each in _own_nodes(node):
        if isinstance(each, ast.Yield | ast.YieldFrom | ast.Await | ast.Global | ast.Nonlocal):
            return False
        if isinstance(each, ast.Return) and each is not body[-1]:
            return False
        if isinstance(each, ast.Name) and each.id in ("locals", "super", "vars", "eval", "exec"):
            return False
    return True


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.Lambda | ast.AsyncFunctionDef):
            yield from _own_nodes(child)


def names_of(module: SourceModule, node: ast.AST) -> Iterator[tuple[ast.Name, Scope]]:
    """Yield the names in the body of a function, each with the scope in which it is looked up."""
    scopes = module.program.scopes

    def inside(parent: ast.AST, scope: Scope) -> Iterator[tuple[ast.Name, Scope]]:
        for child in ast.iter_child_nodes(parent):
            if isinstance(child, ast.Name):
                yield child, scope
            elif isinstance(child, ast.FunctionDef | ast.Lambda | ast.ClassDef):
                yield from inside(child, scopes.get(child, scope))
            else:
                yield from inside(child, scope)

    yield from inside(node, scopes[node])  # type: ignore[index]


def loaded_names(module: SourceModule, node: ast.AST, apart: ast.AST) -> set[str]:
    """Return the names that code uses, without those that functions in it have for themselves."""
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        if child is apart:
            continue
        if isinstance(child, ast.Name):
            found.add(child.id)
        elif isinstance(child, ast.FunctionDef | ast.Lambda):
            found |= loaded_names(module, child, apart) - locals_of(child)
        else:
            found |= loaded_names(module, child, apart)
    return found


def is_only_assigned(node: ast.FunctionDef, name: str) -> bool:
    """Return whether only assignments bind a name, which can be renamed as names."""
    for each in ast.walk(node):
        names = [getattr(each, "name", None), *(a.asname or a.name for a in _aliases(each))]
        if name in names:
            return False
    return True


def _aliases(node: ast.AST) -> list[ast.alias]:
    return node.names if isinstance(node, ast.Import | ast.ImportFrom) else []


def defaults_of(node: ast.FunctionDef) -> dict[str, ast.expr]:
    args = node.args
    positional = [each.arg for each in (*args.posonlyargs, *args.args)]
    pairs = list(zip(reversed(positional), reversed(args.defaults), strict=False))
    named = zip(args.kwonlyargs, args.kw_defaults, strict=True)
    return dict(pairs) | {each.arg: value for each, value in named if value is not None}


def paired_names(target: ast.expr, value: ast.expr) -> list[tuple[str, str]] | None:
    """Return the names of a value with those that they are assigned to."""
    match target, value:
        case ast.Name(id=new), ast.Name(id=name):
            return [(name, new)]
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            parts = [paired_names(*each) for each in zip(targets, values, strict=True)]
            if all(part is not None and len(part) == 1 for part in parts):
                found = [part[0] for part in parts if part]
                return found if len({name for name, _ in found}) == len(found) else None
    return None
