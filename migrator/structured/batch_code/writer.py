"""Writes a job whose batches stay RDD code."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from ..builder.builder import RewrittenCall, call_as_written
from ..checks import check_late
from ..dataframes.chains import INDENT, WIDTH
from ..outputs.text_files import file_name
from ..program.arguments import bound
from ..program.graph import Node, Output, Query
from ..registry import OUTPUTS
from ..result.writer import Writer
from .code import Code, in_brackets, indent_at, wrap
from .methods import NO_CHANGE, SHUFFLES, WHOLE

ERRORS = "an error in a batch ends the query; DStreams went on with the next batch"
PARTITIONS = (
    "what shuffles has as many partitions as the rows of the batch, unless "
    "`spark.default.parallelism` is set; of more records than are printed, others may be shown"
)
_WHY = "the method of the same name of the RDD of the batch"
WHY = {
    "count": "the number of records, as the only record of an RDD",
    "countByValue": "what DStreams make of it",
    "foreachRDD": "the function is given the RDD of the batch",
    "pprint": "the same records are taken, one more than are printed, and printed in lines",
    "reduce": "what DStreams make of it",
    "saveAsTextFiles": "the same lines, in a folder for each batch",
    "transform": "the function is given the RDD of the batch",
    "transformWith": "the function is given the RDDs of the batch",
}
"""Why a call has become what gives the same."""


class BatchWriter(Writer):
    """Writes one job, whose `made` says which streams expressions make."""

    @cached_property
    def _sets_levels(self) -> bool:
        """Whether the job persists RDDs itself."""
        nodes = ast.walk(self.module.tree)
        levels = ("persist", "unpersist")
        return any(isinstance(each, ast.Attribute) and each.attr in levels for each in nodes)

    @cached_property
    def _records(self) -> str:
        """The variable of an RDD that has no name."""
        return self.module.free_name("records")

    @cached_property
    def _record(self) -> str:
        """The variable of a record that is printed."""
        return self.module.free_name("record")

    def _inside(self, query: Query) -> None:
        """Write the function of the batches of a query."""
        builder, job = self.builder, self.job
        code = Code(builder, job.block, job.made, query.cut)
        needed = {node for output in query.outputs for node in output.node.path()}
        needed -= {each for each in query.cut.path() if each is not query.cut}
        kept: list[str] = []
        shown: dict[ast.Call, tuple[str, str]] = {}
        place = None
        for statement in job.statements:
            node = job.streams.get(statement)
            own = [each for each in query.outputs if each.statement is statement]
            if not own and node not in needed:
                continue
            place = place or statement
            builder.indent = place.col_offset + len(INDENT)
            if node is not None and node in needed and node.name:
                assert isinstance(statement, ast.Assign)
                text = code.rows() if node is query.cut else code.stream(statement.value)
                text = in_brackets(text)
                if self._is_shared(node, query):
                    text += ".cache()"
                    kept.append(node.name)
                self._add(query, statement, code, f"{node.name} = {text}")
            for output in own:
                written = [*self._of_output(code, output)]
                for text in self.under_tests(output, lambda _: []):
                    self.edits[statement].inside.append((query, text))
                builder.indent += len(INDENT) * len(output.conditions)
                for text in written:
                    self._add(query, statement, code, text)
                builder.indent -= len(INDENT) * len(output.conditions)
                shown[output.call] = ("; ".join(written).replace(":; ", ": "), WHY[output.method])
        for name in reversed(kept):
            last = query.outputs[-1].statement
            text = f"{' ' * builder.indent}{name}.unpersist()"
            self.edits[last].inside.append((query, text))
        for call, text in code.steps.items():
            self._note_step(call, text, WHY.get(code.made[call].operator, _WHY))
        for call, (text, why) in shown.items():
            self._note_step(call, text, why)
        if kept:
            names = ", ".join(f"`{each}`" for each in kept)
            builder.note(f"functions before {names} run once in a batch, not once for each output")
        if any(each.operator in SHUFFLES and not _has_number(each) for each in needed):
            builder.note(PARTITIONS)
        job.classic.setdefault("rdd")
        job.added.add(builder.session)
        builder.note(ERRORS)

    def _is_shared(self, node: Node, query: Query) -> bool:
        """Return whether an RDD is computed for several outputs."""
        if self._sets_levels or node.operator in (*NO_CHANGE, "transform", "transformWith"):
            # an RDD has one storage level
            return False
        shown = [each for each in query.outputs if each.node is node]
        uses = [each for each in node.children if each.operator not in NO_CHANGE]
        # `take` of a cached RDD computes whole partitions
        whole = any(each.method != "pprint" for each in shown)
        whole = whole or any(each.operator in WHOLE for each in uses)
        return len(shown) + len(uses) > 1 and whole

    def _note_step(self, call: ast.Call, text: str, why: str) -> None:
        """Let the report say what a call has become, on one line."""
        before, after = call_as_written(call, self.module), " ".join(text.split())
        line = call.end_lineno or call.lineno
        self.builder.steps[call] = RewrittenCall(line, before, after, why)

    def _add(self, query: Query, statement: ast.stmt, code: Code, text: str) -> None:
        """Add a statement to the function of the batches of a query."""
        for each in (*code.before, text):
            before, indent = statement.col_offset, self.builder.indent
            if "\n" not in each:
                each, before = wrap(each, WIDTH - indent), 0
            own = indent_at(each, before, indent)
            self.edits[statement].inside.append((query, own))
        code.before.clear()

    def _of_output(self, code: Code, output: Output) -> Iterator[str]:
        """Yield the statements of an output; those in a loop with their indentation."""
        call, builder = output.call, self.builder
        assert isinstance(call.func, ast.Attribute)
        rdd = code.stream(call.func.value)
        given = bound(call, OUTPUTS[output.method][0])
        assert given is not None
        if output.method == "foreachRDD":
            yield in_brackets(code.result(output.block, given["func"], [in_brackets(rdd)]))
            return
        if not rdd.isidentifier():
            yield f"{self._records} = {in_brackets(rdd)}"
            rdd = self._records
        if output.method == "pprint":
            taken, shown = self._numbers(given.get("num", ast.Constant(10)))
            record = self._record
            yield f"for {record} in {rdd}.take({taken})[:{shown}]:"
            yield f"{INDENT}print({record})"
            return
        name = file_name(builder, output)
        if builder.job.is_recovered:
            # Spark repeats a batch that was not committed, under the same number
            yield f"{self._records} = {rdd}.map(lambda record: (str(record),))"
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


def _has_number(node: Node) -> bool:
    """Return whether a method says how many partitions its result has."""
    places = {"combineByKey": 3, "groupByKey": 0, "partitionBy": 0}
    place = places.get(node.operator, 1)
    named = any(each.arg == "numPartitions" for each in node.call.keywords)
    return named or len(node.call.args) > place
