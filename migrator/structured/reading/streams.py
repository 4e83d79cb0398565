"""Reads expressions of a job: which stream, context or session each of them is."""

from __future__ import annotations

import ast
from typing import Any

from migrator.spark.kinds import STREAMS, Kind

from ..program.arguments import arguments_of, bind_arguments
from ..program.bindings import stores, uses
from ..program.graph import Node, Stage
from ..program.job import (
    JobBlock,
    Lost,
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
    Conf,
    context_settings,
    first_context,
    gives_session,
    is_context,
)
from ..program.values import holds
from ..refusals import NotExpressible, Reason
from ..registry import OPERATORS, OUTPUTS, SOURCES
from .receivers import Receivers, repeated_element
from .stages import stage_of
from .transforms import apply_transform
from .unsupported import check_connector, reason

MODEL = (
    "a model that learns from streams has a form if one query trains and asks it, if only its "
    "predictions ask it in batches, and if a StreamingKMeans has literal arguments"
)
SESSIONS = ("SparkSession", "SQLContext", "HiveContext")
CONTROL = ("start", "awaitTermination", "awaitTerminationOrTimeout", "stop")


class Streams:
    """The streams of a job.

    Parameters
    ----------
    module : Module
        the module
    block : Block
        the statements in which the job is built
    job : Job
        the job, to which what is read is added
    """

    def __init__(self, module: SourceModule, block: Block, job: JobBlock) -> None:
        self.module = module
        self.block = block
        self.job = job
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

    def value(self, node: ast.expr, block: Block, names: dict[str, Any]) -> Any:
        """Return what a piece of source is, None if it has nothing to do with the job."""
        match node:
            case ast.Name(id=name):
                if name in names:
                    self.job.consumed.add(node)
                if isinstance(names.get(name), Sometimes):
                    return self.refuse(only_sometimes(node), node)
                return names.get(name)
            case ast.Call():
                try:
                    element = self._call(node, block, names)
                except NotExpressible as error:
                    return self.refuse(error, node)
                if isinstance(element, Node):
                    self.job.made[node] = element
                return element
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return self._several(node, elements, block, names)
            case ast.Subscript(value=owner, slice=ast.Constant(value=int(place))):
                value_found = self.value(owner, block, names)
                if isinstance(value_found, Several) and place < len(value_found.nodes):
                    self.job.made[node] = value_found.nodes[place]
                    return value_found.nodes[place]
                self.release(owner)
            case ast.ListComp():
                element = repeated_element(node)
                value_found = None if element is None else self.value(element, block, names)
                if isinstance(value_found, Node) and value_found.operator == "createStream":
                    return Receivers(value_found)
            case ast.Attribute(attr="sparkContext" | "context" | "ctx"):
                owner = self.value(node.value, block, names)
                return Session() if owner is not None else None
        return None

    def _several(
        self, node: ast.expr, elements: list[ast.expr], block: Block, names: dict[str, Any]
    ) -> Several | None:
        """Return a list of streams; None if it has something else."""
        parts = [self.value(element, block, names) for element in elements]
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

    def _values(self, call: ast.Call, block: Block, names: dict[str, Any]) -> list[Any]:
        """Return what the arguments of a call are."""
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        return [self.value(value, block, names) for value in values]

    def _context(
        self, call: ast.Call, block: Block, names: dict[str, Any]
    ) -> Session | Streaming | Conf | None:
        """Return the context, session or settings that a call makes, if it makes some."""
        module, job = self.module, self.job
        if module.is_old(call.func, "SparkConf"):
            if call.args or call.keywords:
                raise NotExpressible("SETTING", "this SparkConf is made with arguments", call)
            return Conf()
        before = first_context(module, call)
        if before is not None:
            used = self._values(before, block, names)
            if any(isinstance(e, Conf) and e not in used for e in self._values(call, block, names)):
                job.notes.append(
                    f"line {call.lineno}: the settings that `getOrCreate` is given never counted, "
                    "as its context is there already"
                )
            return self._context(before, block, names)
        if is_context(module, call):
            written = [*call.args, *(k.value for k in call.keywords if k.arg == "conf")]
            confs = [self.value(each, block, names) for each in written]
            if any(isinstance(conf, Lost) for conf in confs):
                return Session()
            job.conf = context_settings(call, next((c for c in confs if isinstance(c, Conf)), None))
            job.py_files = (bind_arguments(call, CONTEXT) or {}).get("pyFiles")
            return Session()
        return self._session(call, block, names)

    def _session(
        self, call: ast.Call, block: Block, names: dict[str, Any]
    ) -> Session | Streaming | None:
        """Return the session or StreamingContext that a call makes, if it makes one."""
        module, job = self.module, self.job
        for name in SESSIONS:
            if module.is_old(call.func, name):
                made_of = [self.value(argument, block, names) for argument in call.args]
                if call.keywords or not any(isinstance(node, Session) for node in made_of[:1]):
                    text = "the session is not made of a SparkContext"
                    raise NotExpressible("CONTEXT", text, call)
                return Session(name)
        if module.is_old(call.func, "StreamingContext"):
            arguments = bind_arguments(call, ("sparkContext", "batchDuration")) or {}
            context = arguments.get("sparkContext")
            if context is None or self.value(context, block, names) is None:
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
            if isinstance(node, ast.Name) and isinstance(names.get(node.id), Conf):
                self.keep(names[node.id])
        return Session("SparkSession")

    def _call(self, call: ast.Call, block: Block, names: dict[str, Any]) -> Any:
        module = self.module
        context = self._context(call, block, names)
        if context is not None:
            return context
        if not isinstance(call.func, ast.Attribute):
            return self._function(call, block, names)
        path = module.path_of(call.func)
        if path is not None:
            check_connector(path, call)
        if path is not None and path.rpartition(".")[2] in SOURCES:
            # Kafka's are given the context
            arguments = [
                *call.args[:1],
                *(keyword.value for keyword in call.keywords if keyword.arg == "ssc"),
            ]
            if any(isinstance(self.value(each, block, names), Streaming) for each in arguments):
                return self._source(call, call.func.attr, block)
        owner = self.value(call.func.value, block, names)
        if owner is None:
            return self._function(call, block, names)
        return self._method(owner, call, call.func.attr, block, names)

    def _method(
        self, owner: Any, call: ast.Call, method: str, block: Block, names: dict[str, Any]
    ) -> Any:
        """Return what a method of an object of the job gives."""
        match owner:
            case Lost():
                return owner
            case Conf():
                return self.settings_after(owner, call)
            case Node():
                return self.operator(owner, call, method, block, names)
            case Streaming() | Session() if method in SOURCES:
                return self._source(call, method, block)
            case Streaming() if method == "union":
                return self._union(call, block, names)
            case Session():
                self.release(call)
                return None
        if method in CONTROL:
            return None
        raise NotExpressible(*reason(method, words(owner)), call)

    def _function(self, call: ast.Call, block: Block, names: dict[str, Any]) -> Any:
        """Return a call of a function of the job: refused if it is given a stream or context."""
        for argument in [*call.args, *(keyword.value for keyword in call.keywords)]:
            value = self.value(argument, block, names)
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

    def _source(self, call: ast.Call, method: str, block: Block) -> Node | None:
        source = SOURCES[method]
        arguments_of(call, *source.parameters)
        return self.add(Node(method, call, (), source.stage, block))

    def _union(self, call: ast.Call, block: Block, names: dict[str, Any]) -> Node | Lost:
        parts: list[Any] = [self.value(argument, block, names) for argument in call.args]
        if any(isinstance(part, Lost) for part in parts):
            return Lost()
        if len(call.args) == 1 and isinstance(call.args[0], ast.Starred):
            receivers = self.value(call.args[0].value, block, names)
            if isinstance(receivers, Receivers):
                return receivers.node
            if isinstance(receivers, Several):
                parts = list(receivers.nodes)
        nodes = [part for part in parts if isinstance(part, Node)]
        if not nodes or len(nodes) < len(parts):
            raise NotExpressible("UNION", "the streams of the union are not known", call)
        if self._are_shared(nodes):
            return nodes[0]
        return self.add(Node("union", call, tuple(nodes), Stage.ROWS, block))

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

    def operator(
        self, owner: Node, call: ast.Call, method: str, block: Block, names: dict[str, Any]
    ) -> Node | Lost:
        """Return the node of a method of a stream or RDD."""
        if method == "transform" and len(call.args) == 1:
            return apply_transform(self, (owner,), call.args[0], block, names)
        if method == "transformWith" and len(call.args) >= 2:
            other = self.value(call.args[1], block, names)
            if isinstance(other, Lost):
                return other
            if not isinstance(other, Node):
                text = "the other stream of transformWith is not known"
                raise NotExpressible("STREAM", text, call)
            return apply_transform(self, (owner, other), call.args[0], block, names)
        if method in OUTPUTS:
            raise NotExpressible("NOTHING", f"`{method}` gives None, no stream", call)
        operator = OPERATORS.get(method)
        if operator is None:
            raise NotExpressible(*reason(method, ""), call)
        arguments = arguments_of(call, *operator.parameters)
        parents = [owner]
        for parameter in operator.streams:
            if parameter in arguments:
                other = self.value(arguments[parameter], block, names)
                if isinstance(other, Lost):
                    return other
                if not isinstance(other, Node):
                    text = f"the {parameter} of {method} is not known"
                    raise NotExpressible("STREAM", text, call)
                parents.append(other)
        stage = stage_of(method, parents, operator.stage, call)
        return self.add(Node(method, call, tuple(parents), stage, block))

    def add(self, node: Node) -> Node:
        """Add a node to the job."""
        self.job.nodes.append(node)
        return node

    def settings_after(self, conf: Conf, call: ast.Call) -> Conf | None:
        """Return the settings after a call of SparkConf, None if it only asks for some."""
        late = conf.is_taken or any(self._changes(argument) for argument in call.args)
        if conf.after_call(call, self.module) is None or late:
            self.keep(conf)
        return conf if getattr(call.func, "attr", "").startswith("set") else None

    def _changes(self, value: ast.expr) -> bool:
        """Return whether a value may be another one where the session is made."""
        names = (node.id for node in ast.walk(value) if isinstance(node, ast.Name))
        return any(len(stores(self.module.tree, name)) > 1 for name in names)

    def keep(self, conf: Conf) -> None:
        """Let the result have the settings as they are, for what is not known of them."""
        conf.is_kept = True
        # it asks the JVM for its defaults
        self.job.classic.setdefault("SparkConf")
        self.job.dropped.difference_update(conf.statements)
