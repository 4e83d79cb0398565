"""The sessions of functions of batches, which become that of the batch."""

from __future__ import annotations

import ast

from ..builder.builder import Builder
from ..program.bindings import uses
from ..program.sessions import SESSION_CLASSES, lazy_session
from ..program.values import is_in_batch
from ..refusals import NotExpressible

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
            if any(module.is_old(maker, cls) for cls in SESSION_CLASSES):
                return True
            lazy = lazy_session(module, maker)
            if lazy is None:
                return False
            _refuse_settings(lazy)
            elsewhere = [e for e in uses(module.tree, maker.id) if not is_in_batch(module, e)]
            if lazy not in builder.removed and not elsewhere:
                builder.removed.append(lazy)
                builder.note(f"`{lazy.name}` is gone: a batch has its session, so none is kept")
            return True
    return False


def _refuse_settings(made_node: ast.AST) -> None:
    """Refuse code that gives the session of a batch settings of its own: they would be lost."""
    for node in ast.walk(made_node):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="config"), args=[], keywords=[ast.keyword(arg="conf")]
            ):
                pass  # the settings of the context, which it has
            case ast.Call(func=ast.Attribute(attr="config")):
                text = "the session of a batch gets settings, which would be lost"
                raise NotExpressible("SESSION_SETTINGS", text, node)
