"""Statements that tell the log4j of the JVM its levels: no output of a job depends on them."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from migrator.infer.values import Jvm

from ..program.bindings import stores, uses
from ..program.modules import Block, SourceModule

LOG4J = "org.apache.log4j"
NOTE = "the levels of log4j are not set any more; `spark.sparkContext.setLogLevel` sets that of all"


def log_statements(module: SourceModule, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
    """Return the statements that do nothing but set levels; loggers that log stay."""
    log_calls: list[ast.stmt] = []
    names: set[str] = set()
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_log(
                module, value, names
            ):
                log_calls.append(statement)
                names.add(name)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="setLevel")) as call) if _is_log(
                module, call, names
            ):
                log_calls.append(statement)
            case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if _is_quiet(module, name):
                log_calls.append(statement)
    inside = {node for statement in log_calls for node in ast.walk(statement)}
    used = any(not inside.issuperset(uses(module.tree, name)) for name in names)
    return [] if used else log_calls


def _is_quiet(module: SourceModule, name: str) -> bool:
    """Return whether a function of the module only sets levels."""
    function = Block(module.tree.body).function(name)
    if not isinstance(function, ast.FunctionDef):
        return False
    body = [
        statement
        for statement in function.body
        if not isinstance(getattr(statement, "value", 0), ast.Constant)
    ]
    stored = any(stores(function, argument.arg) for argument in function.args.args)
    return len(log_statements(module, body)) == len(body) > 0 and not stored


def _is_log(module: SourceModule, node: ast.expr, names: set[str]) -> bool:
    """Return whether an expression is of log4j: a class, a logger, or a level."""
    while isinstance(node, ast.Attribute | ast.Call):
        value = module.facts.values.get(node)
        for atom in () if value is None else value.atoms:
            if isinstance(atom, Jvm) and atom.path.startswith(LOG4J):
                return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in names
