"""What the statements of a job are."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import Any

from ..refusals import NotExpressible
from .arguments import arguments_of
from .bindings import uses
from .graph import Node, Output
from .modules import Block, SourceModule
from .settings import Conf


@dataclass(eq=False)
class Session:
    """A SparkContext, SparkSession or SQLContext: the session of the result.

    Parameters
    ----------
    is_given : bool
        whether a shell or a platform has made it, under a name of its own
    """

    kind: str = "SparkContext"
    is_given: bool = False


@dataclass(eq=False)
class Streaming:
    """A StreamingContext."""


@dataclass(eq=False)
class Several:
    """A list of streams."""

    nodes: list[Node] = field(default_factory=list)


@dataclass(eq=False)
class Lost:
    """What a step gives that has no form, while the reasons of all steps are collected."""


@dataclass(eq=False)
class Sometimes:
    """What only one branch of an `if` makes."""


@dataclass(frozen=True)
class Remembered:
    """Offsets that a function of `transform` keeps under a global name.

    Parameters
    ----------
    source : Node
        the stream whose offsets they are
    node : Node
        what the function is called with in each batch
    statement : ast.stmt
        the statement that gives the name its value
    start : ast.stmt
        the statement that gives it a value before the first batch
    """

    source: Node
    node: Node
    statement: ast.stmt
    start: ast.stmt


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


@dataclass(eq=False)
class JobBlock:
    """What a block says of its job.

    Parameters
    ----------
    statements : list of ast.stmt
        the statements of the block, in their order; those of a `try` or `with` that has some of the
        job in it are there one by one
    checkpoint : expr, optional
        the folder for checkpoints
    log_levels : dict of stmt to expr
        the statements that set the log level, with the level
    returned : Return, optional
        the statement that returns the context, if a function builds the job
    created : Created, optional
        where this function is called
    folder : str
        the folder of the job in a checkpoint folder
    session : stmt, optional
        the statement at which the session is made
    is_given : bool
        whether a shell or a platform provides it
    notes : list of str
        what an owner has to know
    classic : dict of str to None
        members of the SparkContext that other code uses
    keeps_session : bool
        whether this statement makes a session already, under its name
    streams : dict of stmt to Node
        the streams by the statements that name them
    outputs : list of Output
        the outputs, in order
    dropped : set of stmt
        statements that have no counterpart, or whose part something else in the result has
    controls : list of Call
        calls of the streaming context that control the job
    consumed : set of AST
        the uses of tracked names that are understood
    passed : dict of expr to str
        contexts and sessions that other code has, with their class: that code stays as it is
    py_files : expr, optional
        files of Python that the SparkContext is given for its workers
    expanded : dict of FunctionDef to stmt
        functions whose code takes the place of their only use, with the statement of the use
    remembered : dict of str to Remembered
        offsets of Kafka that are kept under a global name, by the name
    reads_offsets : bool
        whether functions of batches read offsets of Kafka, and the batches stay RDD code
    names : dict of str to object
        what the names of the block mean
    added : set of str
        names that the result has in the block
    made : dict of expr to Node
        the streams that expressions make
    """

    module: SourceModule
    block: Block
    statements: list[ast.stmt] = field(default_factory=list)
    conf: Conf = field(default_factory=Conf)
    interval: ast.expr | None = None
    checkpoint: ast.expr | None = None
    checkpoint_statement: ast.stmt | None = None
    log_levels: dict[ast.stmt, ast.expr] = field(default_factory=dict)
    returned: ast.Return | None = None
    created: Created | None = None
    folder: str = "job"
    session: ast.stmt | None = None
    session_name: str = ""
    keeps_session: bool = False
    is_given: bool = False
    notes: list[str] = field(default_factory=list)
    classic: dict[str, None] = field(default_factory=dict)
    streams: dict[ast.stmt, Node] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    dropped: set[ast.stmt] = field(default_factory=set)
    controls: list[ast.Call] = field(default_factory=list)
    consumed: set[ast.AST] = field(default_factory=set)
    passed: dict[ast.expr, str] = field(default_factory=dict)
    py_files: ast.expr | None = None
    expanded: dict[ast.FunctionDef, ast.stmt] = field(default_factory=dict)
    remembered: dict[str, Remembered] = field(default_factory=dict)
    reads_offsets: bool = False
    names: dict[str, Any] = field(default_factory=dict)
    added: set[str] = field(default_factory=set)
    made: dict[ast.expr, Node] = field(default_factory=dict)

    @property
    def is_recovered(self) -> bool:
        """Whether a start goes on from the checkpoint of the last run; else it begins anew."""
        return self.created is not None and self.created.is_recovered


def only_sometimes(node: ast.Name) -> NotExpressible:
    """Return the refusal of a name that only one branch of an `if` makes a part of the job."""
    text = f"`{node.id}` is made in one branch of an `if` only, or is no stream in it"
    return NotExpressible("BRANCH", text, node)


def words(owner: Any) -> str:
    """Return what a value of a job is, for messages."""
    names = {"Node": "a stream", "Session": "the session", "Streaming": "StreamingContext"}
    names |= {"Conf": "SparkConf", "Receivers": "a list of streams", "Several": "a list of streams"}
    return names[type(owner).__name__]


def known_imports(job: JobBlock) -> dict[str, str]:
    """Return the paths of names that mean an import in all of the module, and before its job."""
    module, late = job.module, set()
    if not job.block.functions:
        built = (stream.lineno for stream in (job.session, *job.streams) if stream is not None)
        first = min(built, default=0)
        late = {*module.import_paths(node for node in module.tree.body if node.lineno > first)}
    return {name: path for name, path in module.global_paths.items() if name not in late}


def find_creation(module: SourceModule, job: JobBlock) -> Created:
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
    uses_found = uses(module.tree, function.name)
    if len(uses_found) != 1:
        raise NotExpressible("CREATE", f"`{function.name}` is not used exactly once", function)
    (use,) = uses_found
    node = module.statement(use)
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        raise NotExpressible("CREATE", "the context that is built is used in another way", node)
    if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
        raise NotExpressible("TARGET", "the context is assigned to something else", node)
    call = node.value
    if call.func is use:
        return Created(node, module.source(call), False)
    match call.func:
        case ast.Attribute(attr="getOrCreate" | "getActiveOrCreate", value=owner) if module.is_old(
            owner, "StreamingContext"
        ):
            pass
        case _:
            raise NotExpressible("CREATE", "the function that builds the job is passed on", call)
    arguments = arguments_of(call, "checkpointPath", "setupFunc")
    _take_folder(module, job, arguments["checkpointPath"], arguments["setupFunc"])
    return Created(node, _call(module, arguments["setupFunc"], use), True)


def _take_folder(module: SourceModule, job: JobBlock, folder: ast.expr, setup: ast.expr) -> None:
    """Let the checkpoint folder be that of `getOrCreate`, which sets it behind the function.

    Raises
    ------
    NotExpressible
        if the function that builds the job cannot name it
    """
    scopes = module.program.scopes
    inside, outside = scopes[job.block.functions[-1]], scopes[module.function(folder)]

    def is_known(node: ast.expr) -> bool:
        names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        return all(inside.owner_of(name) is outside.owner_of(name) for name in names)

    own = job.checkpoint
    if own is not None:
        argument = _arguments_of_setup(job.block.functions[-1], setup).get(
            getattr(own, "id", ""), own
        )
        same = ast.dump(module.constant(argument)) == ast.dump(module.constant(folder))
        if same and (argument is not own or is_known(own)):
            return
    if not is_known(folder):
        text = "the function that builds the job does not know the folder; give it as an argument"
        raise NotExpressible("CHECKPOINT", text, folder)
    job.checkpoint, job.checkpoint_statement = folder, None


def _arguments_of_setup(function: ast.FunctionDef, setup: ast.expr) -> dict[str, ast.expr]:
    """Return what the function that builds a job is given, by the names of its parameters."""
    names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
    match setup:
        case ast.Lambda(body=ast.Call(args=args, keywords=keywords)):
            pass
        case ast.Call(args=[_, *args], keywords=keywords):
            pass
        case _:
            return {}
    return dict(zip(names, args, strict=False)) | {e.arg: e.value for e in keywords if e.arg}


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
                rest = [module.source(other) for other in others]
                named = (keyword for keyword in setup.keywords if keyword.arg)
                rest += [f"{keyword.arg}={module.source(keyword.value)}" for keyword in named]
                return f"{function.id}({', '.join(rest)})"
    raise NotExpressible("CREATE", "the function that builds the job is not known", setup)
