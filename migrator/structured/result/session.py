"""The session of a result, with what the contexts of the job were told."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from migrator.spark.since import ANSI, SETTINGS

from ..builder.builder import Builder
from ..dataframes.chains import INDENT, Chain
from ..program.arguments import is_none
from ..program.job import JobBlock
from ..refusals import NotExpressible

if TYPE_CHECKING:
    from .writer import Edit

_SQL = frozenset(("astype", "cast", "expr", "selectExpr", "sql"))
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
            case ast.Call(func=ast.Attribute(attr=name)) if name in _SQL:
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
