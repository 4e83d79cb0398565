"""`start`, `awaitTermination` and `stop` of the context, as calls of the queries.

A function that builds a job returns what starts its queries. `StreamingContext.getOrCreate` or the
program calls it, and starts them where it started the context.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from migrator.infer.program import ScopeNode
from migrator.spark.since import OF_SESSION

from ..builder.builder import Builder
from ..dataframes.frames import INDENT, WIDTH
from ..foreach.effects import functions_behind
from ..program.arguments import arguments_of
from ..program.job import Created, JobBlock
from ..program.modules import SourceModule
from ..refusals import NotExpressible
from .writer import Writer

Span = tuple[int, int, str]
CONTROL = ("start", "awaitTermination", "awaitTerminationOrTimeout", "stop")
ERRORS = (
    "an error in a batch ends the query, as it ended the job where that waits for it; else "
    "DStreams went on with the next batch"
)
GRACE = "`stop()` of a query interrupts its batch, where `stopGraceFully` let it end"
NOTES = (
    "the checkpoint of the old job is not read: the new one begins in the folder `{}` in it; with "
    "--state it begins with what `dstream-compat checkpoint export` has written of the old one",
    "the function that builds the job runs at every start; on DStreams it ran only if the "
    "checkpoint folder was empty",
)


def control_spans(module: SourceModule, job: JobBlock, writer: Writer) -> Iterator[Span]:
    """Yield what takes the place of the calls that control the job."""
    names = [*writer.variables.values()]
    if job.created is not None:
        yield from _recovery_spans(module, job, job.created, writer)
        return
    start = _only_start(job.controls, job.block.body[-1])
    _check_in_batches(job, job.controls)
    _note_errors(writer.builder, job.controls)
    session = writer.builder.session
    for call in job.controls:
        match _method(call):
            case "start":
                yield _start(module, call, writer)
            case "stop":
                stops = [f"{name}.stop()" for name in names]
                yield _stop(module, start, call, stops, session, writer.builder)
            case _:
                yield _await(module, call, names, session)


def _recovery_spans(
    module: SourceModule, job: JobBlock, creation: Created, writer: Writer
) -> Iterator[Span]:
    """Yield what takes the place of the calls of a context that a function has built."""
    assert job.returned is not None
    if job.controls:
        raise NotExpressible("START", "the context is started where it is built", job.controls[0])
    if creation.is_recovered:
        builder = writer.builder
        for note in NOTES[1 if builder.carried or builder.positions else 0 :]:
            builder.note(note.format(job.folder))
    text = writer.return_statement(job.returned.col_offset)
    yield (*module.span(job.returned), text.lstrip(" "))
    queries = [*writer.variables.values()]
    many = len(queries) > 1
    name = module.free_name("writers" if many else "writer")
    yield (*module.span(creation.statement), f"{name} = {creation.call}")
    calls, query = _calls(module, creation), "queries" if many else queries[0]
    start = _only_start(calls, creation.statement)
    _check_in_batches(job, calls)
    _note_errors(writer.builder, calls)
    method = "active" if writer.builder.spark >= OF_SESSION["active"] else "getActiveSession"
    session = f"SparkSession.{method}()"
    for call in calls:
        match _method(call):
            case "start":
                _statement(module, call)
                start_text = f"[writer.start() for writer in {name}]" if many else f"{name}.start()"
                yield (*module.span(call), f"{query} = {start_text}")
            case "stop":
                stops = _stop_each("query", query) if many else [f"{query}.stop()"]
                yield _stop(module, start, call, stops, session, writer.builder)
            case _:
                yield _await(module, call, queries, session)


def _calls(module: SourceModule, creation: Created) -> list[ast.Call]:
    """Return the calls of a context that a function has built."""
    target = creation.statement.targets[0]
    assert isinstance(target, ast.Name)
    scopes = module.program.scopes
    scope = module.function(creation.statement)
    assert isinstance(scope, ScopeNode)
    uses = [
        use
        for use, around in module.names_in(scope)
        if use.id == target.id and around.owner_of(use.id) is scopes[scope]
    ]
    if sum(isinstance(use.ctx, ast.Store) for use in uses) != 1:
        raise NotExpressible("TARGET", f"`{target.id}` is assigned several times", target)
    calls = []
    for node in uses:
        if node is target:
            continue
        attribute = module.parents[node]
        call = module.parents[attribute]
        is_control = isinstance(attribute, ast.Attribute) and attribute.attr in CONTROL
        if not is_control or not isinstance(call, ast.Call) or call.func is not attribute:
            raise NotExpressible("USE", f"`{target.id}` is used here in another way", node)
        calls.append(call)
    return calls


def _only_start(calls: Sequence[ast.Call], otherwise: ast.stmt) -> ast.Call:
    """Return the start of a job; refuse a job that is not started exactly once."""
    starts = [call for call in calls if _method(call) == "start"]
    if not starts:
        raise NotExpressible("START", "nothing starts the context: call `start()`", otherwise)
    if len(starts) > 1:
        raise NotExpressible("START", "`start()` is called in several places", starts[1])
    return starts[0]


def _check_in_batches(job: JobBlock, calls: Sequence[ast.Call]) -> None:
    """Refuse a job that stops itself in a function of its batches."""
    for output in job.outputs:
        for argument in (*output.call.args, *(keyword.value for keyword in output.call.keywords)):
            function, block = job.module.function_given(output.block, argument)
            behind = () if function is None else functions_behind(job.module, block, function)
            inside = {node for each in behind for node in ast.walk(each)}
            for call in calls:
                if call in inside:
                    text = "a query that is stopped in its own batch breaks the batch off"
                    raise NotExpressible("CONTROL", text, call)


def _note_errors(builder: Builder, calls: Sequence[ast.Call]) -> None:
    """Say that errors end a job that nothing waits for."""
    if not any(_method(call).startswith("await") for call in calls):
        builder.note(ERRORS)


def _method(call: ast.Call) -> str:
    assert isinstance(call.func, ast.Attribute)
    return call.func.attr


def _statement(module: SourceModule, call: ast.Call) -> ast.Expr:
    """Return the statement that is the call."""
    parent = module.parents[call]
    if not isinstance(parent, ast.Expr):
        raise NotExpressible("CONTROL", "the result of this call is used", call)
    return parent


def _start(module: SourceModule, call: ast.Call, writer: Writer) -> Span:
    statement = _statement(module, call)
    start, end = module.span(statement)
    pad = " " * statement.col_offset
    text = "\n".join(writer.start(len(pad))).lstrip(" ")
    rest = module.text[end : module.starts[module.lines_of(statement)[1]]].rstrip("\n")
    if not rest.strip():
        return start, end + len(rest), text
    if "\n" in text or len(pad + text + rest) > WIDTH:
        # the comment of a line that is too long for it stands above
        return start, end + len(rest), f"{rest.strip()}\n{pad}{text}"
    return start, end, text


def _await(module: SourceModule, call: ast.Call, queries: list[str], session: str) -> Span:
    timeout = "".join(map(module.source, arguments_of(call, "timeout=").values()))
    owner = f"{queries[0]}.awaitTermination"
    if len(queries) > 1:
        owner = f"{session}.streams.awaitAnyTermination"
    return (*module.span(call), f"{owner}({timeout})")


def _stop(
    module: SourceModule,
    start: ast.Call,
    call: ast.Call,
    stops: list[str],
    session: str,
    builder: Builder,
) -> Span:
    statement = _statement(module, call)
    if not _is_behind(module, start, call):
        # the context was there before the start, and the queries are not
        if any(getattr(node, "attr", "") == "writeStream" for node in ast.walk(module.tree)):
            text = "this may run before the start, and the session may have queries of other code"
            raise NotExpressible("CONTROL", text, call)
        stops = _stop_each(module.free_name("started"), f"{session}.streams.active")
    arguments = arguments_of(call, "stopSparkContext=", "stopGraceFully=")
    if not _is_false(arguments.get("stopGraceFully", ast.Constant(False))):
        builder.note(GRACE)
    stops_session = arguments.get("stopSparkContext", ast.Constant(True))
    if not isinstance(stops_session, ast.Constant):
        raise NotExpressible("ARGUMENTS", "`stopSparkContext` is no literal", call)
    if stops_session.value:
        stops = [*stops, f"{session}.stop()"]
    return (*module.span(statement), ("\n" + " " * statement.col_offset).join(stops))


def _stop_each(name: str, queries: str) -> list[str]:
    """Return the lines of a loop that stops queries."""
    return [f"for {name} in {queries}:", f"{INDENT}{name}.stop()"]


def _is_behind(module: SourceModule, start: ast.Call, call: ast.Call) -> bool:
    """Return whether a call cannot run before the job has started."""
    around = {*module.around(call)}
    node: ast.AST = module.statement(start)
    while node is not module.tree:
        parent = module.parents[node]
        blocks = [each for _, each in ast.iter_fields(parent) if isinstance(each, list)]
        later = [each for block in blocks if node in block for each in block[block.index(node) :]]
        if not around.isdisjoint(later[1:]):
            return True
        passes = isinstance(parent, ast.Try) and node in parent.body and not parent.handlers
        if not (passes or isinstance(parent, ast.With)):
            return False
        node = parent
    return False


def _is_false(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and not node.value
