"""`start`, `awaitTermination` and `stop` of the context, as calls of the queries."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..dataframes.chains import WIDTH
from ..program.arguments import bound
from ..program.job import JobBlock
from ..program.modules import SourceModule
from ..refusals import NotExpressible
from .recovery import note_grace, recovery_spans
from .writer import Writer

Span = tuple[int, int, str]


def control_spans(module: SourceModule, job: JobBlock, writer: Writer) -> Iterator[Span]:
    """Yield what takes the place of the calls that control the job."""
    if job.returned is not None:
        yield from recovery_spans(module, job, writer)
        return
    starts = [call for call in job.controls if _method(call) == "start"]
    if len(starts) != 1:
        place = starts[1] if starts else job.block.body[-1]
        raise NotExpressible("START", "`start()` must be called exactly once", place)
    for call in job.controls:
        match _method(call):
            case "start":
                yield _start(module, call, writer)
            case "awaitTermination" | "awaitTerminationOrTimeout":
                yield _await(module, call, writer)
            case _:
                yield _stop(module, call, writer)


def _method(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _statement(module: SourceModule, call: ast.Call) -> ast.Expr:
    """Return the statement that is the call."""
    found = module.parents[call]
    if not isinstance(found, ast.Expr):
        raise NotExpressible("CONTROL", "the result of this call is used", call)
    return found


def _start(module: SourceModule, call: ast.Call, writer: Writer) -> Span:
    statement = _statement(module, call)
    start, end = module.span(statement)
    pad = " " * statement.col_offset
    text = "\n".join(writer.start(len(pad))).lstrip(" ")
    rest = module.lines[(statement.end_lineno or statement.lineno) - 1].rstrip("\n")
    rest = rest[end - module.starts[(statement.end_lineno or statement.lineno) - 1] :]
    if not rest.strip():
        return start, end + len(rest), text
    if "\n" in text or len(pad + text + rest) > WIDTH:
        # the comment of a line that is too long for it stands above
        return start, end + len(rest), f"{rest.strip()}\n{pad}{text}"
    return start, end, text


def _await(module: SourceModule, call: ast.Call, writer: Writer) -> Span:
    start, end = module.span(call)
    given = bound(call, ("timeout=",))
    if given is None:
        raise NotExpressible("ARGUMENTS", "the arguments of this call are not known", call)
    timeout = module.source(given["timeout"]) if "timeout" in given else ""
    owner = next(iter(writer.variables.values()))
    method = "awaitTermination"
    if len(writer.queries) > 1:
        owner, method = f"{writer.builder.session}.streams", "awaitAnyTermination"
    return start, end, f"{owner}.{method}({timeout})"


def _stop(module: SourceModule, call: ast.Call, writer: Writer) -> Span:
    statement = _statement(module, call)
    start, end = module.span(statement)
    given = bound(call, ("stopSparkContext=", "stopGraceFully="))
    if given is None:
        raise NotExpressible("ARGUMENTS", "the arguments of this call are not known", call)
    note_grace(writer.builder, call)
    stops = given.get("stopSparkContext", ast.Constant(True))
    if not isinstance(stops, ast.Constant):
        raise NotExpressible("ARGUMENTS", "`stopSparkContext` is no literal", call)
    lines = [f"{name}.stop()" for name in writer.variables.values()]
    if stops.value:
        lines.append(f"{writer.builder.session}.stop()")
    return start, end, ("\n" + " " * statement.col_offset).join(lines)
