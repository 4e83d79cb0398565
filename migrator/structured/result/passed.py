"""Contexts and sessions that other code of the job has: those of the session of the result."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from migrator.infer.scopes import locals_of

from ..builder.builder import Builder
from ..foreach.body import SESSION_METHODS
from ..program.graph import batch_function
from ..program.job import JobBlock
from ..program.modules import SourceModule
from ..refusals import NotExpressible

if TYPE_CHECKING:
    from .writer import Edit

Span = tuple[int, int, str]
_SQL = SESSION_METHODS | {"udf", "readStream", "streams", "newSession"}
"""What a SQLContext and a session have under one name."""
_MOVED = {
    "cacheTable": "catalog.cacheTable",
    "clearCache": "catalog.clearCache",
    "dropTempTable": "catalog.dropTempView",
    "getConf": "conf.get",
    "isCached": "catalog.isCached",
    "refreshTable": "catalog.refreshTable",
    "registerFunction": "udf.register",
    "setConf": "conf.set",
    "uncacheTable": "catalog.uncacheTable",
}
"""What a session has for other methods of a SQLContext, with the same positional arguments."""


def passed_spans(builder: Builder, job: JobBlock, edits: Mapping[ast.stmt, Edit]) -> Iterator[Span]:
    """Yield what takes the place of contexts and sessions in other code.

    Raises
    ------
    NotExpressible
        if the session of the result is not known there, or is not the same
    """
    module = builder.module
    replaced = {node for statement in edits for node in ast.walk(statement)}
    functions = [] if builder.batch_code else _of_batches(module, job)
    in_batches = {node for function in functions for node in ast.walk(function)}
    for node, kind in job.passed.items():
        name = module.source(node)
        if node in replaced:
            text = f"`{name}` is used in a statement that builds a stream"
            raise NotExpressible("USE", text, node)
        if node in in_batches and not builder.batch_code:
            text = f"`{name}` is used in a batch, which has a session of its own"
            raise NotExpressible("USE", text, node)
        yield from context_span(builder, job, node, kind)


def context_span(builder: Builder, job: JobBlock, node: ast.expr, kind: str) -> Iterator[Span]:
    """Yield what takes the place of a context or session, if its name is not the same.

    Raises
    ------
    NotExpressible
        if it has a member that the session has not, or the session's name is another one there
    """
    module, name, session = builder.module, builder.module.source(node), builder.session
    parent = module.parents[node]
    method = parent.attr if isinstance(parent, ast.Attribute) else ""
    place, text = node, session
    if kind in ("SQLContext", "HiveContext") and method not in _SQL:
        place, text = _of_session(module, parent, session, method or kind)
    if kind == "SparkContext":
        text += ".sparkContext"
        builder.job.classic.setdefault(method or name)
    around: ast.AST = node
    while around is not module.tree and around not in job.block.functions:
        around = module.parents[around]
        hidden = isinstance(around, ast.FunctionDef | ast.Lambda) and around not in (
            job.block.functions
        )
        if hidden and session in locals_of(around):
            raise NotExpressible("NAME", f"`{session}` has another meaning here", node)
    if text != name:
        yield (*module.span(place), text)


def _of_session(
    module: SourceModule, member: ast.AST, session: str, method: str
) -> tuple[ast.expr, str]:
    """Return what takes the place of a method of a SQLContext that a session has elsewhere."""
    call = module.parents[member]
    if isinstance(member, ast.Attribute) and isinstance(call, ast.Call) and not call.keywords:
        if method in _MOVED:
            return member, f"{session}.{_MOVED[method]}"
        if method == "tableNames" and not call.args:
            return call, f"[table.name for table in {session}.catalog.listTables()]"
    raise NotExpressible("USE", f"a session has no `{method}`", member)


def _of_batches(module: SourceModule, job: JobBlock) -> list[ast.AST]:
    """Return the functions that functions of batches name, directly or not."""
    functions: dict[str, list[ast.AST]] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            functions.setdefault(node.name, []).append(node)
    waiting: list[ast.AST] = [
        batch_function(module, output).node
        for output in job.outputs
        if output.method == "foreachRDD"
    ]
    nodes: list[ast.AST] = []
    while waiting:
        for node in ast.walk(waiting.pop()):
            name = getattr(node, "id", "") or getattr(node, "attr", "")
            news = [function for function in functions.get(name, ()) if function not in nodes]
            nodes += news
            waiting += news
    return nodes
