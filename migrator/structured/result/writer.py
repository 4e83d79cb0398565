"""Writes a job as Structured Streaming: what takes the place of each statement."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from migrator.structured.program.graph import batch_function

from ..builder.builder import GROUPS, Builder, Start
from ..checks import check_late, check_queries, check_whole
from ..dataframes.frames import INDENT, Chain, free_name
from ..dataframes.naming import plural
from ..program.arguments import bind_arguments
from ..program.graph import EITHER, TICK_SOURCE, WINDOWS, Node, Output, Query, Stage, queries
from ..program.job import JobBlock
from ..program.modules import SourceModule
from ..program.settings import PARTITIONS
from ..refusals import NotExpressible
from ..registry import OPERATORS, OUTPUTS
from ..windows.durations import duration
from .session import CHECKPOINTS, write_session

SHUFFLES = frozenset(("numPartitions", "partitionFunc"))
KEPT = frozenset(("repartition", "coalesce"))
NO_HOST = (
    "Spark opens no checkpoint of a query at `{}`, where DStreams took HDFS's own host: write it, "
    "as in `hdfs://namenode:8020/...`"
)


@dataclass
class Edit:
    """What takes the place of a statement.

    Parameters
    ----------
    outside : list of str
        statements at its place
    inside : list of (Query, str)
        statements of the functions of batches
    """

    outside: list[str] = field(default_factory=list)
    inside: list[tuple[Query, str]] = field(default_factory=list)


class Writer:
    """Writes one job."""

    def __init__(self, module: SourceModule, job: JobBlock, builder: Builder) -> None:
        self.module = module
        self.job = job
        self.builder = builder
        self.queries = queries(job.outputs)
        self.edits = {
            statement: Edit()
            for statement in job.statements
            if statement in job.streams
            or statement in job.dropped
            or statement is job.session
            or any(statement is output.statement for output in job.outputs)
        }
        self.functions: dict[Query, str] = {}
        self.variables: dict[Query, str] = {}
        self.roots: dict[Query, str] = {}

    def write(self) -> dict[ast.stmt, Edit]:
        """Return the edits of all statements that change; control calls are not among them."""
        self._check_queries()
        for note in check_queries(self.queries):
            self.builder.note(note)
        many = len(self.queries) > 1
        taken: set[str] = set()
        for query in self.queries:
            name = free_name(self._output_name(query), taken) if many else ""
            taken.add(name)
            batch = f"process_{name}" if many else "process_batch"
            self.functions[query] = self.module.free_name(batch)
            self.variables[query] = self.module.free_name(f"{name}_query" if many else "query")
        for statement in self.job.statements:
            self._outside(statement)
        for query in self.queries:
            self._inside(query)
        self._udfs()
        for statement in self.builder.dropped:
            self.edits.setdefault(statement, Edit())
        # the frames say which settings they need
        write_session(self.job, self.builder, self.edits)
        note_losses(self.builder, self.queries)
        return self.edits

    def _udfs(self) -> None:
        """Write the UDFs of functions, before the first statement that uses one of them."""
        definitions = [
            (self._statement_of(node), *value) for node, value in self.builder.defined.items()
        ]
        statements = [each for each, _, _ in definitions if each is not None]
        # functions of batches come after what they use
        statements += [each for each, edit in self.edits.items() if edit.inside]
        first = min(statements, key=lambda each: each.lineno, default=None)
        above: dict[ast.stmt, list[tuple[str, Chain]]] = {}
        for statement, name, code in reversed(definitions):
            # a lambda looks up its names when it runs
            late = str((code.calls[0].arguments or ("",))[0]).startswith("lambda")
            place = first if late else statement
            assert place is not None
            if self.edits[place].outside:
                indent = place.col_offset
                text = self.builder.printer.statement(f"{name} = ", code, indent)
                self.edits[place].outside.insert(0, text)
            else:
                above.setdefault(place, []).insert(0, (name, code))
        for place, udfs in above.items():
            # comments of a statement that moves into a function go with it
            before = [s for s, edit in self.edits.items() if edit.outside or s is self.job.session]
            last = max((s for s in before if s.lineno < place.lineno), key=lambda s: s.lineno)
            for name, code in udfs:
                text = self.builder.printer.statement(f"{name} = ", code, last.col_offset)
                self.edits[last].outside.append(text)

    def _check_queries(self) -> None:
        for query in self.queries:
            for output in query.outputs:
                if output.offsets is not None and query.cut is not output.offsets:
                    raise NotExpressible(
                        "OFFSET_RANGES",
                        "the batches of this query have no offsets, as it reads another stream or "
                        "has state",
                        output.call,
                    )
                streams = {n for n in output.node.path() if n.stage is Stage.STATE}
                if not streams <= {*query.cut.path()}:
                    raise NotExpressible(
                        "STATE", "an output uses two streams with state", output.call
                    )
                if query.cut.stage is Stage.STATE and any(
                    node.stage is Stage.ROWS
                    and query.cut not in node.path()
                    and node not in query.cut.path()
                    for node in output.node.path()
                ):
                    raise NotExpressible(
                        "STATE", "a stream with state is joined with one without", output.call
                    )

    def _output_name(self, query: Query) -> str:
        output = query.outputs[0]
        for node in output.node.path():
            if node.name:
                return node.name
            if node is query.cut and node.operator in WINDOWS:
                return "window"
        return query.cut.operator.lower()

    def _outside(self, statement: ast.stmt) -> None:
        """Write the streams that are made before the functions of batches."""
        queries_by_node = {node: query for query in self.queries for node in query.cut.path()}
        static = {
            node: None
            for output in self.job.outputs
            for node in output.node.path()
            if node.stage is Stage.STATIC
        }
        self.builder.indent = indent = statement.col_offset
        for node in self.job.nodes:
            if self._statement_of(node) is not statement:
                continue
            cut = [query for query in self.queries if query.cut is node]
            named = self.job.streams.get(statement) is node
            # a stream that is an argument would be written on one line
            is_part = any(
                child.operator == "union" and child.parents[0] is not node
                for child in node.children
            )
            if not (cut or ((named or is_part) and (node in queries_by_node or node in static))):
                continue
            own = self.builder.frame(node).with_value_columns().code
            name = node.name if named else own.root if own.is_name else self._invent_name(node)
            frame = self.builder.define(node, name)
            chosen = any(child.operator == EITHER for child in node.children)
            if not frame.code.is_name or (chosen and frame.code.root != name):
                text = self.builder.printer.statement(f"{name} = ", frame.code, indent)
                self.edits[statement].outside.append(text)
            for query in cut:
                self.roots[query] = frame.code.root if frame.code.is_name else name

    def _statement_of(self, node: Node) -> ast.stmt | None:
        """Return the statement that makes a node, or uses the function in which it is made."""
        for outer in self.module.around(node.call):
            if isinstance(outer, ast.FunctionDef) and outer in self.job.expanded:
                return self.job.expanded[outer]
            if isinstance(outer, ast.stmt) and outer in self.job.statements:
                return outer
        return None

    def _invent_name(self, node: Node) -> str:
        """Return a variable for a stream that has none."""
        frame = self.builder.frame(node)
        if node in self.builder.starts and self.builder.starts[node].variable:
            return self.module.free_name(self.builder.starts[node].variable)
        if frame.names[0] != "value":
            return self.module.free_name(plural(frame.names[0]))
        return self.module.free_name("lines" if node.is_source else "records", "stream")

    def _inside(self, query: Query) -> None:
        """Write the function of the batches of a query."""
        builder = self.builder
        builder.query = query
        try:
            needed = {node for output in query.outputs for node in output.node.path()}
            before = {*query.cut.path()}
            place = None
            for statement in self.job.statements:
                node = self.job.streams.get(statement)
                inside = self._is_inside(node, needed, before)
                own = [output for output in query.outputs if output.statement is statement]
                if place is None and (inside or own):
                    # where the function of the batches will be
                    place = statement
                    builder.indent = statement.col_offset + len(INDENT)
                if inside:
                    assert node is not None
                    frame = builder.define(node, node.name)
                    if frame.code.is_name:
                        continue
                    text = builder.printer.statement(f"{node.name} = ", frame.code, builder.indent)
                    self.edits[statement].inside.append((query, text))
                for output in own:
                    for text in self._under_tests(output):
                        self.edits[statement].inside.append((query, text))
        finally:
            builder.query = None

    def _under_tests(self, output: Output) -> list[str]:
        """Return the statements of an output, under the tests that it depends on."""
        heads = self.tests(output.conditions)
        try:
            return [*heads, *self._output(output)]
        finally:
            self.builder.indent -= len(INDENT) * len(heads)

    def tests(self, conditions: Iterable[tuple[ast.expr, bool]]) -> list[str]:
        """Return the heads of tests, the outermost first; what follows is indented by them."""
        builder, heads = self.builder, []
        for test, value in conditions:
            check_late(self.job, test)
            text = builder.source(test)
            plain = text if value else text[4:] if text.startswith("not ") else _negate(test, text)
            heads.append(f"{' ' * builder.indent}if {plain}:")
            builder.indent += len(INDENT)
        return heads

    def _is_inside(self, node: Node | None, needed: set[Node], before: set[Node]) -> bool:
        """Return whether a stream has a variable in the function of batches; groups have none."""
        if node is None or node not in needed or node in before:
            return False
        return node.stage is not Stage.STATIC and node.operator != GROUPS

    def _output(self, output: Output) -> list[str]:
        _, write, _ = OUTPUTS[output.method]
        check_whole(output, self.builder.frame(output.node))
        return write(self.builder, output)

    def start(self, indent: int) -> list[str]:
        """Return the statements that start the queries."""
        return [
            self.builder.printer.statement(
                f"{self.variables[query]} = ", code.call("start"), indent
            )
            for query, code in zip(self.queries, self._writers(), strict=True)
        ]

    def return_statement(self, indent: int) -> str:
        """Return the statement that returns what starts the queries: for several, a list."""
        printer, writers = self.builder.printer, self._writers()
        if len(writers) == 1:
            return printer.statement("return ", writers[0], indent)
        parts = [printer.statement("", writer, indent + len(INDENT)) + "," for writer in writers]
        return "\n".join(["return [", *parts, " " * indent + "]"])

    def _writers(self) -> list[Chain]:
        """Return what starts the queries."""
        writers = []
        for query in self.queries:
            code = self._root(query).attribute("writeStream")
            name = self.builder.direct.get(query, self.functions[query])
            code = code.call("foreachBatch", name)
            how = self.builder.starts.get(query.cut, Start("complete"))
            if query.stateful and how.mode != "append":
                code = code.call("outputMode", f'"{how.mode}"')
            if self.job.is_recovered:
                code = code.call("option", '"checkpointLocation"', self._folder(query))
            trigger = how.trigger or self._interval()
            writers.append(code.call("trigger", f"processingTime={trigger}"))
        return writers

    def _root(self, query: Query) -> Chain:
        """Return what a query reads."""
        return Chain(self.roots[query])

    def _folder(self, query: Query) -> str:
        """Return the folder from which a query goes on: that of the job in the job's folder."""
        checkpoint, name = self.job.checkpoint, self.job.folder
        assert checkpoint is not None
        check_late(self.job, checkpoint)
        if len(self.queries) > 1:
            name += "/" + self.variables[query].removesuffix("_query")
        return folder_in(self.builder, checkpoint, f"/{name}")

    def _interval(self) -> str:
        interval = self.job.interval
        assert interval is not None
        check_late(self.job, interval)
        if not isinstance(interval, ast.Constant | ast.Name | ast.Attribute):
            text = "the batch interval must be a number or a name"
            raise NotExpressible("INTERVAL", text, interval)
        return duration(self.module, self.job.block, interval).trigger


def folder_in(builder: Builder, folder: ast.expr, rest: str, prefix: str = "") -> str:
    """Return a folder in another one, as source; the rest of the path is an f-string with a prefix
    ``f``.
    """
    match folder:
        case ast.Constant(value=str(name)) if not (prefix and {*"{}"} & {*name}):
            return prefix + json.dumps(name.rstrip("/") + rest, ensure_ascii=False)
    text = builder.source(folder)
    if not isinstance(folder, ast.Name | ast.Attribute | ast.Subscript | ast.Constant):
        text = f"({text})"
    return f'{text} + {prefix}"{rest}"'


def _negate(test: ast.expr, text: str) -> str:
    """Return what holds where a test does not."""
    return f"not ({text})" if isinstance(test, ast.BoolOp | ast.Compare) else f"not {text}"


def note_losses(builder: Builder, queries: Sequence[Query]) -> None:
    """Let the report name settings, numbers of partitions and folders that are left out."""
    job = builder.job
    said = " ".join(builder.notes)
    names = [f"`{each}`" for each in dict.fromkeys(job.conf.old_settings())]
    if lost := [name for name in names if name not in said]:
        builder.note(f"no setting of Structured Streaming takes the place of {', '.join(lost)}")
    for node in job.nodes:
        is_kept = builder.batch_code or node.operator in KEPT
        found = None if is_kept else OPERATORS.get(node.operator)
        given = None if found is None else bind_arguments(node.call, found.parameters)
        if given is not None and SHUFFLES & given.keys():
            builder.note(f"line {node.call.lineno}: `{node.operator}` {PARTITIONS}")
    if len(queries) > 1:
        builder.note("the outputs of several queries run side by side, no longer one after another")
    match None if job.checkpoint is None else builder.module.constant(job.checkpoint):
        case ast.Constant(value=str(folder)) if folder.startswith("hdfs:///"):
            builder.note(NO_HOST.format(folder))
    if job.checkpoint is None and any(query.stateful for query in queries):
        builder.note(
            "without a checkpoint folder, executors keep the state on their own disks: on a "
            f"cluster, set `{CHECKPOINTS}` to a folder that all of them reach"
        )


_GIVEN = {
    "updateStateByKey": "line {}: the state is not given in intervals without input",
    "count": "line {}: a count of 0 is not given in intervals without input",
}


def idle_outputs(builder: Builder) -> frozenset[int]:
    """Return the lines of outputs that give less in intervals without input than DStreams did.

    A query has no batch then, unless timers of its state wake it. The report says what is missing.
    """
    outputs = set()
    # queries whose batches stay RDD code have a batch then, if something is given
    for output in () if builder.batch_code else builder.job.outputs:
        line = output.call.func.end_lineno or output.call.lineno
        notes = [text.format(line) for text in _idle_texts(builder, output)]
        for note in notes:
            builder.note(note)
        if notes:
            outputs.add(line)
    return frozenset(outputs)


def _idle_texts(builder: Builder, output: Output) -> list[str]:
    if any(node.operator == TICK_SOURCE for node in output.node.path()):
        return []
    texts = [
        _GIVEN[node.operator]
        for node in output.node.path()
        if node.operator in _GIVEN and node not in builder.starts
    ]
    if output.method == "foreachRDD":
        function = batch_function(builder.module, output).node
        name = function.name if isinstance(function, ast.FunctionDef) else "lambda"
        woken = any(step in builder.starts and _has_timers(step) for step in output.node.path())
        text = f"line {{}}: `{name}` is not called for intervals without input"
        texts.append(f"{text} while no window or state has records" if woken else text)
    return texts


def _has_timers(node: Node) -> bool:
    """Return whether timers of the records that a node keeps wake its query."""
    return node.operator in WINDOWS or node.operator == "updateStateByKey"
