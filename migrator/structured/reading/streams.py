"""Reads expressions of a job: which stream, context or session each of them is."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from migrator.spark.kinds import STREAMS, Kind

from ..program.arguments import arguments_of, bind_arguments
from ..program.bindings import names_of, uses
from ..program.graph import WINDOWS, Node, Stage, mapped_state
from ..program.job import (
    JobBlock,
    Lost,
    Remembered,
    Session,
    Several,
    Sometimes,
    Streaming,
    only_sometimes,
    words,
)
from ..program.modules import Block, SourceModule
from ..program.settings import (
    CONTEXT,
    SESSION_CLASSES,
    Conf,
    context_settings,
    first_context,
    gives_session,
    is_context,
)
from ..program.unchanged import stays_the_same
from ..program.values import holds
from ..refusals import NotExpressible, Reason
from ..registry import OPERATORS, OUTPUTS, SOURCES
from .offset_ranges import global_with_offsets, initial, source_of
from .unsupported import REASONS, check_connector, reason

MODEL = (
    "a model that learns from streams has a form if one query trains and asks it, if only its "
    "predictions ask it in batches, and if a StreamingKMeans has literal arguments"
)
TWO_SOURCES = (
    "DStreams join the batches of one interval; Spark joins the streams of two sources across all "
    "batches"
)
MORE = "the function does more than RDD methods"
CONTROL = ("start", "awaitTermination", "awaitTerminationOrTimeout", "stop")


class Streams:
    """The streams of a job.

    Parameters
    ----------
    block : Block
        the statements in which the job is built
    job : Job
        the job, to which what is read is added
    names : dict of str to object
        what names mean there
    """

    def __init__(
        self, module: SourceModule, block: Block, job: JobBlock, names: dict[str, Any]
    ) -> None:
        self.module = module
        self.block = block
        self.job = job
        self.names = names
        # the reasons of all steps, if they are collected
        self.errors: list[Reason] | None = None

    def refuse(self, error: NotExpressible, node: ast.AST | None = None) -> Lost:
        """Note a refusal of some code, and return what takes the place of the step.

        Raises
        ------
        NotExpressible
            the refusal, if it ends the reading
        """
        if self.errors is None:
            raise error
        self.errors.append(error.reason)
        if node is not None:
            self.job.consumed.update(ast.walk(node))
        return Lost()

    def value(self, node: ast.expr) -> Any:
        """Return what a piece of source is, None if it has nothing to do with the job."""
        match node:
            case ast.Name(id=name):
                if name in self.names:
                    self.job.consumed.add(node)
                if isinstance(self.names.get(name), Sometimes):
                    return self.refuse(only_sometimes(node), node)
                return self.names.get(name)
            case ast.Call():
                try:
                    element = self._call(node)
                except NotExpressible as error:
                    return self.refuse(error, node)
                if isinstance(element, Node):
                    self.job.made[node] = element
                return element
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return self._several(node, elements)
            case ast.Subscript(value=owner, slice=ast.Constant(value=int(place))):
                value_found = self.value(owner)
                if isinstance(value_found, Several) and place < len(value_found.nodes):
                    self.job.made[node] = value_found.nodes[place]
                    return value_found.nodes[place]
                self.release(owner)
            case ast.ListComp():
                element = repeated_element(node)
                value_found = None if element is None else self.value(element)
                if isinstance(value_found, Node) and value_found.operator == "createStream":
                    return Receivers(value_found)
            case ast.Attribute(attr="sparkContext" | "context" | "ctx"):
                owner = self.value(node.value)
                return Session() if owner is not None else None
        return None

    def _several(self, node: ast.expr, elements: list[ast.expr]) -> Several | None:
        """Return a list of streams; None if it has something else."""
        parts = [self.value(element) for element in elements]
        nodes = [part for part in parts if isinstance(part, Node)]
        if nodes and len(nodes) == len(parts):
            return Several(nodes)
        if not elements and self._becomes_streams(node):
            return Several()
        for element in elements:
            self.release(element)
        return None

    def _becomes_streams(self, node: ast.expr) -> bool:
        """Return whether streams are put into an empty list that has a name."""
        match self.module.parents[node]:
            case ast.Assign(targets=[ast.Name(id=name)]):
                values = map(self.module.facts.values.get, uses(self.module.tree, name))
                return any(holds(use_value, STREAMS) for use_value in values)
        return False

    def _values(self, call: ast.Call) -> list[Any]:
        """Return what the arguments of a call are."""
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        return [self.value(value) for value in values]

    def _context(self, call: ast.Call) -> Session | Streaming | Conf | None:
        """Return the context, session or settings that a call makes, if it makes some."""
        module, job = self.module, self.job
        if module.is_old(call.func, "SparkConf"):
            if call.args or call.keywords:
                raise NotExpressible("SETTING", "this SparkConf is made with arguments", call)
            return Conf()
        before = first_context(module, call)
        if before is not None:
            used = self._values(before)
            if any(isinstance(e, Conf) and e not in used for e in self._values(call)):
                job.notes.append(
                    f"line {call.lineno}: the settings that `getOrCreate` is given never counted, "
                    "as its context is there already"
                )
            return self._context(before)
        if is_context(module, call):
            written = [*call.args, *(k.value for k in call.keywords if k.arg == "conf")]
            confs = [self.value(each) for each in written]
            if any(isinstance(conf, Lost) for conf in confs):
                return Session()
            job.conf = context_settings(call, next((c for c in confs if isinstance(c, Conf)), None))
            job.py_files = (bind_arguments(call, CONTEXT) or {}).get("pyFiles")
            return Session()
        return self._session(call)

    def _session(self, call: ast.Call) -> Session | Streaming | None:
        """Return the session or StreamingContext that a call makes, if it makes one."""
        module, job = self.module, self.job
        for name in SESSION_CLASSES:
            if module.is_old(call.func, name):
                made_of = [self.value(argument) for argument in call.args]
                if call.keywords or not any(isinstance(node, Session) for node in made_of[:1]):
                    text = "the session is not made of a SparkContext"
                    raise NotExpressible("CONTEXT", text, call)
                return Session(name)
        if module.is_old(call.func, "StreamingContext"):
            arguments = bind_arguments(call, ("sparkContext", "batchDuration")) or {}
            context = arguments.get("sparkContext")
            if context is None or self.value(context) is None:
                text = "the context is not made of a SparkContext"
                if context is not None and holds(
                    module.facts.values.get(context), {Kind.SPARK_CONTEXT}
                ):
                    text = "its SparkContext is made outside of the code that builds the job"
                raise NotExpressible("CONTEXT", text, call)
            if job.interval is not None:
                raise NotExpressible("CONTEXTS", "the job makes two StreamingContexts", call)
            job.interval = arguments["batchDuration"]
            return Streaming()
        if not gives_session(module, call):
            return None
        for node in ast.walk(call):
            # the session is made as before, so what it is told stays, too
            if isinstance(node, ast.Name) and isinstance(self.names.get(node.id), Conf):
                self.keep(self.names[node.id])
        return Session("SparkSession")

    def _call(self, call: ast.Call) -> Any:
        module = self.module
        context = self._context(call)
        if context is not None:
            return context
        if not isinstance(call.func, ast.Attribute):
            return self._function(call)
        path = module.path_of(call.func)
        if path is not None:
            check_connector(path, call)
        if path is not None and path.rpartition(".")[2] in SOURCES:
            # Kafka's are given the context
            named = (keyword.value for keyword in call.keywords if keyword.arg == "ssc")
            arguments = [*call.args[:1], *named]
            if any(isinstance(self.value(each), Streaming) for each in arguments):
                return self._source(call, call.func.attr)
        owner = self.value(call.func.value)
        if owner is None:
            return self._function(call)
        return self._method(owner, call, call.func.attr)

    def _method(self, owner: Any, call: ast.Call, method: str) -> Any:
        """Return what a method of an object of the job gives."""
        match owner:
            case Lost():
                return owner
            case Conf():
                return self.settings_after(owner, call)
            case Node():
                return self.operator(owner, call, method)
            case Streaming() | Session() if method in SOURCES:
                return self._source(call, method)
            case Streaming() if method == "union":
                return self._union(call)
            case Session():
                self.release(call)
                return None
        if method in CONTROL:
            return None
        raise NotExpressible(*reason(method, words(owner)), call)

    def _function(self, call: ast.Call) -> Any:
        """Return a call of a function of the job: refused if it is given a stream or context."""
        for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
            value = self.value(argument)
            if isinstance(value, Lost):
                return value
            if isinstance(value, Session):
                self.release(argument)
            elif isinstance(value, Conf):
                self.keep(value)
            elif value is not None:
                if self._is_of_model(call):
                    raise NotExpressible("MODEL", MODEL, call)
                text = f"a function is called with {words(value)}, and is no part of the job"
                raise NotExpressible("FUNCTION", text, call)
        return None

    def _is_of_model(self, call: ast.Call) -> bool:
        """Return whether a call is one of a model that learns from streams."""
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        model_value = None if owner is None else self.module.facts.values.get(owner)
        return holds(model_value, {Kind.STREAMING_MODEL})

    def release(self, node: ast.expr) -> None:
        """Leave what is in an expression to other code."""
        self.job.consumed.difference_update(ast.walk(node))

    def _source(self, call: ast.Call, method: str) -> Node | None:
        source = SOURCES[method]
        arguments_of(call, *source.parameters)
        return self.add(Node(method, call, (), source.stage, self.block))

    def _union(self, call: ast.Call) -> Node | Lost:
        parts: list[Any] = [self.value(argument) for argument in call.args]
        if any(isinstance(part, Lost) for part in parts):
            return Lost()
        if len(call.args) == 1 and isinstance(call.args[0], ast.Starred):
            receivers = self.value(call.args[0].value)
            if isinstance(receivers, Receivers):
                return receivers.node
            if isinstance(receivers, Several):
                parts = list(receivers.nodes)
        nodes = [part for part in parts if isinstance(part, Node)]
        if not nodes or len(nodes) < len(parts):
            raise NotExpressible("UNION", "the streams of the union are not known", call)
        if self._are_shared(nodes):
            return nodes[0]
        return self.add(Node("union", call, tuple(nodes), Stage.ROWS, self.block))

    def _are_shared(self, parts: list[Node]) -> bool:
        """Return whether streams are receivers of one call: the first of them reads for all."""
        same = len({ast.dump(part.call) for part in parts}) == 1
        if len(parts) < 2 or not same or any(e.operator != "createStream" for e in parts):
            return False
        if any(part.children for part in parts):
            return False
        for part in parts[1:]:
            self.job.nodes.remove(part)
            if part.statement is not None:
                del self.job.streams[part.statement]
                self.job.dropped.add(part.statement)
        return True

    def operator(self, owner: Node, call: ast.Call, method: str) -> Node | Lost:
        """Return the node of a method of a stream or RDD."""
        if method == "transform" and len(call.args) == 1:
            return self._transform((owner,), call.args[0])
        if method == "transformWith" and len(call.args) >= 2:
            other = self.value(call.args[1])
            if isinstance(other, Lost):
                return other
            if not isinstance(other, Node):
                text = "the other stream of transformWith is not known"
                raise NotExpressible("STREAM", text, call)
            return self._transform((owner, other), call.args[0])
        if method in OUTPUTS:
            raise NotExpressible("NOTHING", f"`{method}` gives None, no stream", call)
        operator = OPERATORS.get(method)
        if operator is None:
            raise NotExpressible(*reason(method, ""), call)
        arguments = arguments_of(call, *operator.parameters)
        parents = [owner]
        for parameter in operator.streams:
            if parameter in arguments:
                other = self.value(arguments[parameter])
                if isinstance(other, Lost):
                    return other
                if not isinstance(other, Node):
                    text = f"the {parameter} of {method} is not known"
                    raise NotExpressible("STREAM", text, call)
                parents.append(other)
        stage = stage_of(method, parents, operator.stage, call)
        return self.add(Node(method, call, tuple(parents), stage, self.block))

    def _transform(self, owners: tuple[Node, ...], argument: ast.expr) -> Node | Lost:
        """Return what a function makes of the RDDs of a batch: its RDD methods take its place.

        Raises
        ------
        NotExpressible
            if it does more than call RDD methods
        """
        module = self.module
        function, _ = module.function_given(self.block, argument)
        if function is None:
            text = "the function of `transform` is not known"
            raise NotExpressible("TRANSFORM", text, argument)
        parameters = [each.arg for each in function.args.args]
        remembered = None
        if parameters and len(owners) == 1:
            remembered = global_with_offsets(function, parameters[-1])
        skipped = remembered[1] if remembered else []
        _refuse_unsupported(function, skipped)
        more = len(parameters) - len(owners)
        if function.args.defaults or function.args.vararg or more not in (0, 1):
            text = "the parameters of the function are not known"
            raise NotExpressible("TRANSFORM", text, argument)
        if more and uses(function, parameters[0]):
            text = "the function of `transform` uses the time"
            raise NotExpressible("BATCH_TIME", text, argument)
        if remembered is not None:
            owners = (self._stream_with_offsets(owners[0], *remembered),)
        outside = self.names
        self.names = {**outside, **dict(zip(parameters[-len(owners) :], owners, strict=True))}
        try:
            stream = self.value(self._returned_expression(function, skipped))
        finally:
            self.names = outside
        if isinstance(stream, Lost):
            return stream
        if not isinstance(stream, Node) or owners[0] not in [*stream.path()]:
            raise NotExpressible("TRANSFORM", MORE, argument)
        inside = {*ast.walk(function)}
        for step in stream.path():
            if step.operator == "textFile" and step.call in inside:
                raise NotExpressible("STATIC_DATA", "a file is read for each batch", step.call)
        if isinstance(function, ast.FunctionDef):
            if len(uses(module.tree, function.name)) != 1:
                text = f"`{function.name}` has several uses"
                raise NotExpressible("FUNCTION_USES", text, argument)
            statement = module.statement_in(self.job.statements, argument)
            self.job.expanded[function] = statement
        return stream

    def _stream_with_offsets(self, owner: Node, name: str, statements: list[ast.stmt]) -> Node:
        """Return a stream whose offsets are kept under a global name in each batch."""
        declared, statement = statements
        start = initial(self.module, name)
        if start is None or name in self.job.remembered:
            text = f"`{name}` is more than the offsets of one stream"
            raise NotExpressible("OFFSET_RANGES", text, declared)
        source = source_of(owner, statement)
        assert isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call)
        node = self.add(Node("transform", statement.value, (owner,), owner.stage, owner.block))
        self.job.remembered[name] = Remembered(source, node, statement, start)
        return node

    def _returned_expression(
        self, function: ast.FunctionDef | ast.Lambda, skipped: list[ast.stmt]
    ) -> ast.expr:
        """Return what a function returns, after the RDDs that it gives names to."""
        if isinstance(function, ast.Lambda):
            return function.body
        for statement in function.body:
            if statement in skipped:
                continue
            match statement:
                case ast.Expr(value=ast.Constant()):
                    continue
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    stream = self.value(value)
                    if not isinstance(stream, Node):
                        break
                    self.names[name] = stream
                case ast.Return(value=ast.expr() as value):
                    return value
                case _:
                    break
        raise NotExpressible("TRANSFORM", MORE, function)

    def add(self, node: Node) -> Node:
        """Add a node to the job."""
        self.job.nodes.append(node)
        return node

    def settings_after(self, conf: Conf, call: ast.Call) -> Conf | None:
        """Return the settings after a call of SparkConf, None if it only asks for some."""
        late = conf.is_taken or not (
            self._is_made_here(call) or all(stays_the_same(self.module, each) for each in call.args)
        )
        if conf.after_call(call, self.module) is None or late:
            self.keep(conf)
        return conf if getattr(call.func, "attr", "").startswith("set") else None

    def _is_made_here(self, call: ast.Call) -> bool:
        """Return whether settings are an argument of what is made of them: nothing is between."""
        node: ast.AST = call
        while isinstance(around := self.module.parents[node], ast.Attribute | ast.Call):
            if isinstance(around, ast.Call) and node is not around.func:
                return True
            node = around
        return isinstance(around, ast.keyword)

    def keep(self, conf: Conf) -> None:
        """Let the result have the settings as they are, for what is not known of them."""
        conf.is_kept = True
        # it asks the JVM for its defaults
        self.job.classic.setdefault("SparkConf")
        self.job.dropped.difference_update(conf.statements)


def stage_of(method: str, parents: list[Node], own: Stage, call: ast.Call) -> Stage:
    """Return where the stream of a method is computed.

    Parameters
    ----------
    parents : list of Node
        the streams and static data that it is called with
    own : Stage
        where its operator is computed, if streams are computed row by row

    Raises
    ------
    NotExpressible
        if it works on what was aggregated before, or on other data than Spark can join
    """
    _refuse_static_sides(parents, method, call)
    stage = max(parent.stage for parent in parents)
    if len(parents) > 1 and method != "union":
        stage = max(stage, _batch_stage(parents, call))
    if all(parent.stage is Stage.STATIC for parent in parents):
        return stage
    if method in WINDOWS and mapped_state(parents[0]) is not None:
        return Stage.STATE
    if own is Stage.STATE and any(parent.stage >= Stage.STATE for parent in parents):
        raise NotExpressible("STATE", f"`{method}` works on what was aggregated before", call)
    if any(parent.stage is Stage.STATE for parent in parents):
        return Stage.BATCH
    return max(stage, own)


def _batch_stage(parents: list[Node], call: ast.Call) -> Stage:
    """Return where RDDs of a batch are put together: not in the query, which joins all batches.

    Raises
    ------
    NotExpressible
        if the batches are those of several sources
    """
    streams = [parent for parent in parents if parent.stage is not Stage.STATIC]
    if len(streams) < 2:
        return Stage.STATIC
    sources = {
        node
        for stream in streams
        for node in stream.path()
        if node.is_source and node.stage is not Stage.STATIC
    }
    if len(sources) > 1:
        raise NotExpressible("TWO_SOURCES", TWO_SOURCES, call)
    return Stage.BATCH


def _refuse_static_sides(parents: list[Node], method: str, call: ast.Call) -> None:
    """Refuse what Spark has no streaming plan for: all static rows in every batch.

    Raises
    ------
    NotExpressible
        if static data is on a side all of whose rows are given
    """
    if len(parents) != 2 or all(parent.stage is Stage.STATIC for parent in parents):
        return
    left, right = (parent.stage is Stage.STATIC for parent in parents)
    whole = {"union": left or right, "fullOuterJoin": left or right}
    whole |= {"rightOuterJoin": right, "leftOuterJoin": left}
    whole |= {"subtract": left, "subtractByKey": left}
    if whole.get(method, False):
        raise NotExpressible(
            "STATIC_SIDE", f"`{method}` gives all rows of the static data in every batch", call
        )


def _refuse_unsupported(function: ast.AST, skipped: list[ast.stmt]) -> None:
    """Refuse methods that have no counterpart, outside of some statements."""
    own = {part for statement in skipped for part in ast.walk(statement)}
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and node.attr in REASONS and node not in own:
            raise NotExpressible(*REASONS[node.attr], node)


@dataclass(frozen=True)
class Receivers:
    """A list of receivers that share the partitions of their topics: one source reads them."""

    node: Node


def repeated_element(node: ast.ListComp) -> ast.expr | None:
    """Return what a list has as often as a range says, None if the elements may differ."""
    match node.generators:
        case [
            ast.comprehension(
                target=ast.Name(id=name),
                iter=ast.Call(func=ast.Name(id="range" | "xrange")),
                ifs=[],
                is_async=0,
            )
        ]:
            return None if uses(node.elt, name) else node.elt
    return None


def length_statements(module: SourceModule, block: Block, statement: ast.Assign) -> list[ast.stmt]:
    """Return the statements that bind the lengths of a list, if it is their only use."""
    assert isinstance(statement.value, ast.ListComp)
    names = names_of(statement.value.generators[0].iter)
    statements: list[ast.stmt] = []
    for each in block.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names:
                if len(uses(module.tree, name)) == 2 and _has_no_effect(value):
                    statements.append(each)
    return statements


def _has_no_effect(node: ast.expr) -> bool:
    calls = (inner for inner in ast.walk(node) if isinstance(inner, ast.Call))
    return all(isinstance(e.func, ast.Name) and e.func.id in ("int", "len") for e in calls)


def shared_groups(module: SourceModule, nodes: Iterable[Node]) -> Iterator[NotExpressible]:
    """Yield refusals of receivers that may share records: sources would each read all of them."""
    receivers = [node for node in nodes if node.operator == "createStream"]
    for first, other in combinations(receivers, 2):
        arguments = [
            bind_arguments(each.call, SOURCES["createStream"].parameters) or {}
            for each in (first, other)
        ]
        groups = [_text(module, each.get("groupId")) for each in arguments]
        if None not in groups and groups[0] != groups[1]:
            continue
        topics = [_topics(module, each.get("topics")) for each in arguments]
        if topics[0] is not None and topics[1] is not None and topics[0].isdisjoint(topics[1]):
            continue
        text = "receivers of one group share the records of a topic; sources read all of them each"
        yield NotExpressible("GROUP", text, other.call)


def _text(module: SourceModule, node: ast.expr | None) -> str | None:
    """Return the text that an expression is, None if it is not known."""
    match None if node is None else module.constant(node):
        case ast.Constant(value=str(text)):
            return text
        case ast.Call(func=ast.Name(id="str"), args=[ast.Constant(value=value)], keywords=[]):
            return str(value)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = _text(module, left), _text(module, right)
            return None if parts[0] is None or parts[1] is None else parts[0] + parts[1]
    return None


def _topics(module: SourceModule, node: ast.expr | None) -> set[str] | None:
    match None if node is None else module.constant(node):
        case ast.Dict(keys=keys):
            texts = [_text(module, key) for key in keys]
            return None if None in texts else {text for text in texts if text is not None}
    return None
