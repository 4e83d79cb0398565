"""Rewrites the code of a function of batches in place."""

from __future__ import annotations

import ast
import re

from migrator.infer.scopes import locals_of
from migrator.structured.dataframes.frames import WIDTH, Chain

from ..builder.builder import GROUPS, Builder
from ..dataframes.frames import Frame
from ..program.bindings import loads, stores, uses
from ..program.graph import BatchFunction, Node, Output, Stage
from ..program.job import Session
from ..program.modules import Comment, SourceModule
from ..program.settings import SESSION_CLASSES, lazy_session
from ..program.values import is_in_batch
from ..reading.streams import Streams
from ..reading.unsupported import REASONS
from ..refusals import NotExpressible
from .actions import ACTIONS, action, created_frame, to_df
from .records import Uses
from .sessions import (
    OLD_VIEW,
    QUERIES,
    VIEWS,
    check_query,
    check_session,
    check_view,
    makes_view,
)

Span = tuple[int, int, str]
ROWS = len("[tuple(row) for row in ]")
HOISTED = {"orderBy": ["ordered"], "where": ["selected"], "select": ["selected"]}
HOISTED |= {"count": ["counts", "counted"]}
"""Variables for frames that are too long for their line, by their last method."""
SESSION_METHODS = frozenset(
    ("sql", "createDataFrame", "table", "read", "conf", "catalog", "range", "version")
)
"""What a session has under Spark Connect, too."""
NO_CONNECT = frozenset(("rdd", "foreachRDD", "toJSON", "sql_ctx", "_jdf", "_sc"))
"""What a DataFrame has not under Spark Connect."""
SHARED = "broadcasts and accumulators need a SparkContext, which Spark Connect has not"
KEPT = frozenset(("cache", "persist", "unpersist"))


class Body:
    """The code of one function, in which the RDD of a batch becomes a DataFrame.

    Parameters
    ----------
    output : Output
        the output that calls the function
    frame : Frame
        the records of a batch, under the name that they have in the function
    """

    def __init__(
        self, builder: Builder, output: Output, function: BatchFunction, frame: Frame
    ) -> None:
        self.builder = builder
        self.module = builder.module
        self.function = function
        self.uses = Uses(self.module, function.node)
        self.edits: list[Span] = []
        self.statement: ast.stmt | None = None
        # what its names are
        self.names: dict[str, Node | Session] = {}
        own = locals_of(function.node)
        self.outer = {k: v for k, v in builder.job.names.items() if k not in own}
        self.rows: dict[str, ast.Call] = {}
        self.frame = frame
        self.streams = Streams(self.module, function.block, builder.job, self.names)
        node = Node("rdd", output.call, (output.node,), Stage.BATCH, function.block)
        output.node.children.remove(node)
        builder.give(node, frame)
        self.names[function.rdd] = node
        self.frames: set[str] = set()
        self._values: dict[ast.expr, Node | None] = {}

    def rewrite(self) -> list[Span]:
        """Return the edits of the function's code."""
        check_session(self.builder)
        node = self.function.node
        if isinstance(node, ast.Lambda):
            self._expression(node.body)
        else:
            nested = [each for each in node.body if isinstance(each, ast.FunctionDef)]
            for statement in node.body:
                if statement not in nested:
                    self._statement(statement)
            for function in nested:
                self._local_function(function)
            self._drop_sessions(node)
        return self.edits

    def _drop_sessions(self, function: ast.FunctionDef) -> None:
        """Take out sessions that nothing uses any more."""
        for node in ast.walk(function):
            match node:
                case ast.Assign(targets=[ast.Name(id=name)]) if isinstance(
                    self.names.get(name), Session
                ):
                    read = [self.module.span(load)[0] for load in loads(function, name)]
                    if all(any(s <= at < e for s, e, _ in self.edits) for at in read):
                        self.drop(node)

    def _local_function(self, function: ast.FunctionDef) -> None:
        """Handle a local function: it goes with the calls that it was given to, else it stays."""
        used = [self.module.span(node) for node in uses(self.function.node, function.name)]
        word = re.compile(rf"\b{function.name}\b")
        around = [[new for s, e, new in self.edits if s <= at < e] for at, _ in used]
        if used and all(news and not any(map(word.search, news)) for news in around):
            self.drop(function, with_empty=True)
        else:
            self._children(function)

    def _statement(self, statement: ast.stmt) -> None:
        try:
            self._rewrite_statement(statement)
        except NotExpressible as error:
            if self.builder.errors is None:
                raise
            self.builder.errors.append(error.reason)

    def _rewrite_statement(self, statement: ast.stmt) -> None:
        self.statement = statement
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self._assignment(statement, name, value)
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=attr)) as call) if (
                attr in KEPT and isinstance(stream := self.value(owner), Node)
            ):
                code = self.builder.frame(stream).code
                if not code.is_name or call.args or call.keywords:
                    raise NotExpressible("USE", f"`{attr}` of an RDD without a name", call)
                self.edit(owner, code.root)
            case _:
                self._children(statement)

    def _assignment(self, statement: ast.Assign, name: str, value: ast.expr) -> None:
        if isinstance(value, ast.Call) and self._is_rows(value):
            self.rows[name] = value
            self.drop(statement)
            return
        stream = self.value(value)
        session = self.session(value)
        if stream is None and session is None:
            self._expression(value)
            if self._is_frame(value):
                self.frames.add(name)
            return
        if len(stores(self.function.node, name)) != 1 or name == self.function.rdd:
            raise NotExpressible("REBOUND", f"`{name}` is assigned several times", statement)
        if isinstance(stream, Node):
            self.names[name] = stream
            if stream.operator == GROUPS:
                self.drop(statement)
                return
            frame_name = self.builder.define(stream, name)
            self.edit(statement, self.code(f"{name} = ", frame_name.code, statement).lstrip(" "))
        elif session is not None:
            self.names[name] = Session()
            self.edit(value, session)

    def _is_frame(self, value: ast.expr) -> bool:
        """Return whether a value was made a DataFrame here."""
        while isinstance(value, ast.Call | ast.Attribute):
            if isinstance(value, ast.Attribute) and value.attr in ("toDF", "createDataFrame"):
                return True
            value = value.func if isinstance(value, ast.Call) else value.value
        return isinstance(value, ast.Name) and value.id in self.frames

    def _has_queries(self) -> bool:
        """Return whether the function asks a session itself, as for a view that it has made."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr in QUERIES
            and self.session(node.value) is not None
            for node in ast.walk(self.function.node)
        )

    def _children(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self._statement(child)
            elif isinstance(child, ast.expr):
                self.statement = node if isinstance(node, ast.stmt) else self.statement
                self._expression(child)
            else:
                self._children(child)

    def _expression(self, node: ast.expr) -> None:
        text = self._replacement(node)
        if text is not None:
            self.edit(node, text)
            return
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            value_known = self.names.get(node.id, self.outer.get(node.id))
            match self.module.parents[node]:
                case ast.Attribute(attr="context" | "ctx") if isinstance(value_known, Node):
                    raise NotExpressible("SPARK_CONTEXT", SHARED, node)
            if value_known is not None and not (
                node.id in self.names and isinstance(value_known, Session)
            ):
                raise NotExpressible(
                    "RDD_USE", f"`{node.id}` is used here in a way that is not known", node
                )
        if isinstance(node, ast.Name) and node.id in self.rows:
            raise NotExpressible("RDD_USE", f"`{node.id}` is more than data of a frame", node)
        if isinstance(node, ast.Attribute) and node.attr in NO_CONNECT and self._is_frame(node):
            raise NotExpressible("NO_CONNECT", f"Spark Connect has no `{node.attr}`", node)
        if isinstance(node, ast.Attribute) and node.attr in VIEWS:
            call = self.module.parents[node]
            if isinstance(call, ast.Call):
                check_view(self.builder, call, self._has_queries())
        if isinstance(node, ast.Attribute) and node.attr == OLD_VIEW and self._is_frame(node.value):
            end = self.module.span(node)[1]
            self.edits.append((end - len(OLD_VIEW), end, "createOrReplaceTempView"))
        if (
            isinstance(node, ast.Attribute)
            and node.attr not in SESSION_METHODS
            and self.session(node.value) is not None
        ):
            text = f"a session has no `{node.attr}` under Spark Connect"
            raise NotExpressible("SESSION_METHOD", text, node)
        self._children(node)

    def _replacement(self, node: ast.expr) -> str | None:
        session = self.session(node)
        if session is not None:
            return None if isinstance(node, ast.Name) and node.id in self.names else session
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            return None
        method = node.func.attr
        if method in QUERIES and self.session(node.func.value) is not None:
            check_query(self.builder, node, self.function.node)
            if makes_view(self.module, node):
                check_view(self.builder, node, True)
        if method == "createDataFrame" and self.session(node.func.value) is not None:
            rdd = self.value(node.args[0]) if node.args else None
            rows = bool(node.args) and self._is_rows(node.args[0])
            return created_frame(self, node, rdd) if rdd is not None or rows else None
        owner = self.value(node.func.value)
        if owner is not None and method in REASONS and method not in ACTIONS:
            raise NotExpressible(*REASONS[method], node)
        if owner is None and method == "toDF" and self._is_rows(node.func.value):
            return to_df(self, node, None)
        if owner is None:
            return None
        if method == "toDF":
            return to_df(self, node, owner)
        if method in ACTIONS:
            return action(self, method, node, owner)
        return None

    def _is_rows(self, node: ast.expr) -> bool:
        """Return whether it is an RDD of `Row` with names."""
        if isinstance(node, ast.Name):
            return node.id in self.rows
        return (
            isinstance(node, ast.Call)
            and self._makes_rows(node)
            and isinstance(node.func, ast.Attribute)
            and self.value(node.func.value) is not None
        )

    def value(self, node: ast.expr) -> Node | None:
        """Return the RDD that an expression is, if it is one."""
        match node:
            case ast.Name(id=name):
                value_found = self.names.get(name)
                return value_found if isinstance(value_found, Node) else None
            case ast.Call(func=ast.Attribute(value=owner, attr=method)):
                if node not in self._values:
                    self._values[node] = self._operator(node, owner, method)
                return self._values[node]
        return None

    def _operator(self, call: ast.Call, owner: ast.expr, method: str) -> Node | None:
        before = self.value(owner)
        if before is None or method in ACTIONS or method == "toDF" or self._makes_rows(call):
            return None
        stream = self.streams.operator(before, call, method)
        assert isinstance(stream, Node)
        return stream

    def session(self, node: ast.expr) -> str | None:
        """Return how the session of the batch is written, if an expression is a session."""
        text = f"{self.frame.code.root}.sparkSession"
        if isinstance(node, ast.Name):
            if isinstance(self.names.get(node.id), Session):
                return node.id
            return text if isinstance(self.outer.get(node.id), Session) else None
        return text if makes_session(self.builder, node) else None

    def _makes_rows(self, call: ast.Call) -> bool:
        """Return whether it is a `map` to `Row`, which only becomes a DataFrame."""
        match call:
            case ast.Call(
                func=ast.Attribute(attr="map"),
                args=[ast.Lambda(body=ast.Call(func=maker))],
            ):
                return self.module.is_old(maker, "Row")
        return False

    def drop(self, statement: ast.stmt, with_empty: bool = False) -> None:
        """Take a statement out with its lines, and perhaps with the empty ones below it."""
        first, last = statement.lineno, statement.end_lineno or statement.lineno
        lines = self.module.lines
        while with_empty and last < len(lines) and not lines[last].strip():
            last += 1
        start, end = self.module.starts[first - 1], self.module.starts[last]
        self.edits = [edit for edit in self.edits if not start <= edit[0] < end]
        pad = " " * statement.col_offset
        comments = [f"{pad}{comment.text}\n" for comment in self.module.comments_in(first, last)]
        if getattr(self.module.parents[statement], "body", []) == [statement]:
            comments.append(f"{pad}pass\n")
        self.edits.append((start, end, "".join(comments)))

    def code(self, start: str, chain: Chain, statement: ast.AST) -> str:
        """Return a statement with a frame, at the place of another one."""
        return self.builder.printer.statement(start, chain, getattr(statement, "col_offset", 0))

    def inline(self, chain: Chain, call: ast.Call, base_name: str = "", whole: bool = False) -> str:
        """Return a frame or a result of one inside of other code."""
        text = self.builder.printer.expression(chain)
        statement = self.statement
        if statement is None or self._line(call) + len(text) <= WIDTH:
            return text
        pad = " " * statement.col_offset
        match statement:
            case ast.Expr(value=value) if value is call:
                return self.builder.printer.statement("", chain, len(pad)).lstrip(" ")
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (
                value is call and not _gives_rows(call)
            ):
                start = f"{name} = "
                code = self.builder.printer.statement(start, chain, len(pad))
                return code.removeprefix(pad + start)
        if not isinstance(statement, ast.Expr | ast.Assign | ast.For | ast.Return | ast.With):
            return text
        before, rest = (chain.calls, ()) if whole else (chain.calls[:-1], chain.calls[-1:])
        if not before:
            return text
        names = [base_name] if base_name else HOISTED.get(before[-1].name, ["records"])
        name = self.module.free_name(*names)
        inlined = self.builder.printer.statement(f"{name} = ", Chain(chain.root, before), len(pad))
        place = self.module.starts[statement.lineno - 1]
        self.edits.append((place, place, inlined + "\n"))
        return self.builder.printer.expression(Chain(name, rest))

    def _line(self, call: ast.Call) -> int:
        """Return how long the line of a call is without it."""
        line = self.module.lines[call.lineno - 1].rstrip()
        if call.end_lineno != call.lineno:
            return call.col_offset
        around = ROWS if self._is_records(call) else 0
        return len(line) - len(self.module.source(call)) + around

    def _is_records(self, call: ast.Call) -> bool:
        """Return whether rows become tuples around a call."""
        return _gives_rows(call) and self.uses.needs_tuples(call)

    def edit(self, node: ast.expr | ast.stmt, text: str) -> None:
        """Put a text in the place of a node; its comments go above the statement."""
        start, end = self.module.span(node)
        comments = self.module.comments_in(*self.module.lines_of(node))
        lost = [each for each in comments if start <= place_of(self.module, each) < end]
        self.edits.append((start, end, text))
        if lost and self.statement is not None:
            place = self.module.starts[self.statement.lineno - 1]
            pad = " " * self.statement.col_offset
            self.edits.append((place, place, "".join(f"{pad}{e.text}\n" for e in lost)))


def place_of(module: SourceModule, comment: Comment) -> int:
    """Return where a comment begins in the text."""
    return module.starts[comment.line - 1] + module.lines[comment.line - 1].rindex(comment.text)


def _gives_rows(call: ast.Call) -> bool:
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    return method in ("collect", "take", "top", "takeOrdered")


def makes_session(builder: Builder, node: ast.expr) -> bool:
    """Return whether an expression makes a session, or calls a function that keeps one, now gone.

    Raises
    ------
    NotExpressible
        if the session has settings of its own
    """
    module = builder.module
    match node:
        case ast.Call(func=ast.Attribute(attr="getOrCreate", value=owner)):
            _refuse_settings(owner)
            inner: ast.expr = owner
            while isinstance(inner, ast.Call | ast.Attribute):
                if isinstance(inner, ast.Attribute) and inner.attr == "builder":
                    return module.is_old(inner.value, "SparkSession")
                inner = inner.func if isinstance(inner, ast.Call) else inner.value
            return module.is_old(owner, "SQLContext")
        case ast.Call(func=ast.Name() as maker):
            if any(module.is_old(maker, cls) for cls in SESSION_CLASSES):
                return True
            lazy = lazy_session(module, maker)
            if lazy is None:
                return False
            _refuse_settings(lazy)
            elsewhere = [e for e in uses(module.tree, maker.id) if not is_in_batch(module, e)]
            if lazy not in builder.removed and not elsewhere:
                builder.removed.append(lazy)
                builder.note(f"`{lazy.name}` is gone: a batch has its session, so none is kept")
            return True
    return False


def _refuse_settings(made_node: ast.AST) -> None:
    """Refuse code that gives the session of a batch settings of its own: they would be lost."""
    for node in ast.walk(made_node):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="config"), args=[], keywords=[ast.keyword(arg="conf")]
            ):
                pass  # the settings of the context, which it has
            case ast.Call(func=ast.Attribute(attr="config")):
                text = "the session of a batch gets settings, which would be lost"
                raise NotExpressible("SESSION_SETTINGS", text, node)
