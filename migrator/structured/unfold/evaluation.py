"""When the parts of a statement are evaluated, and whether that does something."""

from __future__ import annotations

import ast
from itertools import pairwise

from ..program.modules import SourceModule


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
