"""`foreachRDD`: the function of a batch, or a call in it."""

from __future__ import annotations

import ast
from dataclasses import replace

from migrator.source.spans import with_spans

from ..builder.builder import Builder
from ..builder.standard import datetime_class
from ..dataframes.frames import WIDTH, Chain
from ..foreach.actions import ranges
from ..foreach.body import Body, Span, place_of
from ..foreach.effects import refuse_effects
from ..foreach.statements import statements_of
from ..program.bindings import names_of, uses
from ..program.graph import BatchFunction, Function, Output, batch_function
from ..program.job import Session
from ..program.modules import SourceModule
from ..refusals import NotExpressible
from ..registry import output
from .lines import named_frame

LOGS = frozenset(("debug", "info", "warning", "warn", "error", "critical", "exception", "log"))
TIME = "`{}` is the time of the batch; Structured Streaming knows only when a batch is computed"
"""What an owner has to know of a parameter that is more than a label."""


@output(
    "foreachRDD",
    "func",
    reason="the function of a batch is given a DataFrame with the same records",
)
def foreach_rdd(builder: Builder, output: Output) -> list[str]:
    function = batch_function(builder.module, output)
    # a batch has a session of its own, which takes the place of the driver's
    sessions = [
        name for name, own_name in builder.job.names.items() if isinstance(own_name, Session)
    ]
    ranges = {*output.ranges, *sessions}
    try:
        refuse_effects(builder.module, output.block, function.node, ranges)
    except NotExpressible as error:
        if not builder.unsafe:
            raise
        builder.note(error.reason.text)
    lines = _offsets(builder, output)
    if isinstance(function.node, ast.Lambda):
        return [*lines, *_lambda(builder, output, function, function.node)]
    query = builder.query
    assert query is not None
    node = function.node
    direct = query.outputs == [output] and output.node is query.cut and not output.ranges
    direct = direct and not (query.stateful or output.conditions)
    own = names_of(node) - {function.rdd}
    generic = function.rdd.lower().endswith("rdd")
    name = "batch" if generic and "batch" not in own else function.rdd
    frame = builder.frame(output.node).with_value_columns()
    body = Body(builder, output, function, replace(frame, code=Chain(name)))
    edits = body.rewrite()
    first, last = node.args.args[0], node.args.args[-1]
    start, end = builder.module.span(first)[0], builder.module.span(last)[1]
    parameters = f"{name}, {builder.batch_id}" if direct else ", ".join((name, *output.ranges))
    edits.append((start, end, parameters))
    edits += _time(builder, function, node)
    builder.edits += edits
    if direct:
        builder.direct[query] = node.name
        return []
    argument = builder.printer.expression(frame.code)
    if builder.indent + len(node.name) + len(argument) + 2 > WIDTH:
        argument, statement = named_frame(builder, frame)
        lines.append(statement)
    arguments = ", ".join((argument, *output.ranges))
    return [*lines, f"{' ' * builder.indent}{node.name}({arguments})"]


def _offsets(builder: Builder, output: Output) -> list[str]:
    """Return the statements that give offsets of the batch the job's names, once in a query."""
    query = builder.query
    assert query is not None
    lines = []
    for name in output.ranges:
        remembered = builder.job.remembered[name]
        if remembered.start not in builder.removed:
            builder.removed.append(remembered.start)
        if all(
            name not in earlier.ranges for earlier in query.outputs[: query.outputs.index(output)]
        ):
            rows = ranges(builder, Chain(builder.batch), output.call)
            lines.append(builder.printer.statement(f"{name} = ", rows, builder.indent))
    return lines


def _time(builder: Builder, function: BatchFunction, node: ast.FunctionDef) -> list[Span]:
    text = _time_statement(builder, function)
    if text is None:
        return []
    first = next(
        (
            statement
            for statement in node.body
            if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        ),
        node.body[-1],
    )
    place = builder.module.starts[first.lineno - 1]
    return [(place, place, f"{' ' * first.col_offset}{text}\n")]


def _time_statement(builder: Builder, function: BatchFunction) -> str | None:
    """Return the statement that takes the place of the parameter; None if the time is not used."""
    if function.time is None or not uses_time(builder, function.node, function.time):
        return None
    if isinstance(function.node, ast.Lambda):
        text = "the time of the batch is used in a lambda"
        raise NotExpressible("BATCH_TIME", text, function.node)
    return f"{function.time} = {time_of_batch(builder)}"


def time_of_batch(builder: Builder) -> str:
    """Return what takes the place of the time of a batch, as source."""
    return f"{datetime_class(builder)}.now().replace(microsecond=0)"


def uses_time(builder: Builder, function: Function, name: str) -> bool:
    """Return whether a function uses the time of a batch, which is noted then.

    Raises
    ------
    NotExpressible
        if the time is more than a label of what is printed
    """
    uses_found = uses(function, name)
    for node in uses_found:
        if not _is_label(builder.module, node, function):
            builder.differs("BATCH_TIME", TIME.format(name), node)
    if uses_found:
        builder.note(
            f"`{name}` is the time at which the batch is computed, no longer that of its interval"
        )
    return bool(uses_found)


def _is_label(module: SourceModule, node: ast.AST, function: ast.AST) -> bool:
    """Return whether a use is part of what is printed or logged."""
    while node is not function:
        node = module.parents[node]
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id="print"):
                    return not any(keyword.arg == "file" for keyword in node.keywords)
                case ast.Attribute(attr=attr) if attr in LOGS:
                    return True
                case ast.Attribute(attr="strftime" | "format" | "isoformat") | ast.Name(id="str"):
                    continue
                case _:
                    return False
    return False


def _lambda(
    builder: Builder, output: Output, function: BatchFunction, node: ast.Lambda
) -> list[str]:
    _time_statement(builder, function)
    lines: list[str] = []
    frame = builder.frame(output.node).with_value_columns()
    start, end = builder.module.span(node.body)
    text = builder.module.text[start:end]
    width = len(builder.printer.expression(frame.code)) + len(text.partition("\n")[0])
    if not frame.code.is_name and (
        len(uses(node.body, function.rdd)) > 1 or builder.indent + width > WIDTH
    ):
        name, statement = named_frame(builder, frame)
        lines.append(statement)
        frame = replace(frame, code=Chain(name))
    body = Body(builder, output, function, frame)
    edits = body.rewrite()
    edits += _without_comments(builder.module, start, end, edits)
    for statement in statements_of(with_spans(text, edits, start)):
        code = statement.lstrip(" ")
        indent = builder.indent + len(statement) - len(code)
        lines += _statement_lines(code, node, indent)
    return lines


def _without_comments(module: SourceModule, start: int, end: int, edits: list[Span]) -> list[Span]:
    """Return the edits that take out comments: those of a statement stand above it."""
    parts = []
    for comment in module.comments:
        first = place_of(module, comment)
        last = first + len(comment.text)
        if start <= first < end and not any(s <= first < e for s, e, _ in edits):
            text_before = module.text[:first].rstrip(" \t")
            parts.append((len(text_before), last + text_before.endswith("\n"), ""))
    return parts


def _statement_lines(text: str, node: ast.Lambda, indent: int) -> list[str]:
    """Return the lines of a lambda's code as a statement at an indentation."""
    if text.endswith(":"):
        return [" " * indent + text]
    first, *others = (line.rstrip() for line in text.split("\n"))
    parts = [inner for inner in ast.walk(node) if isinstance(inner, ast.Constant | ast.JoinedStr)]
    if others and any(part.lineno != part.end_lineno for part in parts):
        raise NotExpressible("LAMBDA", "the lambda has a text of several lines", node)
    deepest = min((len(line) - len(line.lstrip()) for line in others if line.strip()), default=0)
    closing = others and others[-1].strip()[:1] in (")", "]", "}")
    inner = 0 if closing else 4
    moved = [" " * (indent + inner) + line[deepest:] if line else "" for line in others]
    if _parses(text):
        return [" " * indent + first, *moved]
    if not _parses(f"({text})") or closing:
        raise NotExpressible("LAMBDA", "the lambda is no statement of its own", node)
    pad = " " * indent
    return [f"{pad}(", f"{pad}    {first}", *moved, f"{pad})"]


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True
