"""Jobs that a function builds: `StreamingContext.getOrCreate`, or a call of the function.

The function returns what starts its queries; the caller starts them where it started the context.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..builder.builder import Builder
from ..program.arguments import bound
from ..program.job import Created, JobBlock
from ..program.modules import SourceModule
from ..refusals import NotExpressible
from .writer import Writer

Span = tuple[int, int, str]
CONTROL = ("start", "awaitTermination", "awaitTerminationOrTimeout", "stop")
GRACE = "`stop()` of a query interrupts its batch, where `stopGraceFully` let it end"
NOTES = (
    "the checkpoint of the old job is not read: the new one begins in the folder `{}` in it",
    "the function that builds the job runs at every start; on DStreams it ran only if the "
    "checkpoint folder was empty",
)


def recovery_spans(module: SourceModule, job: JobBlock, writer: Writer) -> Iterator[Span]:
    """Yield what takes the place of the calls of a context that a function has built."""
    found = job.created
    assert job.returned is not None and found is not None
    if job.controls:
        raise NotExpressible("START", "the context is started where it is built", job.controls[0])
    if found.is_recovered:
        for each in NOTES:
            writer.builder.note(each.format(job.folder))
    start, end = module.span(job.returned)
    text = writer.returned(job.returned.col_offset)
    yield start, end, text.lstrip(" ")
    many = len(writer.queries) > 1
    name = module.free_name("writers" if many else "writer")
    yield (*module.span(found.statement), f"{name} = {found.call}")
    yield from _calls(module, found, writer, name)


def note_grace(builder: Builder, call: ast.Call) -> None:
    """Let the report say that a `stop` may have waited for the batch."""
    given = bound(call, ("stopSparkContext=", "stopGraceFully="))
    graceful = (given or {}).get("stopGraceFully", ast.Constant(False))
    if not (isinstance(graceful, ast.Constant) and not graceful.value):
        builder.note(GRACE)


def _calls(module: SourceModule, found: Created, writer: Writer, name: str) -> Iterator[Span]:
    target = found.statement.targets[0]
    assert isinstance(target, ast.Name)
    many = len(writer.queries) > 1
    query = "queries" if many else next(iter(writer.variables.values()))
    started = 0
    for node in _uses(module, target):
        attribute = module.parents[node]
        call = module.parents[attribute]
        known = isinstance(attribute, ast.Attribute) and attribute.attr in CONTROL
        if not known or not isinstance(call, ast.Call) or call.func is not attribute:
            raise NotExpressible("USE", f"`{target.id}` is used here in another way", node)
        assert isinstance(attribute, ast.Attribute)
        parent = module.parents[call]
        start, end = module.span(call)
        match attribute.attr:
            case "start" if isinstance(parent, ast.Expr):
                started += 1
                text = f"{query} = {name}.start()"
                if many:
                    text = f"{query} = [writer.start() for writer in {name}]"
                yield start, end, text
            case "awaitTermination" | "awaitTerminationOrTimeout":
                given = bound(call, ("timeout=",))
                if given is None:
                    raise NotExpressible("ARGUMENTS", "the arguments are not known", call)
                timeout = module.source(given["timeout"]) if "timeout" in given else ""
                owner = "SparkSession.active().streams.awaitAnyTermination"
                yield start, end, f"{owner if many else f'{query}.awaitTermination'}({timeout})"
            case "stop" if isinstance(parent, ast.Expr):
                yield start, end, _stop(call, many, query)
                note_grace(writer.builder, call)
            case _:
                raise NotExpressible("CONTROL", "the result of this call is used", call)
    if started != 1:
        raise NotExpressible("START", "`start()` must be called exactly once", found.statement)


def _stop(call: ast.Call, many: bool, query: str) -> str:
    given = bound(call, ("stopSparkContext=", "stopGraceFully="))
    stops = None if given is None else given.get("stopSparkContext", ast.Constant(True))
    if not isinstance(stops, ast.Constant):
        raise NotExpressible("ARGUMENTS", "the arguments of this call are not known", call)
    pad = "\n" + " " * call.col_offset
    lines = [f"for query in {query}:{pad}    query.stop()" if many else f"{query}.stop()"]
    if stops.value:
        lines.append("SparkSession.active().stop()")
    return pad.join(lines)


def _uses(module: SourceModule, target: ast.Name) -> list[ast.Name]:
    """Return the uses of the context's name where it is assigned."""
    scope: ast.AST = target
    while not isinstance(scope, ast.FunctionDef | ast.Module):
        scope = module.parents[scope]
    found = list(_names(scope, target.id))
    if sum(isinstance(each.ctx, ast.Store) for each in found) != 1:
        raise NotExpressible("TARGET", f"`{target.id}` is assigned several times", target)
    return [each for each in found if each is not target]


def _names(scope: ast.AST, name: str) -> Iterator[ast.Name]:
    """Yield the nodes of a name, without those of functions inside that have their own."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.Name) and node.id == name:
            yield node
        elif not (isinstance(node, ast.FunctionDef | ast.Lambda) and _binds(node, name)):
            yield from _names(node, name)


def _binds(function: ast.FunctionDef | ast.Lambda, name: str) -> bool:
    inside = [*ast.walk(function)]
    if any(isinstance(each, ast.Global | ast.Nonlocal) and name in each.names for each in inside):
        return False
    return any(
        (isinstance(each, ast.arg) and each.arg == name)
        or (isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store))
        for each in inside
    )
