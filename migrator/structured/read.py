"""Reads a job: which of its statements build the session, the streams and the outputs."""

from __future__ import annotations

import ast
from typing import Any

from .graph import WINDOWS, Node, Output, Stage, mapped_state
from .job import Job, Session, Streaming, words
from .modules import Block, Module
from .offset_ranges import find_readers
from .receivers import Receivers, inlined, only_used_in, repeated
from .refusals import NotExpressible
from .registry import OPERATORS, OUTPUTS, SOURCES, bound
from .settings import Conf, context_settings, is_builder
from .sources.refused import check_connector, check_method
from .transforms import batch_stage, refuse_static_sides, transformed
from .understood import refuse_other_uses
from .unsupported import reason

CONTROL = ("start", "awaitTermination", "awaitTerminationOrTimeout", "stop")


class Reader:
    """Reads one block."""

    def __init__(self, module: Module, block: Block) -> None:
        self.job = Job(module, block)
        self.module = module
        self.block = block
        self.names: dict[str, Any] = {}
        self.every: set[str] = set()

    def read(self) -> Job | None:
        """The job of the block, or None if it builds no StreamingContext.

        Raises
        ------
        NotExpressible
            if something in it has no counterpart
        """
        if not any(self._makes_streaming(each) for each in self.block.body):
            return None
        for statement in self.block.body:
            self._statement(statement)
        if self.job.interval is None:
            return None
        refuse_other_uses(self.job, self.every)
        find_readers(self.job)
        if not self.job.outputs:
            raise NotExpressible("NO_OUTPUT", "the job has no output", self.block.body[0])
        self.job.names = self.names
        return self.job

    def _makes_streaming(self, statement: ast.stmt) -> bool:
        return (
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, ast.Call)
            and self.module.is_old(statement.value.func, "StreamingContext")
        )

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            value = self.value(statement.value, self.block, self.names)
            (target,) = statement.targets
            if value is None:
                self._nested(statement)
                return
            if not isinstance(target, ast.Name):
                raise NotExpressible(
                    "TARGET",
                    "a stream or context is assigned to something else than a name",
                    target,
                )
            self._assigned(statement, target.id, value)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            self._called(statement, statement.value)
        elif self._returns_context(statement):
            assert isinstance(statement, ast.Return) and statement.value is not None
            self.job.returned = statement
            self.job.consumed.add(statement.value)
        else:
            self._nested(statement)

    def _returns_context(self, statement: ast.stmt) -> bool:
        """Whether a statement is the last one, and returns the streaming context."""
        match statement:
            case ast.Return(value=ast.Name(id=name)) if statement is self.block.body[-1]:
                return isinstance(self.names.get(name), Streaming)
        return False

    def _assigned(self, statement: ast.Assign, name: str, value: Any) -> None:
        self.names[name] = value
        self.every.add(name)
        match value:
            case Node():
                if value.name:
                    raise NotExpressible("ALIAS", "a stream has a second name", statement)
                value.name, value.statement = name, statement
                self.job.streams[statement] = value
            case Session():
                if self.job.session is None:
                    self.job.session = statement
                    makes_session = self.module.source(statement.value).rstrip().endswith(
                        ".getOrCreate()"
                    ) and "builder" in self.module.source(statement.value)
                    self.job.keeps_session = makes_session
                    self.job.session_name = name if makes_session else ""
                else:
                    self.job.dropped[statement] = "the session has it"
            case Streaming():
                if self.job.session is None and self._makes_context(statement):
                    self.job.session = statement
                else:
                    self.job.dropped[statement] = "a trigger has the batch interval"
            case Conf():
                self.job.dropped[statement] = "the session has the settings"
            case Receivers():
                self.job.dropped[statement] = "one source reads what the receivers share"
                for each in only_used_in(self.module, self.block, statement):
                    self.job.dropped[each] = "it is the number of receivers"

    def _makes_context(self, statement: ast.Assign) -> bool:
        """Whether a statement makes a SparkContext in passing."""
        return any(
            isinstance(node, ast.Call) and self.module.is_old(node.func, "SparkContext")
            for node in ast.walk(statement)
        )

    def _called(self, statement: ast.Expr, call: ast.Call) -> None:
        owner = (
            self.value(call.func.value, self.block, self.names)
            if isinstance(call.func, ast.Attribute)
            else None
        )
        if not isinstance(call.func, ast.Attribute) or owner is None:
            self._nested(statement)
            return
        method = call.func.attr
        match owner:
            case Node() if method in OUTPUTS:
                if bound(call, OUTPUTS[method][0]) is None:
                    raise NotExpressible("ARGUMENTS", f"the arguments of {method}", call)
                self.job.outputs.append(Output(owner, method, call, statement, self.block))
            case Node() if method in ("cache", "persist", "checkpoint", "unpersist"):
                self.job.dropped[statement] = f"`{method}` changes no result"
            case Streaming() if method in CONTROL:
                self.job.controls.append(call)
            case Streaming() if method == "checkpoint" and len(call.args) == 1:
                self.job.checkpoint = call.args[0]
                self.job.dropped[statement] = "the query has the checkpoint folder"
            case Streaming() if method == "remember":
                self.job.dropped[statement] = "Structured Streaming keeps what it needs"
            case Session() if method == "setLogLevel":
                self.job.dropped[statement] = (
                    "the log level belongs to log4j2.properties; Spark Connect has no other way"
                )
            case Conf():
                self._configured(owner, call)
                self.job.dropped[statement] = "the session has the settings"
            case _:
                raise NotExpressible(*reason(method, words(owner)), call)

    def _configured(self, conf: Conf, call: ast.Call) -> Conf:
        found = conf.set_by(call)
        if found is None:
            raise NotExpressible("SETTING", "this call of SparkConf is not known", call)
        return found

    def _nested(self, statement: ast.stmt) -> None:
        """Control calls inside of other statements, which stay where they are."""
        for node in ast.walk(statement):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            owner = node.func.value
            known = isinstance(owner, ast.Name) and isinstance(self.names.get(owner.id), Streaming)
            if known and node.func.attr in CONTROL:
                self.job.consumed.add(owner)
                self.job.controls.append(node)

    def value(self, node: ast.expr, block: Block, names: dict[str, Any]) -> Any:
        """What a piece of source is, None if it has nothing to do with the job."""
        match node:
            case ast.Name(id=name):
                if name in names:
                    self.job.consumed.add(node)
                return names.get(name)
            case ast.Call():
                return self._call(node, block, names)
            case ast.ListComp():
                made = repeated(node)
                found = None if made is None else self.value(made, block, names)
                if isinstance(found, Node) and found.operator == "createStream":
                    return Receivers(found)
            case ast.Attribute(attr="sparkContext" | "context" | "ctx"):
                owner = self.value(node.value, block, names)
                return Session() if owner is not None else None
        return None

    def _call(self, call: ast.Call, block: Block, names: dict[str, Any]) -> Any:
        module, job = self.module, self.job
        if module.is_old(call.func, "SparkConf"):
            return Conf()
        if module.is_old(call.func, "SparkContext"):
            confs = [self.value(k.value, block, names) for k in call.keywords if k.arg == "conf"]
            job.conf = context_settings(call, confs[0] if confs else None)
            return Session()
        if module.is_old(call.func, "StreamingContext"):
            given = bound(call, ("sparkContext", "batchDuration"))
            if given is None or self.value(given["sparkContext"], block, names) is None:
                raise NotExpressible("CONTEXT", "the context is not made of a SparkContext", call)
            if job.interval is not None:
                raise NotExpressible("CONTEXTS", "the job makes two StreamingContexts", call)
            job.interval = given["batchDuration"]
            return Streaming()
        if not isinstance(call.func, ast.Attribute):
            return self._function(call, block, names)
        path = module.path_of(call.func)
        if path is not None:
            check_connector(path, call)
        connector = path is not None and path.rpartition(".")[2] in SOURCES and call.args
        if connector and isinstance(self.value(call.args[0], block, names), Streaming):
            return self._source(call, call.func.attr, block)
        if is_builder(module, call):
            return Session()
        owner = self.value(call.func.value, block, names)
        if owner is None:
            return self._function(call, block, names)
        match owner:
            case Conf():
                return self._configured(owner, call)
            case Node():
                return self.operator(owner, call, call.func.attr, block, names)
            case Streaming() | Session() if call.func.attr in SOURCES:
                return self._source(call, call.func.attr, block)
            case Streaming() if call.func.attr == "union":
                return self._union(call, block, names)
        if call.func.attr in CONTROL:
            return None
        check_method(call.func.attr, call)
        raise NotExpressible(*reason(call.func.attr, words(owner)), call)

    def _function(self, call: ast.Call, block: Block, names: dict[str, Any]) -> Any:
        """A call of a function of the job: refused if it is given a stream or context.

        A function that does nothing but start a receiver is read where it is called.
        """
        made = inlined(self.module, block, call)
        if made is not None:
            found = self.value(made[1], block, names)
            if isinstance(found, Node) and found.is_source:
                self.job.expanded[made[0]] = self.module.statement_in(self.block, call)
                return found
        for argument in [*call.args, *(each.value for each in call.keywords)]:
            if self.value(argument, block, names) is not None:
                raise NotExpressible(
                    "FUNCTION", "a function is called with a stream, context or session", call
                )
        return None

    def _source(self, call: ast.Call, method: str, block: Block) -> Node:
        found = SOURCES[method]
        if bound(call, found.parameters) is None:
            raise NotExpressible("ARGUMENTS", f"the arguments of {method} are not known", call)
        return self.add(Node(method, call, (), found.stage, block))

    def _union(self, call: ast.Call, block: Block, names: dict[str, Any]) -> Node:
        parts = [self.value(each, block, names) for each in call.args]
        if len(call.args) == 1 and isinstance(call.args[0], ast.Starred):
            receivers = self.value(call.args[0].value, block, names)
            if isinstance(receivers, Receivers):
                return receivers.node
        if not parts or not all(isinstance(each, Node) for each in parts):
            raise NotExpressible("UNION", "the streams of the union are not known", call)
        return self.add(Node("union", call, tuple(parts), Stage.ROWS, block))

    def operator(
        self, owner: Node, call: ast.Call, method: str, block: Block, names: dict[str, Any]
    ) -> Node:
        """The node of a method of a stream or RDD."""
        if method == "transform" and len(call.args) == 1:
            return transformed(self, (owner,), call.args[0], block, names)
        if method == "transformWith" and len(call.args) >= 2:
            other = self.value(call.args[1], block, names)
            if not isinstance(other, Node):
                raise NotExpressible(
                    "STREAM", "the other stream of transformWith is not known", call
                )
            return transformed(self, (owner, other), call.args[0], block, names)
        found = OPERATORS.get(method)
        if found is None:
            raise NotExpressible(*reason(method, ""), call)
        given = bound(call, found.parameters)
        if given is None:
            raise NotExpressible("ARGUMENTS", f"the arguments of {method} are not known", call)
        parents = [owner]
        for parameter in found.streams:
            if parameter in given:
                other = self.value(given[parameter], block, names)
                if not isinstance(other, Node):
                    raise NotExpressible(
                        "STREAM", f"the {parameter} of {method} is not known", call
                    )
                parents.append(other)
        refuse_static_sides(parents, method, call)
        stage = max(parent.stage for parent in parents)
        if len(parents) > 1 and method != "union":
            stage = max(stage, batch_stage(parents, call))
        if owner.stage is not Stage.STATIC or any(p.stage is not Stage.STATIC for p in parents):
            stage = max(stage, found.stage)
            if found.stage is Stage.ROWS and any(p.stage is Stage.STATE for p in parents):
                stage = Stage.BATCH
            if method in WINDOWS and mapped_state(owner) is not None:
                stage = Stage.STATE
            elif found.stage is Stage.STATE and any(p.stage >= Stage.STATE for p in parents):
                raise NotExpressible(
                    "STATE", f"`{method}` works on what was aggregated before", call
                )
            elif any(p.stage is Stage.STATE for p in parents):
                stage = Stage.BATCH
        return self.add(Node(method, call, tuple(parents), stage, block))

    def uses(self, name: str) -> int:
        """How often a name is used."""
        loads = (n for n in ast.walk(self.module.tree) if isinstance(n, ast.Name))
        return sum(n.id == name for n in loads)

    def add(self, node: Node) -> Node:
        """Adds a node to the job."""
        self.job.nodes.append(node)
        return node
