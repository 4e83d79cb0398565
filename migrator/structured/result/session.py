"""The session of a result: what contexts of the job were told, and what other code has of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from migrator.infer.scopes import locals_of
from migrator.spark.since import ANSI, SETTINGS
from migrator.structured.program.graph import batch_function

from ..builder.builder import Builder
from ..dataframes.frames import INDENT, Chain
from ..foreach.body import SESSION_METHODS
from ..program.arguments import is_none
from ..program.job import JobBlock
from ..program.modules import SourceModule
from ..refusals import NotExpressible

if TYPE_CHECKING:
    from .writer import Edit

_SQL_METHODS = frozenset(("astype", "cast", "expr", "selectExpr", "sql"))
LOG_LEVEL = "spark.log.level"
CHECKPOINTS = "spark.sql.streaming.checkpointLocation"
"""The folder in which each start of a query gets a new folder of its own."""


def write_session(job: JobBlock, builder: Builder, edits: Mapping[ast.stmt, Edit]) -> None:
    """Write the session, the folder of its checkpoints and its log level."""
    if job.session is None:
        raise NotExpressible("SESSION", "no SparkContext is made here", job.block.body[0])
    _log_level(job, builder, edits)
    if builder.printer.needs_ansi:
        _ansi(job, builder)
    indent = job.session.col_offset
    if job.checkpoint_statement is not None and not job.is_recovered:
        assert job.checkpoint is not None
        folder = builder.source(job.checkpoint)
        code = Chain(f"{builder.session}.conf").call("set", f'"{CHECKPOINTS}"', folder)
        text = builder.printer.statement("", code, job.checkpoint_statement.col_offset)
        edits[job.checkpoint_statement].outside.insert(0, text)
    edit = edits[job.session]
    if job.keeps_session:
        edit.outside.insert(0, " " * indent + builder.module.source(job.session))
        for place, (key, value) in enumerate(builder.settings.items(), 1):
            code = Chain(f"{job.session_name}.conf").call("set", f'"{key}"', f'"{value}"')
            edit.outside.insert(place, builder.printer.statement("", code, indent))
        return
    code = Chain("SparkSession.builder")
    for method, arguments in job.conf.builder_calls():
        texts = (
            argument if isinstance(argument, str) else builder.source(argument)
            for argument in arguments
        )
        code = code.call(method, *texts)
    for key, value in builder.settings.items():
        code = code.call("config", f'"{key}"', f'"{value}"')
    code = code.call("getOrCreate")
    edit.outside[:0] = [
        builder.printer.statement(f"{builder.session} = ", code, indent),
        *_py_files(job, builder, indent),
    ]


def _py_files(job: JobBlock, builder: Builder, indent: int) -> Iterator[str]:
    """Yield the statements that give workers the files of a context."""
    if job.py_files is None or is_none(job.py_files):
        return
    code = Chain(f"{builder.session}.sparkContext")
    if isinstance(job.py_files, ast.List | ast.Tuple):
        for element in job.py_files.elts:
            added = code.call("addPyFile", builder.source(element))
            yield builder.printer.statement("", added, indent)
    else:
        pad, name = " " * indent, builder.module.free_name("path", "py_file")
        yield f"{pad}for {name} in {builder.source(job.py_files)}:"
        yield builder.printer.statement("", code.call("addPyFile", name), indent + len(INDENT))
    builder.job.classic.setdefault("addPyFile")


def _log_level(job: JobBlock, builder: Builder, edits: Mapping[ast.stmt, Edit]) -> None:
    """Write the log level: a setting, which Spark Connect takes too, if its value is known."""
    match [*job.log_levels.values()]:
        case [ast.Constant(value=str(level))] if not (
            job.keeps_session
            or job.is_given
            or _may_exist(job)
            or builder.spark < SETTINGS[LOG_LEVEL]
        ):
            builder.settings[LOG_LEVEL] = level
            return
    for statement, node in job.log_levels.items():
        code = Chain(f"{builder.session}.sparkContext")
        code = code.call("setLogLevel", builder.source(node))
        text = builder.printer.statement("", code, statement.col_offset)
        edits[statement].outside.append(text)
        builder.note(
            f"line {statement.lineno}: `setLogLevel` stays; take it out for Spark Connect, which "
            "has no SparkContext"
        )


def _ansi(job: JobBlock, builder: Builder) -> None:
    """Let expressions raise where Python does, as Spark 4 lets them without a setting."""
    own = _own_sql(builder)
    if own:
        builder.differs(
            "ANSI",
            f"`{ANSI}` is true in the session, so that {own} of the job raises where it gave NULL",
            job.block.body[0],
        )
    builder.settings[ANSI] = "true"


def _own_sql(builder: Builder) -> str:
    """Return SQL of the job itself that ANSI may change, empty if there is none."""
    for node in ast.walk(builder.module.first or builder.module.tree):
        match node:
            case ast.Call(func=ast.Attribute(attr=name)) if name in _SQL_METHODS:
                return f"`{name}`"
            case ast.Constant(value=str(value)) if value == ANSI:
                return f"`{ANSI}`"
            case ast.ImportFrom(module=str(module)) if module.startswith("pyspark.sql.functions"):
                return f"`{module}`"
            case ast.alias(name="functions" | "pyspark.sql.functions" as name):
                return f"`{name}`"
    return ""


def _may_exist(job: JobBlock) -> bool:
    """Return whether a context may be there before the job, which takes no settings any more."""
    assert job.session is not None
    return any(
        isinstance(node, ast.Attribute) and node.attr == "getOrCreate"
        for node in ast.walk(job.session)
    )


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
