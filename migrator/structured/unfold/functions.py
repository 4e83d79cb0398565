"""What functions of a module are: their uses, their names, and how they end."""

from __future__ import annotations

import ast
from itertools import pairwise

from migrator.infer.program import ScopeNode
from migrator.infer.scopes import bindings
from migrator.infer.values import Function

from ..program.bindings import uses
from ..program.modules import SourceModule, parts_at_once
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
    for use in uses_found:
        call = module.parents[use]
        if not (isinstance(call, ast.Call) and call.func is use):
            return None
        if getattr(function_of(module, call), "info", None) is not function.info:
            return None
    return len(uses_found)


def is_straight(node: ast.FunctionDef, body: list[ast.stmt]) -> bool:
    """Return whether the code of a function runs to its end, and returns only there."""
    for inner in parts_at_once(*node.body):
        if isinstance(inner, ast.Yield | ast.YieldFrom | ast.Await | ast.Global | ast.Nonlocal):
            return False
        if isinstance(inner, ast.Name) and inner.id in ("locals", "super", "vars", "eval", "exec"):
            return False
    # what stands behind the body never runs
    returns = (inner for inner in parts_at_once(*body) if isinstance(inner, ast.Return))
    return all(inner is body[-1] for inner in returns)


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
                pairs = [part[0] for part in parts if part]
                return pairs if len({*dict(pairs)}) == len(pairs) else None
    return None


def is_first(statement: ast.stmt, call: ast.Call, module: SourceModule) -> bool:
    """Return whether nothing else of a statement is evaluated before a call, or matters."""
    for node, parent in pairwise(module.around(call)):
        if node is statement:
            break
        match parent:
            case ast.Call(func=func, args=args) if node in args:
                before = [func, *args[: args.index(node)]]
                if not all(map(_is_still, before)):
                    return False
            case ast.Call(func=func) if node is func:
                pass
            case ast.Attribute() | ast.Starred() | ast.Expr() | ast.Return():
                pass
            case ast.Assign() | ast.AnnAssign():
                pass
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                if not all(map(_is_still, parts[: parts.index(node)])):  # type: ignore[arg-type]
                    return False
            case _:
                return False
    return True


def _is_still(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Constant) or (
        isinstance(node, ast.Attribute) and _is_still(node.value)
    )


def makes_object(node: ast.expr) -> bool:
    """Return whether an expression makes an object that can change: a list, a dict or a set."""
    kinds = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
    return any(isinstance(inner, kinds) for inner in ast.walk(node))


def is_pure(node: ast.expr) -> bool:
    """Return whether evaluating an expression does nothing."""
    pure = (ast.Name, ast.Constant, ast.Attribute, ast.Subscript, ast.expr_context)
    return all(isinstance(inner, pure) for inner in ast.walk(node))


def does_something(value: ast.expr | None) -> bool:
    return any(isinstance(node, ast.Call) for node in ast.walk(value)) if value else False
