"""The sessions of functions of batches, which become that of the batch."""

from __future__ import annotations

import ast

from ..builder.builder import Builder
from ..program.modules import Block, SourceModule
from ..refusals import NotExpressible

SESSION_CLASSES = ("SparkSession", "SQLContext", "HiveContext")
SESSION_METHODS = frozenset(
    ("sql", "createDataFrame", "table", "read", "conf", "catalog", "range", "version")
)
"""What a session has under Spark Connect, too."""
NO_CONNECT = frozenset(("rdd", "foreachRDD", "toJSON", "sql_ctx", "_jdf", "_sc"))
"""What a DataFrame has not under Spark Connect."""
OLD_VIEW = "registerTempTable"
VIEWS = frozenset(("createOrReplaceTempView", "createTempView", OLD_VIEW))


def makes_session(builder: Builder, node: ast.expr) -> bool:
    """Return whether an expression makes a session, or calls a function that keeps one, now gone.

    Raises
    ------
    NotExpressible
        if the session has settings of its own
    """
    module = builder.module
    match node:
        case ast.Call(func=ast.Attribute(attr="getOrCreate", value=owner)):
            _refuse_settings(owner)
            inner: ast.expr = owner
            while isinstance(inner, ast.Call | ast.Attribute):
                if isinstance(inner, ast.Attribute) and inner.attr == "builder":
                    return module.is_old(inner.value, "SparkSession")
                inner = inner.func if isinstance(inner, ast.Call) else inner.value
            return module.is_old(owner, "SQLContext")
        case ast.Call(func=ast.Name() as maker):
            if any(module.is_old(maker, each) for each in SESSION_CLASSES):
                return True
            lazy = lazy_session(module, maker)
            if lazy is None:
                return False
            _refuse_settings(lazy)
            if lazy not in builder.removed:
                builder.removed.append(lazy)
                builder.note(f"`{lazy.name}` is gone: a batch has its session, so none is kept")
            return True
    return False


def lazy_session(module: SourceModule, maker: ast.Name) -> ast.FunctionDef | None:
    """Return the function of a name, if it makes a session once and returns it."""
    found = Block(module.tree.body).function(maker.id)
    if not isinstance(found, ast.FunctionDef):
        return None
    body = [each for each in found.body if not _is_text(each)]
    match body:
        case [
            ast.If(test=ast.Compare(ops=[ast.NotIn()], comparators=[test]), orelse=[]) as once,
            ast.Return(value=ast.Subscript(value=kept)),
        ]:
            if not (_is_globals(test) and _is_globals(kept)):
                return None
            *prints, made = once.body
            if not all(_is_print(each) for each in prints):
                return None
            match made:
                case ast.Assign(targets=[ast.Subscript(value=target)], value=value):
                    if _is_globals(target) and _has_session_class(module, value):
                        return found
    return None


def _refuse_settings(made: ast.AST) -> None:
    """Refuse code that gives the session of a batch settings of its own: they would be lost."""
    for node in ast.walk(made):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="config"), args=[], keywords=[ast.keyword(arg="conf")]
            ):
                pass  # the settings of the context, which it has
            case ast.Call(func=ast.Attribute(attr="config")):
                text = "the session of a batch gets settings, which would be lost"
                raise NotExpressible("SESSION_SETTINGS", text, node)


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
