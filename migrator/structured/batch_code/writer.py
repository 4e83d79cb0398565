"""Writes a job whose batches stay RDD code.

Decision 0113: Code of batches is the second form of a job.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

from ..builder.builder import Builder, RewrittenCall, call_as_written
from ..checks import check_late
from ..dataframes.frames import INDENT, WIDTH, Chain
from ..foreach.statements import in_brackets, statements_of
from ..outputs.foreach_rdd import time_of_batch
from ..outputs.lines import file_name
from ..program.arguments import bind_arguments
from ..program.bindings import names_of
from ..program.graph import EITHER, MQTT, TICK_SOURCE, Node, Output, Query
from ..program.job import JobBlock
from ..program.modules import SourceModule
from ..registry import OUTPUTS
from ..result.controls import ERRORS
from ..result.writer import Edit, Writer
from ..sources.ticks import marks, tick_source, with_ticks
from .code import Code, frames_of_views, indent_at, wrap
from .functions import acts_without_input, moment
from .keeping import EACH, operand, states_folder
from .late import check_changes
from .methods import NO_CHANGE, SHUFFLES, WHOLE, WINDOWS
from .queues import write_queue, write_topic

PARTITIONS = (
    "what shuffles has as many partitions as the RDD of the batch, unless "
    "`spark.default.parallelism` is set; of more records than are printed, others may be shown"
)
TICKS = (
    "a row of `rate-micro-batch` at each trigger lets a query have a batch in intervals without "
    "input, too, for {}: its RDDs have one more partition, which is empty, and its first batch is "
    "one of no interval, as it runs when the query starts: a function that fails without records "
    "ends the query then"
)
STATES = (
    "what a batch leaves to later ones is saved by its number, as pickled records, before the "
    "batch ends: a batch that Spark repeats counts once"
)
NO_FOLDER = (
    "without a checkpoint folder, that is in a temporary one: on a cluster, use a folder that all "
    "machines reach"
)
Condition = tuple[ast.expr, bool]
TAKEN = ("queueStream", MQTT)
"""The streams of which a batch takes what the driver has."""
_WHY = "the method of the same name of the RDD of the batch"
WHY = {
    **dict.fromkeys(
        WINDOWS, "the same records of the same batches, which are saved for as long as they count"
    ),
    "count": "the number of records, as the only record of an RDD",
    "countByValue": "what DStreams make of it",
    "foreachRDD": "the function is given the RDD of the batch",
    MQTT: "the messages since the batch before, as texts",
    "mapWithState": "the function is called for the same records and states",
    "queueStream": "the next RDD of the queue at each trigger",
    "pprint": "the same records are taken, one more than are printed, and printed in lines",
    "reduce": "what DStreams make of it",
    "saveAsTextFiles": "the same lines, in a folder for each batch",
    "transform": "the function is given the RDD of the batch",
    "transformWith": "the function is given the RDDs of the batch",
    "updateStateByKey": "the function is called for the same keys, with the same values",
}
"""Why a call has become what gives the same."""


class BatchWriter(Writer):
    """Writes one job, whose `made` says which streams expressions make."""

    def __init__(self, module: SourceModule, job: JobBlock, builder: Builder) -> None:
        super().__init__(module, job, builder)
        self._ticks = ""
        self._ticked: set[Query] = set()
        self._slide = EACH
        # those of the last statement, and how many were written then
        self._last_tests: tuple[list[tuple[str, bool]], int] = [], 0
        # what a batch takes of queues
        self._queues: dict[Node, str] = {}

    def write(self) -> dict[ast.stmt, Edit]:
        """Return the edits of all statements that change; control calls are not among them."""
        self.builder.frames = frames_of_views(self.module, self.job)
        edits = super().write()
        self._make_frames()
        if self.builder.state_folders:
            self._place_states()
        return edits

    def _make_frames(self) -> None:
        """Let the session make the DataFrames of views in functions that stay where they are."""
        builder, module = self.builder, self.module
        for call in builder.frames:
            if not any(outer in self.edits for outer in module.around(call)):
                code = Code(builder, self.job.block, self.job.made, self.queries[0].cut, False)
                builder.edits.append((*module.span(call), code.argument(call)))

    def _place_states(self) -> None:
        """Write in which folder the states of the job are."""
        builder, job = self.builder, self.job
        place = job.checkpoint_statement or job.session
        assert place is not None
        text = f"{builder.states} = {states_folder(builder, place)}"
        self.edits[place].outside.append(indent_at(text, 0, place.col_offset))
        job.added.add(builder.states)
        builder.note(STATES)
        if job.checkpoint is None:
            builder.note(NO_FOLDER)

    @cached_property
    def _sets_levels(self) -> bool:
        """Whether the job persists RDDs itself."""
        nodes = ast.walk(self.module.tree)
        levels = ("persist", "unpersist")
        return any(isinstance(node, ast.Attribute) and node.attr in levels for node in nodes)

    @cached_property
    def _records(self) -> str:
        """The variable of an RDD that has no name."""
        return self.module.free_name("records")

    @cached_property
    def _record(self) -> str:
        """The variable of a record that is printed."""
        return self.module.free_name("record")

    def _outside(self, statement: ast.stmt) -> None:
        """Write the streams that are made before the functions of batches, their ticks, and the
        queues.
        """
        super()._outside(statement)
        self._write_ticks(statement)
        self._write_queues(statement)

    def _write_ticks(self, statement: ast.stmt) -> None:
        builder = self.builder
        for query in self.queries:
            if query.cut.operator == TICK_SOURCE or self._statement_of(query.cut) is not statement:
                continue
            methods = (acts_without_input(builder, output) for output in query.outputs)
            acting = [*dict.fromkeys(filter(None, methods))]
            if acting:
                self._ticked.add(query)
                builder.note(TICKS.format(", ".join(f"`{each}`" for each in acting)))
                if not self._ticks:
                    self._ticks = self.module.free_name("ticks")
                    self.job.added.add(self._ticks)
                    code = marks(tick_source(builder), builder.printer)
                    text = builder.printer.statement(f"{self._ticks} = ", code, builder.indent)
                    self.edits[statement].outside.append(text)

    def _write_queues(self, statement: ast.stmt) -> None:
        builder, job, indent = self.builder, self.job, statement.col_offset
        used = {node for output in job.outputs for node in output.node.path()}
        for node in (node for node in job.nodes if node.operator in TAKEN and node in used):
            if self._statement_of(node) is statement:
                code = Code(builder, job.block, job.made, node, has_ticks=False)
                if node.operator == MQTT:
                    queue = write_topic(builder, code, node)
                else:
                    queue = write_queue(builder, code, node, statement)
                for text in queue.statements:
                    self.edits[statement].outside.append(indent_at(text, indent, indent))
                job.added.update(queue.names)
                self._queues[node] = queue.next

    def _root(self, query: Query) -> Chain:
        """Return what a query reads: records, with ticks if there is an output without records."""
        records = super()._root(query)
        return with_ticks(records, self._ticks) if query in self._ticked else records

    def _invent_name(self, node: Node) -> str:
        if node.operator == TICK_SOURCE:
            return self.module.free_name("ticks")
        return super()._invent_name(node)

    def _inside(self, query: Query) -> None:
        """Write the function of the batches of a query."""
        builder, job = self.builder, self.job
        check_changes(builder, query.outputs)
        code = Code(builder, job.block, job.made, query.cut, query in self._ticked)
        code.queues = self._queues
        needed = {node for output in query.outputs for node in output.node.path()}
        needed -= {step for step in query.cut.path() if step is not query.cut}
        nodes: list[Node] = []
        shown: dict[ast.Call, tuple[str, str]] = {}
        self._slide = EACH
        builder.needs_moment = False
        # the function stands behind the queues whose RDDs it takes
        queues = [each for each in needed if each in self._queues]
        first = max((self._statement_of(queue) for queue in queues), key=_line, default=None)
        begin: tuple[list[tuple[Query, str]], int] | None = None
        for statement in job.statements:
            node = job.streams.get(statement)
            own = [output for output in query.outputs if output.statement is statement]
            if not own and node not in needed:
                continue
            place = max(statement, first or statement, key=_line)
            first = first or place
            builder.indent = first.col_offset + len(INDENT)
            inside = self.edits[place].inside
            begin = begin or (inside, len(inside))
            if node is not None and node in needed and node.name:
                assert isinstance(statement, ast.Assign)
                with self._write_tests(code, self._choices(node, statement)) as heads:
                    text = code.rows() if node is query.cut else code.named_rdd(statement.value)
                    text = in_brackets(text)
                    if self._is_shared(node, query):
                        text += ".cache()"
                        nodes.append(node)
                    texts = self._lay_out(
                        statement, code, f"{node.name} = {text}", code.slides.of(node)
                    )
                    inside += [(query, head) for head in (*heads, *texts)]
            for output in own:
                with self._write_tests(code, output.conditions) as heads:
                    written = [*self._of_output(code, output)]
                    slide = code.slides.of(output.node)
                    inside += [(query, head) for head in heads]
                    for text in written:
                        texts = self._lay_out(statement, code, text, slide)
                        inside += [(query, text) for text in texts]
                shown[output.call] = ("; ".join(written).replace(":; ", ": "), WHY[output.method])
        if builder.needs_moment and begin is not None:
            statements, number = begin
            text = f"{' ' * builder.indent}{moment(builder)} = {time_of_batch(builder)}"
            statements.insert(number, (query, text))
        for node in reversed(nodes):
            texts = self._lay_out(
                query.outputs[-1].statement, code, f"{node.name}.unpersist()", code.slides.of(node)
            )
            inside += [(query, text) for text in texts]
        for call, text in code.steps.items():
            self._note_step(call, text, WHY.get(code.made[call].operator, _WHY))
        for call, (text, why) in shown.items():
            self._note_step(call, text, why)
        if nodes:
            names = ", ".join(f"`{each.name}`" for each in nodes)
            builder.note(f"functions before {names} run once in a batch, not once for each output")
        if any(each.operator in SHUFFLES and not _has_number(each) for each in needed):
            builder.note(PARTITIONS)
        job.classic.setdefault("rdd")
        job.added.add(builder.session)
        builder.note(ERRORS)

    @contextmanager
    def _write_tests(self, code: Code, conditions: Sequence[Condition]) -> Iterator[list[str]]:
        """Give the heads of tests, under which statements are written; those behind others of the
        same test have none, or an `else`.
        """
        before, heads = code.has_input, self.tests(conditions)
        tests_now = [(ast.unparse(test), value) for test, value in conditions]
        last, length = self._last_tests
        if heads and last and length == self._length and last[:-1] == tests_now[:-1]:
            if last[-1] == tests_now[-1]:
                heads = []
            elif last[-1] == (tests_now[-1][0], True):
                heads = [" " * (self.builder.indent - len(INDENT)) + "else:"]
        if conditions:
            self._slide = EACH
        yield heads
        if conditions:
            # what is defined under a test is not there behind it
            code.has_input = before
            self._slide = EACH
            self.builder.indent -= len(INDENT) * len(conditions)
        self._last_tests = tests_now, self._length

    @property
    def _length(self) -> int:
        """How many statements of functions of batches there are so far."""
        return sum(len(edit.inside) for edit in self.edits.values())

    def _choices(self, node: Node, statement: ast.stmt) -> list[Condition]:
        """Return the tests around a statement that makes one of several streams of a name."""
        conditions: list[Condition] = []
        if any(node in part.path() for part in self.job.nodes if part.operator == EITHER):
            inner: ast.AST = statement
            for around in self.module.around(statement):
                if isinstance(around, ast.If) and "__name__" not in names_of(around.test):
                    conditions.append((around.test, inner in around.body))
                if around in self.job.block.functions:
                    break
                inner = around
        return conditions[::-1]

    def _is_shared(self, node: Node, query: Query) -> bool:
        """Return whether an RDD is computed for several outputs."""
        if self._sets_levels or node.operator in (*NO_CHANGE, "transform", "transformWith"):
            # an RDD has one storage level
            return False
        if node.operator in TAKEN:
            # it is there before the batch
            return False
        if any(EITHER in (node.operator, child.operator) for child in node.children):
            # its name is that of another stream, too
            return False
        shown = [output for output in query.outputs if output.node is node]
        uses = [child for child in node.children if child.operator not in NO_CHANGE]
        # `take` of a cached RDD computes whole partitions
        whole = any(each.method != "pprint" for each in shown)
        whole = whole or any(use.operator in WHOLE for use in uses)
        return len(shown) + len(uses) > 1 and whole

    def _note_step(self, call: ast.Call, text: str, why: str) -> None:
        """Let the report say what a call has become, on one line."""
        before, after = call_as_written(call, self.module), " ".join(text.split())
        line = call.end_lineno or call.lineno
        self.builder.steps[call] = RewrittenCall(line, before, after, why)

    def _lay_out(self, statement: ast.stmt, code: Code, text: str, slide: str) -> Iterator[str]:
        """Yield a statement of the function of batches, after those that it needs before it.

        Parameters
        ----------
        statement : ast.stmt
            the statement of the job from which it comes
        code : Code
            which has written it
        slide : str
            that of its stream: it runs in these batches only
        """
        for each, own_slide in (*code.before, (text, slide)):
            before, indent = statement.col_offset, self.builder.indent
            head = ""
            if own_slide != EACH:
                if own_slide != self._slide:
                    test = f"{code.interval} % {operand(own_slide)} == 0"
                    head = f"{' ' * indent}if {test}:\n"
                indent += len(INDENT)
            self._slide = own_slide
            start = len(each) - len(each.lstrip(" "))
            each, indent = each[start:], indent + start
            if "\n" not in each:
                each, before = wrap(each, WIDTH - indent), 0
            yield head + indent_at(each, before, indent)
        code.before.clear()

    def _of_output(self, code: Code, output: Output) -> Iterator[str]:
        """Yield the statements of an output; those in a block with their indentation."""
        assert isinstance(output.call.func, ast.Attribute)
        rdd = code.stream(output.call.func.value)
        if output.node not in code.may_be_missing:
            yield from self._of_rdd(code, output, rdd)
            return
        if not rdd.isidentifier():
            yield f"{self._records} = {in_brackets(rdd)}"
            rdd = self._records
        yield f"if {rdd} is not None:"
        for text in self._of_rdd(code, output, rdd):
            yield INDENT + text

    def _of_rdd(self, code: Code, output: Output, rdd: str) -> Iterator[str]:
        """Yield the statements of an output of an RDD."""
        call, builder = output.call, self.builder
        arguments = bind_arguments(call, OUTPUTS[output.method][0])
        assert arguments is not None
        if output.method == "foreachRDD":
            slide = code.slides.of(output.node)
            function, rdds = arguments["func"], [in_brackets(rdd)]
            text = code.result(output.block, function, rdds, slide, is_output=True)
            yield from statements_of(in_brackets(text))
            return
        if not rdd.isidentifier():
            yield f"{self._records} = {in_brackets(rdd)}"
            rdd = self._records
        if output.method == "pprint":
            taken, shown = self._numbers(arguments.get("num", ast.Constant(10)))
            record = self._record
            yield f"for {record} in {rdd}.take({taken})[:{shown}]:"
            yield f"{INDENT}{builder.builtin('print')}({record})"
            return
        name = file_name(builder, output, code.has_ticks)
        if builder.job.is_recovered:
            # Spark repeats a batch that was not committed, under the same number
            text = builder.builtin("str")
            yield f"{self._records} = {rdd}.map(lambda record: ({text}(record),))"
            frame = self.module.free_name("frame", "lines_df")
            yield f'{frame} = {builder.session}.createDataFrame({self._records}, "value string")'
            yield f'{frame}.write.mode("overwrite").text({name})'
        else:
            yield f"{rdd}.saveAsTextFile({name})"

    def _numbers(self, number: ast.expr) -> tuple[str, str]:
        """Return how many records `pprint` takes and how many it prints: it takes one more."""
        check_late(self.job, number)
        match number:
            case ast.Constant(value=int(most)):
                return str(most + 1), str(most)
        shown = self.builder.source(number)
        return f"{shown} + 1", shown


def _line(statement: ast.stmt | None) -> int:
    return 0 if statement is None else statement.lineno


def _has_number(node: Node) -> bool:
    """Return whether a method says how many partitions its result has."""
    places = {"combineByKey": 3, "groupByKey": 0, "partitionBy": 0}
    place = places.get(node.operator, 1)
    named = any(keyword.arg == "numPartitions" for keyword in node.call.keywords)
    return named or len(node.call.args) > place
