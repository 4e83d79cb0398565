"""Streams as RDDs: the source of an expression in the function of a batch."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import cached_property
from itertools import pairwise
from typing import Final

from migrator.infer.scopes import bindings, locals_of
from migrator.infer.values import Value
from migrator.source.spans import with_spans
from migrator.spark.kinds import Kind
from migrator.spark.since import Version
from migrator.structured.foreach.body import place_of

from ..builder.builder import Builder
from ..builder.helpers import BYTES, OFFSETS, helper, stream_key
from ..dataframes.frames import INDENT
from ..foreach.sessions import needs_own_session
from ..foreach.statements import in_brackets
from ..operators.windows import ZERO
from ..program.graph import MQTT, Node
from ..program.job import JobBlock, Streaming
from ..program.modules import Block, SourceModule
from ..program.values import is_one_of
from ..reading.offset_ranges import CODE, RANGES_SO_FAR
from ..reading.offset_ranges import SOURCE as DIRECT
from ..refusals import NotExpressible
from ..result.session import context_span
from ..sources.ticks import RECORDS
from .functions import call_of, has_partitions, may_give_nothing, parameters, time_before
from .keeping import EACH, Keeping, Slides, interval_of
from .late import check_argument
from .methods import COUNT, COUNT_BY_VALUE, FAILING, KEEPING, NO_CHANGE, REDUCE, SAME

BYTES_SPARK: Final[Version] = (4, 1)
"""The first Spark that gives the bytes of a column as `bytes`, not as `bytearray`."""

_SAME_OF_BOTH = frozenset(("json.loads", "builtins.bytes", "builtins.len"))
"""Functions that make the same of both."""
_TEXT_OF_BOTH = "builtins.str"
"""It makes the same of both if it is given an encoding."""


def field_of(builder: Builder, block: Block, decoder: ast.expr, field: str) -> str:
    """Return what a decoder is given in the function of a batch.

    Bytes are made of a field for a Spark before 4.1 where the decoder may tell a bytearray from
    them; other results say that they need 4.1 then.
    """
    if _takes_both(builder.module, block, decoder):
        return field
    if builder.spark >= BYTES_SPARK:
        builder.printer.least = max(builder.printer.least, BYTES_SPARK)
        return field
    return f"{helper(builder, BYTES)}({field})"


def _takes_both(module: SourceModule, block: Block, decoder: ast.expr) -> bool:
    """Return whether a decoder makes the same of bytes and of a bytearray."""
    if module.path_of(decoder) in _SAME_OF_BOTH:
        return True
    function, _ = module.function_given(block, decoder)
    if function is None or len(function.args.args) != 1:
        return False
    name = function.args.args[0].arg
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    uses = [each for part in body for each in ast.walk(part)]
    return all(
        _is_same(module, each) for each in uses if isinstance(each, ast.Name) and each.id == name
    )


def _is_same(module: SourceModule, use: ast.Name) -> bool:
    """Return whether an expression of a value gives the same for bytes and for a bytearray."""
    parent = module.parents[use]
    match parent:
        case ast.Attribute(attr="decode"):
            return True
        case ast.Call(args=[first, *others]) if first is use:
            path = module.path_of(parent.func)
            return path in _SAME_OF_BOTH or (path == _TEXT_OF_BOTH and bool(others))
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()]):
            return left is use
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.If(test=test) | ast.IfExp(test=test):
            return test is use
    return False


_PARAMETERS = {"schema": "schema", "sampleRatio": "samplingRatio"}


def frames_of_views(module: SourceModule, job: JobBlock) -> set[ast.Call]:
    """Return the calls of `toDF` of a module that has views, or changes its session.

    Raises
    ------
    NotExpressible
        if such a call may be one of a DataFrame
    """
    called = [
        (node, node.func)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    if not needs_own_session(module, job):
        return set()
    frames = set()
    for call, func in called:
        if func.attr != "toDF" or is_one_of(_kind(module, func.value), {Kind.DATAFRAME}):
            continue
        named = {keyword.arg for keyword in call.keywords}
        plain = named <= _PARAMETERS.keys() and not any(
            isinstance(argument, ast.Starred) for argument in call.args
        )
        if not (plain and is_one_of(_kind(module, func.value), {Kind.RDD})):
            text = "`toDF` makes a DataFrame of the query's session, whose views the job has not"
            raise NotExpressible("VIEWS", text, func)
        frames.add(call)
    return frames


def _kind(module: SourceModule, node: ast.expr) -> Value | None:
    return module.facts.values.get(node)


def session_call(
    builder: Builder, job: JobBlock, call: ast.Call, rdd: str, arguments: list[str]
) -> str:
    """Return the call that makes a DataFrame of an RDD by the session of the job.

    Parameters
    ----------
    arguments : list of str
        the arguments of the call, with those that have names last
    """
    names = [""] * len(call.args) + [
        f"{_PARAMETERS[keyword.arg or '']}=" for keyword in call.keywords
    ]
    all_arguments = [rdd, *(name + text for name, text in zip(names, arguments, strict=True))]
    session = builder.session
    if not _is_known(builder.module, job, call, session):
        session = "SparkSession.builder.getOrCreate()"
    return f"{session}.createDataFrame({', '.join(all_arguments)})"


def _is_known(module: SourceModule, job: JobBlock, node: ast.AST, session: str) -> bool:
    """Return whether the name of the session of the job means it at a place."""
    inside = not job.block.functions
    for outer in module.around(node):
        if outer in job.block.functions:
            inside = True
            break
        if isinstance(outer, ast.FunctionDef | ast.Lambda) and session in locals_of(outer):
            return False
    return inside


RECEIVER = "createStream"

_LONG_ARGUMENT = 60
"""The characters of an RDD that gets a variable where it is an argument."""

_CLOSING = re.compile(r"[\s\\]*\)[\s\\)]*")
"""The end of brackets around what a method is called on."""


class Code:
    """Writes the streams of a query as RDDs of its batches.

    Parameters
    ----------
    has_ticks : bool
        whether its batches have ticks, too
    """

    def __init__(
        self,
        builder: Builder,
        block: Block,
        streams: Mapping[ast.expr, Node],
        source: Node,
        has_ticks: bool,
    ) -> None:
        self._builder = builder
        self._module = builder.module
        self._block = block
        self.made = streams
        self._source = source
        self.has_ticks = has_ticks
        self.has_input = ""
        """The variable that says whether a batch has input, if there is one so far."""
        self.slides = Slides(builder)
        self.keeping = Keeping(builder, self.slides, self.argument)
        self.queues: dict[Node, str] = {}
        """The RDDs that a batch takes of queues."""
        self.steps: dict[ast.Call, str] = {}
        """What calls of streams have become."""
        self.may_be_missing: set[Node] = set()
        """The streams that may have no RDD in a batch."""
        self.before: list[tuple[str, str]] = []
        """Statements that are needed before what was written last, each with its slide."""

    @property
    def interval(self) -> str:
        """The number of the interval of a batch, as source."""
        return interval_of(self._builder, self._source)

    def rows(self) -> str:
        """Return the records of the source."""
        source, *others = [step for step in self._source.path() if step.is_source]
        records = self._builder.batch + f'.where("{RECORDS}")' * self.has_ticks
        record = self._record(source)
        if any(self._record(other) != record for other in others):
            text = "the sources of the union have other decoders"
            raise NotExpressible("DECODER", text, self._source.call)
        if self._builder.job.reads_offsets and source.operator == DIRECT:
            self._builder.differs(CODE, RANGES_SO_FAR, source.call)
            decode = f", lambda {self._row}: {record}" if source in self._builder.decoders else ""
            key = stream_key(self._builder, source)
            return f"{helper(self._builder, OFFSETS)}({records}, {key}{decode})"
        return f"{records}.rdd.map(lambda {self._row}: {record})"

    @cached_property
    def _row(self) -> str:
        """The variable of the row of a record."""
        has_decoders = any(self._builder.decoders.values())
        is_free = not has_decoders or "row" not in self._module.names
        return "row" if is_free else self._module.free_name("record_row", "kafka_row")

    def _record(self, source: Node) -> str:
        """Return a record of a source, made of the row of a batch."""
        if source.operator not in (DIRECT, RECEIVER):
            return f"{self._row}.value"
        fields = []
        for name in ("key", "value"):
            field, decoder = f"{self._row}.{name}", self._builder.decoders.get(source, {}).get(name)
            if decoder is not None:
                check_argument(self._module, self._block, decoder)
                given = field_of(self._builder, self._block, decoder, field)
                field = self._decoder_call(decoder, given)
            fields.append(field)
        return f"({', '.join(fields)})"

    def _decoder_call(self, decoder: ast.expr, field: str) -> str:
        """Return what a decoder makes of a field."""
        if isinstance(decoder, ast.Lambda):
            names = [argument.arg for argument in decoder.args.args]
            text = self._body(decoder, {names[0]: field}) if len(names) == 1 else None
            return text or f"({self.argument(decoder)})({field})"
        written = self.argument(decoder)
        plain = isinstance(decoder, ast.Name | ast.Attribute)
        return f"{written if plain else f'({written})'}({field})"

    def named_rdd(self, node: ast.expr) -> str:
        """Return a stream that has a name in the job as an RDD."""
        stream = self.made.get(node)
        if stream is not None and stream is not self._source and stream.operator in KEEPING:
            return self._code_of_kept_stream(stream)
        return self.stream(node)

    def _code_of_kept_stream(self, node: Node) -> str:
        """Return a stream that leaves something to later batches."""
        assert isinstance(node.call.func, ast.Attribute)
        rdd = self.stream(node.call.func.value)
        slide = self.slides.of(node.parents[0])
        if "\n" in rdd or len(rdd) > _LONG_ARGUMENT:
            rdd = self._variable(rdd, slide, "pairs", "records")
        saved, text = self.keeping.code_of(node, rdd)
        if saved:
            self.before.append((saved, slide))
        self.steps[node.call] = text
        return text

    def stream(self, node: ast.expr) -> str:
        """Return a stream as an RDD."""
        if isinstance(node, ast.Name):
            return node.id
        stream = self.made.get(node)
        if stream is self._source:
            return self.rows()
        if stream is not None and stream.name and isinstance(node, ast.Subscript):
            return stream.name
        if stream is None or not (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        ):
            raise NotExpressible("BATCH_CODE", "this stream is no RDD of the batch", node)
        if stream in self.queues:
            self.steps[node] = self.queues[stream]
            return self.queues[stream] if stream.name else self._variable(self.queues[stream], EACH)
        owner = node.func.value
        if isinstance(self._builder.job.names.get(getattr(owner, "id", "")), Streaming):
            # the context unites streams
            self.slides.of(stream)
            if any(isinstance(argument, ast.Starred) for argument in node.args):
                if not all(parent.name for parent in stream.parents):
                    text = "the streams of the union have no names"
                    raise NotExpressible("BATCH_CODE", text, node)
                rdds = ", ".join(parent.name for parent in stream.parents)
            else:
                rdds = ", ".join(map(self.stream, node.args))
            self.steps[node] = f"{self._builder.session}.sparkContext.union([{rdds}])"
            return self.steps[node]
        if stream.operator in KEEPING:
            name = {"mapWithState": "mapped", "updateStateByKey": "updated"}
            ending = name.get(stream.operator, "windowed")
            return self._variable(self._code_of_kept_stream(stream), self.slides.of(stream), ending)
        self.slides.of(stream)
        before = self.stream(owner)
        text = self._after(node, before, owner, node.func.attr)
        self.steps[node] = text.removeprefix(before)
        return text

    def _after(self, call: ast.Call, before: str, owner: ast.expr, method: str) -> str:
        """Return an RDD after a method of its stream."""
        if method == "checkpoint":
            return before
        if method in SAME or method in NO_CHANGE:
            start = self._module.span(owner)[1]
            after = self.piece(start, self._module.span(call)[1], call)
            around = _CLOSING.match(after)
            if around is not None:
                before, after = f"({before})", after[around.end() :]
            return before + after
        if method == "count":
            before, only = self._counted_rdd(self.made[call], before)
            return COUNT.format(session=self._builder.session, owner=before, only=only)
        if method == "countByValue":
            return COUNT_BY_VALUE.format(owner=before)
        first, *others = [*call.args, *(keyword.value for keyword in call.keywords)]
        if method == "reduce":
            return REDUCE.format(owner=before, function=self.argument(first))
        slide = self.slides.of(self.made[call])
        if may_give_nothing(self._builder, self._block, first):
            self._check_missing(self.made[call])
        return self.result(self._block, first, [before, *map(self.stream, others)], slide)

    def _check_missing(self, node: Node) -> None:
        """Note a stream that may have no RDD in a batch.

        Its outputs are left out then, and its methods fail, as they do on DStreams.
        """
        for child in node.children:
            if child.operator not in FAILING or len(child.parents) > 1:
                text = (
                    "the function may return nothing, and then DStreams leave out the batch, "
                    f"which `{child.operator}` behind it has no form for"
                )
                raise NotExpressible("TRANSFORM", text, node.call)
        self.may_be_missing.add(node)

    def _counted_rdd(self, count: Node, rdd: str) -> tuple[str, str]:
        """Return what is counted, and the condition of a count, which DStreams give for RDDs with
        partitions only.
        """
        if has_partitions(count.parents[0]):
            return rdd, ""
        of_topics = any(step.operator == MQTT for step in count.path())
        if not of_topics and not self.has_ticks:
            return rdd, ""
        if any(step.operator == "window" for step in count.path()):
            self._builder.note(ZERO)
            return rdd, ""
        if of_topics:
            rdd = self._variable(rdd, self.slides.of(count.parents[0]))
            return rdd, f" if {rdd}.getNumPartitions() else []"
        if not self.has_input:
            self.has_input = self._module.free_name("has_input")
            test = f'not {self._builder.batch}.where("{RECORDS}").isEmpty()'
            self.before.append((f"{self.has_input} = {test}", EACH))
        return rdd, f" if {self.has_input} else []"

    def result(
        self,
        block: Block,
        function: ast.expr,
        rdds: list[str],
        slide: str = EACH,
        is_output: bool = False,
    ) -> str:
        """Return the call of a function of a batch.

        Parameters
        ----------
        rdds : list of str
            what it is given, after the time if it takes that
        is_output : bool
            whether it is the function of a `foreachRDD`
        """
        needs_moment = self._builder.needs_moment
        time = time_before(self._builder, block, function, len(rdds), is_output)
        if not isinstance(function, ast.Lambda):
            called, first, named = call_of(self._module, function)
            texts = [*map(self.argument, first), *time, *rdds]
            texts += [f"{each.arg}={self.argument(each.value)}" for each in named]
            return f"{self.argument(called)}({', '.join(texts)})"
        rdds = [self._variable(rdd, slide) for rdd in rdds]
        names = parameters(function)
        texts = [*time, *rdds]
        text = None
        if len(names) == len(texts):
            text = self._body(function, dict(zip(names, texts, strict=True)))
        used = {node.id for node in ast.walk(function.body) if isinstance(node, ast.Name)}
        if text and not (time and names[0] in used):
            self._builder.needs_moment = needs_moment
        return text or f"({self.argument(function)})({', '.join(texts)})"

    def _variable(self, rdd: str, slide: str, *names: str) -> str:
        """Return the variable of an RDD, which gets one if it has none."""
        if rdd.isidentifier():
            return rdd
        name = self._module.free_name(*names or ("rdd", "records"))
        self.before.append((f"{name} = {in_brackets(rdd)}", slide))
        return name

    def _body(self, function: ast.Lambda, names: Mapping[str, str]) -> str | None:
        """Return what a lambda gives for its arguments; None if it has to be called for that."""
        body, inner = function.body, bindings_in(function.body)
        if any(isinstance(node, ast.NamedExpr | ast.JoinedStr) for node in ast.walk(body)):
            # a name that is bound here, and a text that may show its expressions
            return None
        if not inner.isdisjoint((*names, *(each.partition(".")[0] for each in names.values()))):
            return None
        text = self.piece(*self._module.span(body), body, names)
        is_plain = isinstance(body, ast.Call | ast.Name | ast.Attribute)
        return in_brackets(text) if is_plain else f"({text})"

    def _frame(self, call: ast.Call, names: Mapping[str, str] | None) -> str:
        """Return the DataFrame of an RDD, made by the session of the job."""
        assert isinstance(call.func, ast.Attribute)
        parts = [call.func.value, *call.args, *(keyword.value for keyword in call.keywords)]
        rdd, *arguments = [self.piece(*self._module.span(part), part, names) for part in parts]
        return session_call(self._builder, self._builder.job, call, rdd, arguments)

    def argument(self, node: ast.expr) -> str:
        """Return an argument that is no stream."""
        return self.piece(*self._module.span(node), node)

    def piece(
        self, start: int, end: int, whole: ast.expr, names: Mapping[str, str] | None = None
    ) -> str:
        """Return a part of the source, without comments, in which streams are RDDs, the session of
        the result is that of the job, and some names are others.
        """
        module, job = self._module, self._builder.job
        edits: list[tuple[int, int, str]] = []
        for node in ast.walk(whole):
            if not isinstance(node, ast.expr) or not start <= module.span(node)[0] < end:
                continue
            if isinstance(node, ast.Call) and node in self._builder.frames:
                edits.append((*module.span(node), self._frame(node, names)))
            if isinstance(node, ast.Constant | ast.JoinedStr) and node.lineno != node.end_lineno:
                raise NotExpressible("LAYOUT", "a text of several lines is moved", node)
            if node in self.made and node is not whole:
                edits.append((*module.span(node), self.stream(node)))
            elif isinstance(node, ast.Name) and node.id in (names or {}):
                edits.append((*module.span(node), (names or {})[node.id]))
            elif node in job.passed:
                edits += context_span(self._builder, job, node, job.passed.pop(node))
        for comment in module.comments:
            first = place_of(module, comment)
            if start <= first < end:
                length_before = len(module.text[:first].rstrip(" \t"))
                edits.append((length_before, first + len(comment.text), ""))
        outer = [
            edit
            for edit in edits
            if not any(one is not edit and one[0] <= edit[0] and edit[1] <= one[1] for one in edits)
        ]
        text = with_spans(module.text[start:end], outer, start)
        return re.sub(r"\n(?:[ \t]*\n)+", "\n", text)


def wrap(text: str, width: int) -> str:
    """Return a statement of one line with its calls below each other, or the arguments of its last
    call, if it is longer than that.
    """
    if "\n" in text or len(text) <= width or text.endswith(":"):
        return text
    (statement,) = ast.parse(text).body
    value = getattr(statement, "value", None)
    ends, node = [], value
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        ends.append(node.func.value.end_col_offset or 0)
        node = node.func.value
    written = text.encode()
    if isinstance(value, ast.ListComp):
        start, place = value.elt.col_offset, value.elt.end_col_offset or 0
        parts = [written[start:place].decode(), written[place:-1].decode().lstrip()]
        return "\n".join([written[:start].decode(), *(INDENT + part for part in parts), "]"])
    if not isinstance(node, ast.Call):
        # what the first method is called on stays in its line
        ends = ends[:-1]
    if isinstance(statement, ast.Assign) and value is not None and ends:
        places = [value.col_offset, *reversed(ends), len(written)]
        first, *parts = [written[start:end].decode() for start, end in pairwise(places)]
        lines = [*wrap(first, width - len(INDENT)).split("\n"), *parts]
        before = written[: value.col_offset].decode()
        return "\n".join([f"{before}(", *(INDENT + line for line in lines), ")"])
    match value:
        case ast.Call(
            func=ast.Name(end_col_offset=end) | ast.Attribute(end_col_offset=end),
            args=args,
            keywords=keywords,
        ) if args or keywords:
            arguments: list[ast.expr | ast.keyword] = [*args, *keywords]
            parts = [written[each.col_offset : each.end_col_offset].decode() for each in arguments]
            lines = [f"{INDENT}{part}," for part in parts]
            return "\n".join([f"{written[:end].decode()}(", *lines, ")"])
    return text


def bindings_in(node: ast.AST) -> set[str]:
    """Return the names that functions and comprehensions in an expression bind for themselves."""
    return {name for inner in ast.walk(node) for name in bindings(inner)}


def indent_at(text: str, before: int, indent: int) -> str:
    """Return the lines of a statement at another indentation.

    Parameters
    ----------
    text : str
        the statement, from its first character on
    before : int
        its indentation
    indent : int
        the other one
    """
    first, *others = text.split("\n")
    lines = [" " * indent + first]
    for line in others:
        spaces = len(line) - len(line.lstrip(" "))
        lines.append(" " * max(spaces - before + indent, indent) + line.lstrip(" "))
    return "\n".join(line.rstrip() for line in lines)
