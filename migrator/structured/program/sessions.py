"""Functions of a job that make its session."""

from __future__ import annotations

import ast

from .modules import Block, SourceModule

SESSION_CLASSES = ("SparkSession", "SQLContext", "HiveContext")


def lazy_session(module: SourceModule, maker: ast.Name) -> ast.FunctionDef | None:
    """Return the function of a name, if it makes a session once and returns it."""
    function = Block(module.tree.body).function(maker.id)
    if not isinstance(function, ast.FunctionDef):
        return None
    body = [statement for statement in function.body if not _is_text(statement)]
    match body:
        case [
            ast.If(test=ast.Compare(ops=[ast.NotIn()], comparators=[test]), orelse=[]) as once,
            ast.Return(value=ast.Subscript(value=kept)),
        ]:
            if not (_is_globals(test) and _is_globals(kept)):
                return None
            *prints, last = once.body
            if not all(_is_print(each) for each in prints):
                return None
            match last:
                case ast.Assign(targets=[ast.Subscript(value=target)], value=value):
                    if _is_globals(target) and _has_session_class(module, value):
                        return function
    return None


def _has_session_class(module: SourceModule, value: ast.expr) -> bool:
    for node in ast.walk(value):
        if isinstance(node, ast.Name | ast.Attribute) and any(
            module.is_old(node, name) for name in SESSION_CLASSES
        ):
            return True
    return False


def _is_globals(node: ast.expr) -> bool:
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "globals"
    )


def _is_print(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"), args=[ast.Constant()])):
            return True
    return False


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
