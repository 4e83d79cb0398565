"""Jobs that a function builds: `StreamingContext.getOrCreate`, or a call of the function.

The function returns what starts its queries; the caller starts them where it started the context.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from ..program.arguments import bound
from ..program.job import JobBlock
from ..program.modules import SourceModule
from ..refusals import NotExpressible
from .writer import Writer

Span = tuple[int, int, str]
CONTROL = ("start", "awaitTermination", "awaitTerminationOrTimeout", "stop")
NOTES = (
    "the new query cannot read the checkpoint of the old job: give it a new folder",
    "the function that builds the job runs at every start; on DStreams it ran only if the "
    "checkpoint folder was empty",
)


@dataclass(frozen=True)
class Created:
    """Where the function that builds a job is called.

    Parameters
    ----------
    statement : ast.Assign
        the statement that gives the context a name
    call : str
        the call of the function, as source
    is_recovered : bool
        whether `getOrCreate` calls it
    """

    statement: ast.Assign
    call: str
    is_recovered: bool


def created(module: SourceModule, job: JobBlock) -> Created:
    """Return the only use of the function that builds a job.

    Raises
    ------
    NotExpressible
        if it is not known
    """
    returned = job.returned
    assert returned is not None
    function = job.block.functions[-1]
    if len(job.block.functions) > 1 or function.decorator_list:
        raise NotExpressible("CREATE", "the job is built in an inner function", function)
    uses = [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Name) and node.id == function.name
    ]
    if len(uses) != 1:
        raise NotExpressible("CREATE", f"`{function.name}` is not used exactly once", function)
    node: ast.AST = uses[0]
    while not isinstance(node, ast.stmt):
        node = module.parents[node]
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        raise NotExpressible("CREATE", "the context that is built is used in another way", node)
    if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        raise NotExpressible("TARGET", "the context is assigned to something else", node)
    call = node.value
    if call.func is uses[0]:
        return Created(node, module.source(call), False)
    is_old = isinstance(call.func, ast.Attribute) and call.func.attr in (
        "getOrCreate",
        "getActiveOrCreate",
    )
    if not (is_old and module.is_old(call.func.value, "StreamingContext")):  # type: ignore[attr-defined]
        raise NotExpressible("CREATE", "the function that builds the job is passed on", call)
    given = bound(call, ("checkpointPath", "setupFunc"))
    if given is None:
        raise NotExpressible("ARGUMENTS", "the arguments of getOrCreate are not known", call)
    _check_folder(module, job, given["checkpointPath"])
    return Created(node, _call(module, given["setupFunc"], uses[0]), True)


def _check_folder(module: SourceModule, job: JobBlock, folder: ast.expr) -> None:
    if job.checkpoint is None:
        raise NotExpressible(
            "CHECKPOINT", "the job sets no checkpoint folder, so it never recovered", folder
        )
    both = [module.constant(each) for each in (folder, job.checkpoint)]
    known = all(isinstance(each, ast.Constant) for each in both)
    if known and ast.dump(both[0]) != ast.dump(both[1]):
        raise NotExpressible(
            "CHECKPOINT", "getOrCreate reads another folder than the job writes", folder
        )


def _call(module: SourceModule, setup: ast.expr, function: ast.Name) -> str:
    """Return the call of the function that `getOrCreate` makes."""
    match setup:
        case ast.Name():
            return f"{function.id}()"
        case ast.Lambda(args=parameters, body=ast.Call(func=ast.Name()) as call) if (
            call.func is function and not ast.unparse(parameters)
        ):
            return " ".join(module.source(call).split())
        case ast.Call(func=partial, args=[first, *others]) if first is function:
            if module.path_of(partial) == "functools.partial":
                rest = [module.source(each) for each in others]
                rest += [
                    f"{each.arg}={module.source(each.value)}" for each in setup.keywords if each.arg
                ]
                return f"{function.id}({', '.join(rest)})"
    raise NotExpressible("CREATE", "the function that builds the job is not known", setup)


def recovery_spans(module: SourceModule, job: JobBlock, writer: Writer) -> Iterator[Span]:
    """Yield what takes the place of the calls of a context that a function has built."""
    assert job.returned is not None
    found = created(module, job)
    if job.controls:
        raise NotExpressible("START", "the context is started where it is built", job.controls[0])
    if found.is_recovered:
        for each in NOTES:
            writer.builder.note(each)
    start, end = module.span(job.returned)
    text = writer.returned(job.returned.col_offset)
    yield start, end, text.lstrip(" ")
    many = len(writer.queries) > 1
    name = module.free_name("writers" if many else "writer")
    yield (*module.span(found.statement), f"{name} = {found.call}")
    yield from _calls(module, found, writer, name)


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
