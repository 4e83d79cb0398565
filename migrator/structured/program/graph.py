"""The pipeline of a job: streams and static data, each with the call that makes it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum

from ..refusals import NotExpressible
from .bindings import loads
from .modules import Block, SourceModule

WINDOWS = (
    *("window", "reduceByKeyAndWindow", "reduceByWindow"),
    *("countByWindow", "countByValueAndWindow"),
)
"""The methods that make windows."""

TICK_SOURCE = "ticks"
"""The operator of a source that has a batch at each trigger, for what has no source of Spark."""
MQTT = "MQTTUtils"
"""The operator of the messages of a topic of MQTT, which has none."""
EITHER = "if"
"""The operator of one of several streams, as a test says: no method has this name."""

ROW_BY_ROW = frozenset(("map", "filter", "flatMap", "mapValues", "flatMapValues"))
"""The methods that give the same for the rows of several batches together."""


class Stage(IntEnum):
    """Where a DataFrame is computed."""

    STATIC = 0
    """Once: data that is no stream."""
    ROWS = 1
    """In the query, row by row."""
    STATE = 2
    """In the query, with state from batch to batch."""
    BATCH = 3
    """In the function of a batch."""


@dataclass(eq=False)
class Node:
    """A stream, or an RDD of static data.

    Parameters
    ----------
    operator : str
        the method that makes it
    parents : tuple of Node
        what it is made of
    stage : Stage
        where it is computed
    block : Block
        where its functions are looked up
    name : str
        the variable that has it, if there is one
    """

    operator: str
    call: ast.Call
    parents: tuple[Node, ...]
    stage: Stage
    block: Block
    name: str = ""
    statement: ast.stmt | None = None
    children: list[Node] = field(default_factory=list)

    def __post_init__(self) -> None:
        for parent in self.parents:
            parent.children.append(self)

    @property
    def is_source(self) -> bool:
        """Whether it reads from outside."""
        return not self.parents

    def path(self) -> Iterator[Node]:
        """Yield this node and all that it is made of, the nearest first."""
        seen: set[Node] = set()
        waiting = [self]
        while waiting:
            node = waiting.pop(0)
            if node not in seen:
                seen.add(node)
                yield node
                waiting.extend(node.parents)


@dataclass(eq=False)
class Output:
    """An output of a stream.

    Parameters
    ----------
    method : str
        such as ``pprint``
    offsets : Node, optional
        the stream of Kafka whose offsets its function reads
    ranges : tuple of str
        the global names that have these offsets
    conditions : tuple of (expr, bool)
        the tests that it depends on, each with what it has to be, the outermost first
    """

    node: Node
    method: str
    call: ast.Call
    statement: ast.stmt
    block: Block
    offsets: Node | None = None
    ranges: tuple[str, ...] = ()
    conditions: tuple[tuple[ast.expr, bool], ...] = ()


@dataclass(eq=False)
class Query:
    """A query of the result: outputs that are computed together.

    Parameters
    ----------
    outputs : list of Output
        what it computes, in the order of the job
    cut : Node
        the stream whose batches are given to the function
    """

    outputs: list[Output]
    cut: Node

    @property
    def stateful(self) -> bool:
        """Whether its stream has state."""
        return self.cut.stage is Stage.STATE


def mapped_state(node: Node) -> Node | None:
    """Return the `mapWithState` whose records, one by one, a stream has."""
    while node.operator in ROW_BY_ROW:
        (node,) = node.parents
    return node if node.operator == "mapWithState" else None


def queries(outputs: list[Output]) -> list[Query]:
    """Return the queries that compute some outputs."""
    groups: dict[frozenset[Node] | Node, list[Output]] = {}
    for output in outputs:
        path = [*output.node.path()]
        state = next((node for node in path if node.stage is Stage.STATE), None)
        sources = frozenset(n for n in path if n.is_source and n.stage is not Stage.STATIC)
        groups.setdefault(sources if state is None else state, []).append(output)
    return [
        Query(group, key if isinstance(key, Node) else _common_row_stream(group))
        for key, group in groups.items()
    ]


def _common_row_stream(outputs: list[Output]) -> Node:
    """Return the last stream that is computed row by row and that all outputs are made of."""
    common: list[Node] | None = None
    for output in outputs:
        for node in (output.node, *([output.offsets] if output.offsets is not None else [])):
            dominators = _dominators(node)
            common = dominators if common is None else [n for n in common if n in dominators]
    assert common is not None
    stream = next((node for node in common if node.stage is Stage.ROWS), None)
    if stream is None:
        raise NotExpressible(
            "TWO_SOURCES", "the outputs share two sources, but no stream of both", outputs[0].call
        )
    return stream


def _dominators(node: Node) -> list[Node]:
    """Return the streams that everything before this one passes through, the nearest first."""
    nodes = [node]
    while True:
        streams = [p for p in nodes[-1].parents if p.stage is not Stage.STATIC]
        if not streams:
            return nodes
        if len(streams) == 1:
            nodes.append(streams[0])
            continue
        rest = [_dominators(stream) for stream in streams]
        shared = [each for each in rest[0] if all(each in other for other in rest[1:])]
        return nodes + shared


Function = ast.FunctionDef | ast.Lambda


@dataclass(frozen=True)
class BatchFunction:
    """The function of a `foreachRDD`.

    Parameters
    ----------
    rdd : str
        the parameter that is given the RDD
    time : str or None
        the parameter that is given the time, if there is one
    block : Block
        where names in it are looked up
    """

    node: Function
    rdd: str
    time: str | None
    block: Block

    @property
    def statements(self) -> list[ast.stmt]:
        """The statements of a `def`, none of a lambda."""
        return self.node.body if isinstance(self.node, ast.FunctionDef) else []


def batch_function(module: SourceModule, output: Output) -> BatchFunction:
    """Return the function that an output calls.

    Raises
    ------
    NotExpressible
        if it is not known
    """
    argument = output.call.args[0] if output.call.args else output.call.keywords[0].value
    function, outer = module.function_given(output.block, argument)
    if function is None:
        raise NotExpressible("NO_SOURCE", "the function is not written in this file", argument)
    arguments = function.args
    names = [argument.arg for argument in [*arguments.posonlyargs, *arguments.args]]
    other = arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults
    if other or len(names) not in (1, 2):
        raise NotExpressible(
            "PARAMETERS", "the function has other parameters than the time and the RDD", function
        )
    if isinstance(function, ast.Lambda):
        called = _called_function(module, output, function, names)
        if called is not None:
            return called
    time, rdd = (None, names[0]) if len(names) == 1 else (names[0], names[1])
    if isinstance(function, ast.Lambda):
        return BatchFunction(function, rdd, time, output.block)
    if isinstance(argument, ast.Name) and len(loads(module.tree, argument.id)) > 1:
        raise NotExpressible(
            "FUNCTION_USES", f"`{argument.id}` is used in several places", argument
        )
    return BatchFunction(function, rdd, time, Block(function.body, (*outer.functions, function)))


def _called_function(
    module: SourceModule, output: Output, function_given: ast.Lambda, names: list[str]
) -> BatchFunction | None:
    """Return the function that a lambda does nothing but call with its own parameters."""
    match function_given.body:
        case ast.Call(func=ast.Name(id=name) as called, args=arguments, keywords=[]):
            passed = [
                argument.id if isinstance(argument, ast.Name) else None for argument in arguments
            ]
            function, block = module.function_given(output.block, called)
            if not isinstance(function, ast.FunctionDef) or not set(passed) <= {*names}:
                return None
            own = [argument.arg for argument in function.args.args]
            fits = len(own) == len(passed) and names[-1] in passed
            if not fits or len(loads(module.tree, name)) > 1:
                return None
            by_name = dict(zip(passed, own, strict=True))
            time = by_name.get(names[0]) if len(names) == 2 else None
            inner = Block(function.body, (*block.functions, function))
            return BatchFunction(function, by_name[names[-1]], time, inner)
    return None
