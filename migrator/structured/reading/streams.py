"""Reads expressions of a job: which stream, context or session each of them is."""

from __future__ import annotations

import ast
from typing import Any

from migrator.spark.kinds import STREAMS, Kind

from ..program.arguments import arguments_of, bound
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
    gives_session,
    is_context,
    made_before,
)
from ..program.values import holds
from ..refusals import NotExpressible, Reason
from ..registry import OPERATORS, OUTPUTS, SOURCES
from .receivers import Receivers, repeated
from .stages import stage_of
from .transforms import transformed
from .unsupported import check_connector, reason

MODEL = (
    "of the models that learn from streams, only a StreamingKMeans with literal arguments has a "
    "form, if one query trains and asks it"
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
                    made = self._call(node, block, names)
                except NotExpressible as error:
                    return self.refuse(error, node)
                if isinstance(made, Node):
                    self.job.made[node] = made
                return made
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                return self._several(node, elements, block, names)
            case ast.Subscript(value=owner, slice=ast.Constant(value=int(place))):
                found = self.value(owner, block, names)
                if isinstance(found, Several) and place < len(found.nodes):
                    self.job.made[node] = found.nodes[place]
                    return found.nodes[place]
                self.release(owner)
            case ast.ListComp():
                made = repeated(node)
                found = None if made is None else self.value(made, block, names)
                if isinstance(found, Node) and found.operator == "createStream":
                    return Receivers(found)
            case ast.Attribute(attr="sparkContext" | "context" | "ctx"):
                owner = self.value(node.value, block, names)
                return Session() if owner is not None else None
        return None

    def _several(
        self, node: ast.expr, elements: list[ast.expr], block: Block, names: dict[str, Any]
    ) -> Several | None:
        """Return a list of streams; None if it has something else."""
        parts = [self.value(each, block, names) for each in elements]
        nodes = [each for each in parts if isinstance(each, Node)]
        if nodes and len(nodes) == len(parts):
            return Several(nodes)
        if not elements and self._becomes_streams(node):
            return Several()
        for each in elements:
            self.release(each)
        return None

    def _becomes_streams(self, node: ast.expr) -> bool:
        """Return whether streams are put into an empty list that has a name."""
        match self.module.parents[node]:
            case ast.Assign(targets=[ast.Name(id=name)]):
                found = map(self.module.facts.values.get, uses(self.module.tree, name))
                return any(holds(each, STREAMS) for each in found)
        return False

    def _values(self, call: ast.Call, block: Block, names: dict[str, Any]) -> list[Any]:
        """Return what the arguments of a call are."""
        values = [*call.args, *(keyword.value for keyword in call.keywords)]
        return [self.value(each, block, names) for each in values]

    def _context(
        self, call: ast.Call, block: Block, names: dict[str, Any]
    ) -> Session | Streaming | Conf | None:
        """Return the context, session or settings that a call makes, if it makes some."""
        module, job = self.module, self.job
        if module.is_old(call.func, "SparkConf"):
            if call.args or call.keywords:
                raise NotExpressible("SETTING", "this SparkConf is made with arguments", call)
            return Conf()
        before = made_before(module, call)
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
            if any(isinstance(each, Lost) for each in confs):
                return Session()
            job.conf = context_settings(call, next((c for c in confs if isinstance(c, Conf)), None))
            job.py_files = (bound(call, CONTEXT) or {}).get("pyFiles")
            return Session()
        return self._session(call, block, names)

    def _session(
        self, call: ast.Call, block: Block, names: dict[str, Any]
    ) -> Session | Streaming | None:
        """Return the session or StreamingContext that a call makes, if it makes one."""
        module, job = self.module, self.job
        for name in SESSIONS:
            if module.is_old(call.func, name):
                made_of = [self.value(each, block, names) for each in call.args]
                if call.keywords or not any(isinstance(each, Session) for each in made_of[:1]):
                    text = "the session is not made of a SparkContext"
                    raise NotExpressible("CONTEXT", text, call)
                return Session(name)
        if module.is_old(call.func, "StreamingContext"):
            arguments = bound(call, ("sparkContext", "batchDuration")) or {}
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
        for each in ast.walk(call):
            # the session is made as before, so what it is told stays, too
            if isinstance(each, ast.Name) and isinstance(names.get(each.id), Conf):
                self.keep(names[each.id])
        return Session("SparkSession")

    def _call(self, call: ast.Call, block: Block, names: dict[str, Any]) -> Any:
        module = self.module
        made = self._context(call, block, names)
        if made is not None:
            return made
        if not isinstance(call.func, ast.Attribute):
            return self._function(call, block, names)
        path = module.path_of(call.func)
        if path is not None:
            check_connector(path, call)
        if path is not None and path.rpartition(".")[2] in SOURCES:
            # Kafka's are given the context
            given = [*call.args[:1], *(each.value for each in call.keywords if each.arg == "ssc")]
            if any(isinstance(self.value(each, block, names), Streaming) for each in given):
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
        for argument in [*call.args, *(each.value for each in call.keywords)]:
            found = self.value(argument, block, names)
            if isinstance(found, Lost):
                return found
            if isinstance(found, Session):
                self.release(argument)
            elif isinstance(found, Conf):
                self.keep(found)
            elif found is not None:
                if self._is_of_model(call):
                    raise NotExpressible("MODEL", MODEL, call)
                text = f"a function is called with {words(found)}, and is no part of the job"
                raise NotExpressible("FUNCTION", text, call)
        return None

    def _is_of_model(self, call: ast.Call) -> bool:
        """Return whether a call is one of a model that learns from streams."""
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        known = None if owner is None else self.module.facts.values.get(owner)
        return holds(known, {Kind.STREAMING_MODEL})

    def release(self, node: ast.expr) -> None:
        """Leave what is in an expression to other code."""
        self.job.consumed.difference_update(ast.walk(node))

    def _source(self, call: ast.Call, method: str, block: Block) -> Node | None:
        found = SOURCES[method]
        arguments_of(call, *found.parameters)
        return self.add(Node(method, call, (), found.stage, block))

    def _union(self, call: ast.Call, block: Block, names: dict[str, Any]) -> Node | Lost:
        parts: list[Any] = [self.value(each, block, names) for each in call.args]
        if any(isinstance(each, Lost) for each in parts):
            return Lost()
        if len(call.args) == 1 and isinstance(call.args[0], ast.Starred):
            receivers = self.value(call.args[0].value, block, names)
            if isinstance(receivers, Receivers):
                return receivers.node
            if isinstance(receivers, Several):
                parts = list(receivers.nodes)
        nodes = [each for each in parts if isinstance(each, Node)]
        if not nodes or len(nodes) < len(parts):
            raise NotExpressible("UNION", "the streams of the union are not known", call)
        if self._are_shared(nodes):
            return nodes[0]
        return self.add(Node("union", call, tuple(nodes), Stage.ROWS, block))

    def _are_shared(self, parts: list[Node]) -> bool:
        """Return whether streams are receivers of one call: the first of them reads for all."""
        same = len({ast.dump(each.call) for each in parts}) == 1
        if len(parts) < 2 or not same or any(e.operator != "createStream" for e in parts):
            return False
        if any(each.children for each in parts):
            return False
        for each in parts[1:]:
            self.job.nodes.remove(each)
            if each.statement is not None:
                del self.job.streams[each.statement]
                self.job.dropped.add(each.statement)
        return True

    def operator(
        self, owner: Node, call: ast.Call, method: str, block: Block, names: dict[str, Any]
    ) -> Node | Lost:
        """Return the node of a method of a stream or RDD."""
        if method == "transform" and len(call.args) == 1:
            return transformed(self, (owner,), call.args[0], block, names)
        if method == "transformWith" and len(call.args) >= 2:
            other = self.value(call.args[1], block, names)
            if isinstance(other, Lost):
                return other
            if not isinstance(other, Node):
                text = "the other stream of transformWith is not known"
                raise NotExpressible("STREAM", text, call)
            return transformed(self, (owner, other), call.args[0], block, names)
        if method in OUTPUTS:
            raise NotExpressible("NOTHING", f"`{method}` gives None, no stream", call)
        found = OPERATORS.get(method)
        if found is None:
            raise NotExpressible(*reason(method, ""), call)
        arguments = arguments_of(call, *found.parameters)
        parents = [owner]
        for parameter in found.streams:
            if parameter in arguments:
                other = self.value(arguments[parameter], block, names)
                if isinstance(other, Lost):
                    return other
                if not isinstance(other, Node):
                    text = f"the {parameter} of {method} is not known"
                    raise NotExpressible("STREAM", text, call)
                parents.append(other)
        stage = stage_of(method, parents, found.stage, call)
        return self.add(Node(method, call, tuple(parents), stage, block))

    def add(self, node: Node) -> Node:
        """Add a node to the job."""
        self.job.nodes.append(node)
        return node

    def settings_after(self, conf: Conf, call: ast.Call) -> Conf | None:
        """Return the settings after a call of SparkConf, None if it only asks for some."""
        late = conf.is_taken or any(self._changes(each) for each in call.args)
        if conf.set_by(call, self.module) is None or late:
            self.keep(conf)
        return conf if getattr(call.func, "attr", "").startswith("set") else None

    def _changes(self, value: ast.expr) -> bool:
        """Return whether a value may be another one where the session is made."""
        names = (each.id for each in ast.walk(value) if isinstance(each, ast.Name))
        return any(len(stores(self.module.tree, name)) > 1 for name in names)

    def keep(self, conf: Conf) -> None:
        """Let the result have the settings as they are, for what is not known of them."""
        conf.is_kept = True
        # it asks the JVM for its defaults
        self.job.classic.setdefault("SparkConf")
        self.job.dropped.difference_update(conf.statements)
