"""Reads a job: which of its statements build the session, the streams and the outputs."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from migrator.infer.scopes import locals_of
from migrator.infer.values import Jvm
from migrator.spark import api
from migrator.spark.kinds import STREAMING, STREAMS, Kind

from ..program.arguments import arguments_of, bind_arguments
from ..program.bindings import names_of, stores, uses
from ..program.graph import EITHER, Node, Output, Stage, batch_function
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
from ..program.modules import Block, SourceModule, outer_parts
from ..program.settings import Conf, gives_session, is_context
from ..program.values import CONTEXTS, holds
from ..refusals import NotExpressible
from ..registry import OUTPUTS
from .offset_ranges import find_readers
from .streams import CONTROL, Receivers, Streams, length_statements, shared_groups
from .unsupported import reason

_CONTEXTS = {Kind.SPARK_CONTEXT, Kind.SPARK_SESSION}


class Reader(Streams):
    """Reads one block."""

    def __init__(self, module: SourceModule, block: Block) -> None:
        super().__init__(module, block, JobBlock(module, block), {})
        self.every: set[str] = set()
        self.left: list[ast.stmt] = []
        # how many `if` are around what is read
        self.branches = 0

    def read(self) -> JobBlock | None:
        """Return the job of the block, or None if it builds no StreamingContext.

        Raises
        ------
        NotExpressible
            if something in it has no counterpart
        """
        self.job.statements = [*self._flat_statements(self.block.body)]
        if not any(self._makes_streaming(statement) for statement in self.job.statements):
            return None
        self._provide()
        logs = log_statements(self.module, self.job.statements)
        for statement in logs:
            self.job.dropped.add(statement)
            self.job.consumed.update(ast.walk(statement))
        if logs:
            self.job.notes.append(f"line {logs[0].lineno}: {NOTE}")
        self._read_all(self.block.body)
        for statement in self.left:
            self._check_left(statement)
            self._handle_nested_calls(statement)
        if self.job.interval is None:
            return None
        self._check_names()
        for refusal in shared_groups(self.module, self.job.nodes):
            self.refuse(refusal)
        self._leave_data()
        self._keep_settings()
        for refusal in note_other_uses(self.job, self.every, self.names, self.functions_apart()):
            self.refuse(refusal)
        try:
            self.find_offsets()
        except NotExpressible as error:
            self.refuse(error)
        if not (self.job.outputs or self.errors):
            raise NotExpressible("NO_OUTPUT", "the job has no output", self.block.body[0])
        self._check_conditions()
        self.job.names = self.names
        return self.job

    def _check_left(self, statement: ast.stmt) -> None:
        """Refuse code after an error that gives a name of the job another meaning."""
        for node in ast.walk(statement):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) if name in self.every:
                    text = f"`{name}` is something else after an error"
                    self.refuse(NotExpressible("REBOUND", text, node))

    def _check_conditions(self) -> None:
        """Refuse a job that may have no output, and fails then when it starts."""
        conditions = [
            [(ast.unparse(test), value) for test, value in output.conditions]
            for output in self.job.outputs
        ]
        # one without a test, or two for both values of a test
        pairs = [each[0] for each in conditions if len(each) == 1]
        sure = [] in conditions or any((text, not value) in pairs for text, value in pairs)
        if conditions and not sure:
            call = self.job.outputs[0].call
            text = "each output depends on a test, and a job without outputs does not start"
            self.refuse(NotExpressible("BRANCH", text, call))

    def _read_all(self, body: list[ast.stmt]) -> None:
        """Read statements in their order, and those in them that build a part of the job."""
        for statement in body:
            match statement:
                case ast.Try() | ast.With() if self._builds(statement):
                    self._read_all(statement.body)
                case ast.If(orelse=[]) if self._is_main(statement):
                    self._read_all(statement.body)
                case ast.If() if self._chooses(statement):
                    self._read_branches(statement)
                case _ if statement not in self.job.dropped:
                    try:
                        self._statement(statement)
                    except NotExpressible as error:
                        self._lose(statement, self.refuse(error))

    def _read_branches(self, statement: ast.If) -> None:
        """Read the streams that an `if` makes: those of a name are one from there on."""
        before, branches = self.names, []
        for body in (statement.body, statement.orelse):
            self.names = {**before}
            self.branches += 1
            self._read_all(body)
            self.branches -= 1
            branches.append(self.names)
        self.names = before
        ends = [_never_goes_on(body) for body in (statement.body, statement.orelse)]
        if any(ends):
            # the job goes on with the other branch only
            before |= branches[ends.index(True) - 1]
            return
        first_branch, other = branches
        for name in {**first_branch, **other}:
            pair = first_branch.get(name), other.get(name)
            if pair[0] is pair[1]:
                before[name] = pair[0]
            elif isinstance(pair[0], Node) and isinstance(pair[1], Node):
                before[name] = self.either(name, pair[0], pair[1])
            else:
                before[name] = Sometimes()

    def either(self, name: str, first: Node, other: Node) -> Node | Lost:
        """Return the node of one of two streams that share a name."""
        for node in (first, other):
            if node.stage is not Stage.ROWS:
                text = f"`{name}` is computed in the batches in one branch of an `if`"
                return self.refuse(NotExpressible("BRANCH", text, node.call))
        node = Node(EITHER, other.call, (first, other), Stage.ROWS, self.block, name)
        return self.add(node)

    def check_function(self, output: Output) -> None:
        """Refuse the function of a `foreachRDD` that is not known."""
        batch_function(self.module, output)

    def functions_apart(self) -> set[ast.AST]:
        """Return the code of functions of batches, which is read when it is rewritten."""
        return {
            node
            for output in self.job.outputs
            if output.method == "foreachRDD"
            for node in ast.walk(batch_function(self.module, output).node)
        }

    def find_offsets(self) -> None:
        """Note which outputs read offsets of Kafka."""
        find_readers(self.job)

    def _lose(self, statement: ast.stmt, lost: Lost) -> None:
        """Let the names that a refused statement binds be lost."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Name):
                self.job.consumed.add(node)
                if isinstance(node.ctx, ast.Store):
                    self.names[node.id] = lost

    def _provide(self) -> None:
        """Let the names that a shell or a platform gives be sessions, if nothing binds them."""
        scope = self.module.program.scopes[(self.block.functions or (self.module.tree,))[-1]]
        for name, kind in api.PREDEFINED.items():
            if scope.owner_of(name) is None and kind is not Kind.STREAMING_CONTEXT:
                self.names[name] = Session(kind.value, is_given=True)
                self.every.add(name)

    def _flat_statements(self, body: list[ast.stmt]) -> Iterator[ast.stmt]:
        """Yield statements, and those of a `try` or `with` in which a part of the job is built."""
        for statement in body:
            match statement:
                case ast.Try(handlers=handlers) if self._builds(statement):
                    yield from self._flat_statements(statement.body)
                    self.left += [statement for handler in handlers for statement in handler.body]
                    self.left += [*statement.orelse, *statement.finalbody]
                case ast.With() if self._builds(statement):
                    yield from self._flat_statements(statement.body)
                case ast.If(orelse=[]) if self._is_main(statement):
                    yield from self._flat_statements(statement.body)
                case ast.If() if self._chooses(statement):
                    yield from self._flat_statements([*statement.body, *statement.orelse])
                case _:
                    yield statement

    def _chooses(self, statement: ast.If) -> bool:
        """Return whether an `if` makes streams of a context that is there before it."""
        values = self.module.facts.values
        if any(map(self._makes_streaming, ast.walk(statement))):
            return False
        for part in (*statement.body, *statement.orelse):
            match part:
                case ast.Assign(value=value) if holds(values.get(value), STREAMS):
                    return True
                case ast.If() if self._chooses(part):
                    return True
        return False

    def _is_main(self, statement: ast.If) -> bool:
        """Return whether a statement goes on with the job of the top in the main script."""
        return (
            ast.unparse(statement.test).replace('"', "'") == "__name__ == '__main__'"
            and any(map(self._builds, statement.body))
            and not any(map(self._makes_streaming, ast.walk(statement)))
        )

    def _builds(self, statement: ast.stmt) -> bool:
        """Return whether a statement makes a stream, a context or an output."""
        values = self.module.facts.values
        match statement:
            case ast.Assign(value=ast.Call() as call):
                return holds(values.get(call), STREAMING | _CONTEXTS)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=method))):
                return method in OUTPUTS and holds(values.get(owner), STREAMING)
            case ast.Try(body=body) | ast.With(body=body):
                return any(map(self._builds, body))
        return False

    def _check_names(self) -> None:
        """Refuse a name of several streams, if another than the last one is used by itself."""
        last = {node.name: node for node in self.job.nodes if node.name}
        shown = {output.node for output in self.job.outputs}
        for node in self.job.nodes:
            whole = {*last[node.name].path()} if node.name else set()
            used = node in shown or not whole.issuperset(node.children)
            if node.name and node is not last[node.name] and used:
                text = f"`{node.name}` is the name of several streams"
                self.refuse(NotExpressible("REBOUND", text, node.call))

    def _keep_settings(self) -> None:
        """Let the result have the settings that other code asks for."""
        block = self.block.functions[-1] if self.block.functions else self.module.tree
        scope = self.module.program.scopes[block]
        used = {
            use.id
            for use, around in self.module.names_in(block)
            if not isinstance(use.ctx, ast.Store)
            and use not in self.job.consumed
            and around.owner_of(use.id) is scope
        }
        for name in used & self.names.keys():
            if isinstance(self.names[name], Conf):
                self.keep(self.names[name])
                self.every.discard(name)

    def _leave_data(self) -> None:
        """Leave RDDs to other code that no stream is put together with."""
        used = {node for output in self.job.outputs for node in output.node.path()}
        for node in [node for node in self.job.nodes if node.stage is Stage.STATIC]:
            if node in used:
                continue
            self.job.nodes.remove(node)
            statement = node.statement
            if statement is not None:
                del self.job.streams[statement]
                self.every.discard(node.name)
            self.release(node.call)

    def _makes_streaming(self, statement: ast.AST) -> bool:
        call = statement.value if isinstance(statement, ast.Assign) else None
        return isinstance(call, ast.Call) and self.module.is_old(call.func, "StreamingContext")

    def _statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            value = self.value(statement.value)
            (target,) = statement.targets
            if value is None:
                self._handle_nested_calls(statement)
                return
            if not isinstance(target, ast.Name):
                text = (
                    "a stream or context is assigned to an attribute or item; use a plain variable"
                )
                raise NotExpressible("TARGET", text, target)
            self._note_assignment(statement, target.id, value)
        elif isinstance(statement, ast.Expr) and isinstance(
            (call := _conditional(statement.value)[0]), ast.Call
        ):
            self._handle_call(statement, call)
        elif self._returns_context(statement):
            assert isinstance(statement, ast.Return) and statement.value is not None
            self.job.returned = statement
            self.job.consumed.add(statement.value)
        else:
            self._handle_nested_calls(statement)

    def _returns_context(self, statement: ast.stmt) -> bool:
        """Return whether a statement is the last one, and returns the streaming context."""
        match statement:
            case ast.Return(value=ast.Name(id=name)) if statement is self.block.body[-1]:
                return isinstance(self.names.get(name), Streaming)
        return False

    def _note_assignment(self, statement: ast.Assign, name: str, value: Any) -> None:
        if self.branches and not isinstance(value, Node | Lost):
            text = "a context or its settings depend on an `if`"
            raise NotExpressible("BRANCH", text, statement)
        self.names[name] = value
        self.every.add(name)
        match value:
            case Node():
                if value.name and self.branches:
                    # the name of what an `if` chooses, which stays
                    return
                if value.operator == EITHER:
                    self.job.dropped.add(statement)
                    return
                if value.name:
                    raise NotExpressible("ALIAS", "a stream has a second name", statement)
                value.name, value.statement = name, statement
                self.job.streams[statement] = value
            case Session():
                if self.job.session is None:
                    self.job.session = statement
                    value_node = statement.value
                    self.job.keeps_session = isinstance(value_node, ast.Call) and gives_session(
                        self.module, value_node
                    )
                    self.job.session_name = name if self.job.keeps_session else ""
                else:
                    self.job.dropped.add(statement)
            case Streaming():
                self.job.is_given = self.job.session is None and self._is_given(statement)
                if self.job.is_given or (
                    self.job.session is None and self._makes_context(statement)
                ):
                    self.job.session = statement
                else:
                    # a trigger has the batch interval
                    self.job.dropped.add(statement)
            case Conf():
                value.name = name
                self._set(value, statement)
            case Receivers():
                self.job.dropped.add(statement)
                # as are the statements that give their number
                self.job.dropped.update(length_statements(self.module, self.block, statement))
            case _:
                # the session has the settings, and a union the streams of a list
                self.job.dropped.add(statement)

    def _set(self, conf: Conf, statement: ast.stmt) -> None:
        """Note a statement that makes or changes settings, which the session has."""
        conf.statements.append(statement)
        if not conf.is_kept:
            self.job.dropped.add(statement)

    def _is_given(self, statement: ast.Assign) -> bool:
        """Return whether a statement has a context that is there already."""
        values = map(self.names.get, names_of(statement))
        return any(isinstance(value, Session) and value.is_given for value in values)

    def _makes_context(self, statement: ast.Assign) -> bool:
        """Return whether a statement makes a SparkContext in passing."""
        calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call))
        return any(is_context(self.module, call) for call in calls)

    def _handle_call(self, statement: ast.Expr, call: ast.Call) -> None:
        owner = self.value(call.func.value) if isinstance(call.func, ast.Attribute) else None
        if not isinstance(call.func, ast.Attribute) or owner is None:
            self._handle_nested_calls(statement)
            return
        method = call.func.attr
        if self.branches and not isinstance(owner, Lost | Session):
            text = f"`{method}` depends on an `if` that makes streams, too"
            raise NotExpressible("BRANCH", text, call)
        is_known = isinstance(owner, Lost) or (isinstance(owner, Node) and method in OUTPUTS)
        if call is not statement.value and not is_known:
            raise NotExpressible("BRANCH", f"`{method}` depends on a test", call)
        match owner, method:
            case (
                (Lost(), _)
                | (Node(), "cache" | "persist" | "checkpoint" | "unpersist")
                | (Streaming(), "remember")
            ):
                self.job.dropped.add(statement)
            case Several(), "append" if len(call.args) == 1:
                self._append(owner, statement, call)
            case Node(), _ if method in OUTPUTS:
                self._put_out(owner, statement, call, method)
            case Node(stage=stage), _ if stage is not Stage.STATIC:
                # no output uses the stream, so nothing computes it
                stream = self.value(call)
                self.job.dropped.add(statement)
                if isinstance(stream, Node):
                    self.job.streams[statement] = stream
            case Streaming(), _ if method in CONTROL:
                self.job.controls.append(call)
            case Streaming(), "checkpoint" if arguments := bind_arguments(call, ("directory",)):
                self.job.checkpoint = arguments["directory"]
                self.job.checkpoint_statement = statement
                self.job.dropped.add(statement)
            case Session(is_given=False), "setLogLevel" if arguments := bind_arguments(
                call, ("logLevel",)
            ):
                self.job.log_levels[statement] = arguments["logLevel"]
                self.job.dropped.add(statement)
            case Conf(), _:
                self.settings_after(owner, call)
                self._set(owner, statement)
            case Session() | Node(stage=Stage.STATIC), _:
                self.release(call)
                self._handle_nested_calls(statement)
            case _:
                raise NotExpressible(*reason(method, words(owner)), call)

    def _append(self, streams: Several, statement: ast.Expr, call: ast.Call) -> None:
        """Append a stream to a list of streams."""
        added = self.value(call.args[0])
        if isinstance(added, Node):
            streams.nodes.append(added)
            self.job.dropped.add(statement)
        elif not isinstance(added, Lost):
            raise NotExpressible("USE", "a list has streams and something else", call)

    def _put_out(self, stream: Node, statement: ast.Expr, call: ast.Call, method: str) -> None:
        """Add an output of a stream."""
        arguments_of(call, *OUTPUTS[method][0])
        output = Output(stream, method, call, statement, self.block)
        output.conditions = tuple(_conditional(statement.value)[1])
        if method == "foreachRDD":
            self.check_function(output)
        self.job.outputs.append(output)

    def _handle_nested_calls(self, statement: ast.stmt) -> None:
        """Control calls inside of other statements, which stay where they are."""
        for node in ast.walk(statement):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            owner = node.func.value
            is_known = isinstance(owner, ast.Name) and isinstance(
                self.names.get(owner.id), Streaming
            )
            if is_known and node.func.attr in CONTROL:
                self.job.consumed.add(owner)
                self.job.controls.append(node)


def _conditional(node: ast.expr) -> tuple[ast.expr, list[tuple[ast.expr, bool]]]:
    """Return what an expression is if some tests are as they have to be; else it is None."""
    conditions = []
    while True:
        match node:
            case ast.IfExp(test=test, body=body, orelse=ast.Constant(value=None)):
                conditions.append((test, True))
                node = body
            case ast.IfExp(test=test, body=ast.Constant(value=None), orelse=other):
                conditions.append((test, False))
                node = other
            case _:
                return node, conditions


def _never_goes_on(body: list[ast.stmt]) -> bool:
    """Return whether a block ends the program."""
    match body[-1:]:
        case [ast.Raise()]:
            return True
        case [ast.Expr(value=ast.Call(func=ast.Name(id="exit" | "quit")))]:
            return True
        case [ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name("sys"), attr="exit")))]:
            return True
    return False


def note_other_uses(
    job: JobBlock, names: Collection[str], meaning: Mapping[str, Any], apart: Collection[ast.AST]
) -> Iterator[NotExpressible]:
    """Note the contexts and sessions that other code uses; yield refusals of all other uses.

    Parameters
    ----------
    names : collection of str
        the names of its streams, contexts and sessions
    meaning : mapping of str to object
        what these names mean
    apart : collection of AST
        code that is read when it is rewritten
    """
    module, block = job.module, job.block
    function = block.functions[-1] if block.functions else module.tree
    for node in ast.walk(function):
        if (
            node not in apart
            and isinstance(node, ast.Name)
            and not isinstance(node.ctx, ast.Store)
            and node.id in names
            and node not in job.consumed
            and not _is_own(job, node)
        ):
            try:
                _note(job, node, meaning.get(node.id))
            except NotExpressible as error:
                yield error


def _note(job: JobBlock, node: ast.Name, owner: Any) -> None:
    parent = job.module.parents[node]
    has_context = isinstance(owner, Session | Streaming)
    if has_context and isinstance(parent, ast.Attribute) and parent.attr in CONTEXTS:
        job.passed[parent] = "SparkContext"
        return
    if isinstance(owner, Lost):
        return
    if isinstance(owner, Sometimes | None):
        # no name means anything behind a branch that ends the program
        raise only_sometimes(node)
    if not isinstance(owner, Session):
        text = f"`{node.id}` is used here in another way; it is {words(owner)}"
        raise NotExpressible("USE", text, node)
    if getattr(parent, "attr", "") == "stop":
        if _is_of_shell(job, node):
            return
        _check_stop(job, node)
    if owner.is_given:
        # it is there under its name
        if owner.kind == "SparkContext":
            job.classic.setdefault(getattr(parent, "attr", node.id))
        return
    if owner.kind == "SparkContext" and getattr(parent, "attr", "") == "stop":
        job.passed[node] = "SparkSession"  # which stops its context
    else:
        job.passed[node] = owner.kind


def _is_of_shell(job: JobBlock, node: ast.Name) -> bool:
    """Return whether a context that is stopped is the one of a shell, as the job makes its own
    under that name later.
    """
    session = job.session
    place = node.lineno, node.col_offset
    before = session is not None and place < (session.lineno, session.col_offset)
    if not before or job.block.functions or job.is_given or node.id not in api.PREDEFINED:
        return False
    alone = [*map(job.module.statement, stores(job.module.tree, node.id))] == [session]
    if alone:
        job.classic.setdefault("stop")
    return alone


def _check_stop(job: JobBlock, node: ast.Name) -> None:
    """Refuse a session that is stopped before the streams are made: it would be that of the job."""
    statements = [*job.streams, *(output.statement for output in job.outputs)]
    last = max((each.lineno for each in statements), default=0)
    around = [*job.module.around(node)]
    place = next((at for at, outer in enumerate(around) if outer in job.statements), None)
    if place is None or node.lineno >= last:
        return
    # functions that the job defines run later
    if not any(isinstance(e, ast.FunctionDef | ast.Lambda) for e in around[: place + 1]):
        raise NotExpressible("CONTEXTS", "a context is stopped before the job begins", node)


def _is_own(job: JobBlock, node: ast.Name) -> bool:
    """Return whether a function around a name binds this name for itself."""
    for parent in job.module.around(node):
        if parent in job.block.functions:
            break
        is_function = isinstance(parent, ast.FunctionDef | ast.Lambda)
        # defaults are computed outside of the function
        outside = any(node in ast.walk(part) for part in outer_parts(parent))
        if is_function and not outside and node.id in locals_of(parent):
            return True
    return False


LOG4J = "org.apache.log4j"
NOTE = "the levels of log4j are not set any more; `spark.sparkContext.setLogLevel` sets that of all"


def log_statements(module: SourceModule, statements: Iterable[ast.stmt]) -> list[ast.stmt]:
    """Return the statements that do nothing but set levels; loggers that log stay."""
    log_calls: list[ast.stmt] = []
    names: set[str] = set()
    for statement in statements:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_log(
                module, value, names
            ):
                log_calls.append(statement)
                names.add(name)
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="setLevel")) as call) if _is_log(
                module, call, names
            ):
                log_calls.append(statement)
            case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if _is_quiet(module, name):
                log_calls.append(statement)
    inside = {node for statement in log_calls for node in ast.walk(statement)}
    used = any(not inside.issuperset(uses(module.tree, name)) for name in names)
    return [] if used else log_calls


def _is_quiet(module: SourceModule, name: str) -> bool:
    """Return whether a function of the module only sets levels."""
    function = Block(module.tree.body).function(name)
    if not isinstance(function, ast.FunctionDef):
        return False
    values = ((each, getattr(each, "value", None)) for each in function.body)
    body = [each for each, value in values if not isinstance(value, ast.Constant)]
    stored = any(stores(function, argument.arg) for argument in function.args.args)
    return len(log_statements(module, body)) == len(body) > 0 and not stored


def _is_log(module: SourceModule, node: ast.expr, names: set[str]) -> bool:
    """Return whether an expression is of log4j: a class, a logger, or a level."""
    while isinstance(node, ast.Attribute | ast.Call):
        value = module.facts.values.get(node)
        for atom in () if value is None else value.atoms:
            if isinstance(atom, Jvm) and atom.path.startswith(LOG4J):
                return True
        node = node.func if isinstance(node, ast.Call) else node.value
    return isinstance(node, ast.Name) and node.id in names
