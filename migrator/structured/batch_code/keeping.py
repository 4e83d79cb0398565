"""Streams that leave something to later batches: what is saved, and what a batch makes of it.

Also how many batches are between two RDDs of a stream, and how many a window has.

Decision 0114: States of batch code are RDDs that are saved by the number of the batch.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from migrator.spark.kinds import Kind

from ..builder.builder import Builder
from ..builder.helpers import EXPORTED, MAP, REDUCE, SAVE, SAVED, UPDATE, helper
from ..builder.standard import standard_module
from ..dataframes.frames import free_name
from ..operators.windows import SLIDES
from ..outputs.foreach_rdd import uses_time
from ..program.graph import EITHER, TICK_SOURCE, Node
from ..program.values import is_one_of
from ..refusals import NotExpressible
from ..result.writer import folder_in
from ..windows.durations import Duration, duration, is_multiple
from .functions import moment, parameters
from .methods import WINDOWS, arguments, spec_arguments_of

EACH = "1"
"""The slide of a stream that has an RDD in each batch."""


class Slides:
    """The slides of the streams of a job, in batches, as source."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._known: dict[Node, str] = {}

    def of(self, node: Node) -> str:
        """Return the slide of a stream.

        Raises
        ------
        NotExpressible
            if it is made of streams with several ones, or if a duration is no multiple
        """
        if node not in self._known:
            slides = {self.of(parent) for parent in node.parents} or {EACH}
            if len(slides) > 1:
                text = "DStreams put no streams together that have different slides"
                raise NotExpressible("DURATION", text, node.call)
            (slide,) = slides
            self._known[node] = slide
            if node.operator in WINDOWS:
                self._known[node] = _product(slide, self.window(node)[1])
        return self._known[node]

    def window(self, node: Node) -> tuple[str, str]:
        """Return the length and the slide of a window, in RDDs of the stream before it."""
        arguments_by_name = arguments(node)
        before = self.of(node.parents[0])
        length = self._batches(node, arguments_by_name["windowDuration"], before)
        if "slideDuration" not in arguments_by_name:
            return length, EACH
        return length, self._batches(node, arguments_by_name["slideDuration"], before)

    def _batches(self, node: Node, argument: ast.expr, before: str) -> str:
        """Return a duration in RDDs of a stream that has a slide itself."""
        module, interval = self._builder.module, self._builder.job.interval
        assert interval is not None
        whole = duration(module, node.block, argument)
        batch = duration(module, self._builder.job.block, interval)
        if before != EACH and (whole.value is None or batch.value is None or not before.isdigit()):
            text = "a window of a window needs durations that are written as numbers"
            raise NotExpressible("DURATION", text, node.call)
        if is_multiple(whole, batch) is False:
            text = "Spark refuses durations that are no multiples of the batch"
            raise NotExpressible("DURATION", text, node.call)
        if before == EACH and whole.text == batch.text:
            return EACH
        if whole.value is None or batch.value is None:
            return self._quotient(whole, batch)
        number, rest = divmod(round(whole.value * 1000), round(batch.value * 1000) * int(before))
        if rest:
            text = "Spark refuses durations that are no multiples of the slide of the stream"
            raise NotExpressible("DURATION", text, node.call)
        return str(number)

    def _quotient(self, whole: Duration, part: Duration) -> str:
        """Return how often a duration has another one, as source."""
        if part.value == 1 and whole.whole:
            return whole.operand
        if whole.whole and part.whole:
            return f"{whole.operand} // {part.operand}"
        # functions of Spark and NumPy, which many jobs import, hide `round`
        return f"{self._builder.builtin('int')}({whole.operand} / {part.operand} + 0.5)"


def counts_intervals(node: Node) -> bool:
    """Return whether each batch of a stream is one of an interval: those of queues are, others
    begin with the batch that Spark runs when the query starts.
    """
    return any(step.operator == TICK_SOURCE for step in node.path())


def interval_of(builder: Builder, node: Node) -> str:
    """Return the number of the interval of a batch, from 1, as source."""
    return f"({builder.batch_id} + 1)" if counts_intervals(node) else builder.batch_id


def _product(first: str, second: str) -> str:
    """Return the product of two numbers of which one may be known only when the job runs."""
    if first.isdigit() and second.isdigit():
        return str(int(first) * int(second))
    return second if first == EACH else first


def before(number: str, batches: str) -> str:
    """Return the number of the first of some last batches, as source."""
    if batches.isdigit():
        return f"{number} - {int(batches) - 1}" if int(batches) > 1 else number
    return f"{number} - {operand(batches)} + 1"


def operand(text: str) -> str:
    """Return a number as a part of a larger expression."""
    is_one = text.replace("_", "").isalnum() or text.startswith("int(")
    return text if is_one else f"({text})"


ADD, SUBTRACT = "lambda left, right: left + right", "lambda left, right: left - right"
LATE_WINDOWS = (
    "a trigger that is late runs one batch for the time that it missed, where DStreams run one for "
    "each interval: windows are of so many batches"
)


class Keeping:
    """Writes such streams.

    Parameters
    ----------
    slides : Slides
        those of its streams
    source : callable
        gives an argument as source
    """

    def __init__(self, builder: Builder, slides: Slides, source: Callable[[ast.expr], str]) -> None:
        self._builder = builder
        self._slides = slides
        self._source = source
        self._saved: set[Node] = set()
        if not builder.states:
            builder.states = builder.module.free_name("states", "states_folder")

    def number(self, node: Node) -> str:
        """Return the number of a batch in which a stream has an RDD."""
        slide = self._slides.of(node)
        if slide == EACH:
            return self._builder.batch_id
        if counts_intervals(node):
            # the first batch is that of the first interval
            return f"{interval_of(self._builder, node)} // {operand(slide)} - 1"
        return f"{self._builder.batch_id} // {operand(slide)}"

    def code_of(self, node: Node, rdd: str) -> tuple[str, str]:
        """Return the statement that saves something of each batch, if there is one, and the RDD."""
        if node.operator in WINDOWS:
            self._builder.note(LATE_WINDOWS)
            return self._window(node, rdd)
        state = self._map_state_code if node.operator == "mapWithState" else self._update_state_code
        return "", state(node, rdd)

    def _folder(self, node: Node, inner: str = "") -> str:
        """Return the folder of a stream, as source."""
        folders = self._builder.state_folders
        if node not in folders:
            folders[node] = free_name(node.name or node.operator, folders.values())
        return f'f"{{{self._builder.states}}}/{folders[node]}{inner}"'

    def _update_state_code(self, node: Node, rdd: str) -> str:
        arguments_by_name = arguments(node)
        more = {"numPartitions": "partitions", "initialRDD": "initial"}
        return self._call(
            UPDATE,
            node,
            rdd,
            self._source(arguments_by_name["updateFunc"]),
            arguments_by_name,
            more,
        )

    def _map_state_code(self, node: Node, rdd: str) -> str:
        builder, arguments = self._builder, spec_arguments_of(self._builder.module, node)
        function = builder.function(node.block, arguments["function"])
        names = parameters(function)
        if function.args.defaults or function.args.vararg or len(names) not in (3, 4):
            text = "the state function must take three or four parameters"
            raise NotExpressible("STATE_FUNCTION", text, node.call)
        text, end = self._source(arguments["function"]), ""
        if len(names) == 4:
            uses_time(builder, function, names[0])
            called = f"({text})" if isinstance(function, ast.Lambda) else text
            text = f"lambda *given, at={moment(builder)}: {called}(at, *given)"
            end = ".filter(lambda record: record is not None)"
        more = {"numPartitions": "partitions", "initialState": "initial", "timeout": "timeout"}
        return self._call(MAP, node, rdd, text, arguments, more) + end

    def _call(
        self,
        name: str,
        node: Node,
        rdd: str,
        function: str,
        arguments: dict[str, ast.expr],
        more: dict[str, str],
    ) -> str:
        """Return the call of a helper that keeps a state."""
        number = self.number(node.parents[0])
        parts = [rdd, function, self._folder(node), number]
        if node in self._builder.carried:
            # they have what the job began with, too
            arguments = {
                key: value for key, value in arguments.items() if more.get(key) != "initial"
            }
            parts.append(f"initial={self._state_of_export(node, number)}")
        for key, parameter in more.items():
            if key in arguments:
                text = self._source(arguments[key])
                parts.append(f"{parameter}={self._initial(arguments[key], text, parameter)}")
        return f"{helper(self._builder, name)}({', '.join(parts)})"

    def _state_of_export(self, node: Node, number: str) -> str:
        """Return the states that the first batch begins with."""
        path = self._builder.carried[node].path
        return f"{helper(self._builder, EXPORTED)}({self._builder.session}, {path}, {number})"

    def _initial(self, node: ast.expr, text: str, parameter: str) -> str:
        """Return an argument; states from which a job begins are an RDD."""
        module = self._builder.module
        if parameter != "initial" or is_one_of(module.facts.values.get(node), {Kind.RDD}):
            return text
        if not isinstance(module.constant(node), ast.List | ast.Tuple):
            reason = "it is not known whether the initial state is an RDD or a list"
            raise NotExpressible("INITIAL_STATE", reason, node)
        return f"{self._builder.session}.sparkContext.parallelize({text})"

    def _window(self, node: Node, rdd: str) -> tuple[str, str]:
        arguments_by_name = arguments(node)
        source = {name: self._source(value) for name, value in arguments_by_name.items()}
        partitions = source.get("numPartitions", "")
        match node.operator:
            case "window":
                return self._batches(node, rdd)
            case "countByWindow":
                pairs = f"{rdd}.map(lambda record: (None, 1))"
                codes = self._reduced_window_code(node, pairs, ADD, SUBTRACT, "1")
                return codes[0], f"{codes[1]}.values()"
            case "countByValueAndWindow":
                # counts that the inverse function leaves at 0 are left out
                pairs = f"{rdd}.map(lambda record: (record, 1))"
                return self._reduced_window_code(node, pairs, ADD, "", partitions)
            case "groupByKeyAndWindow" if not self._may_use_inverse(node):
                saved, batches = self._batches(node, rdd)
                return saved, f"{batches}.groupByKey({partitions or self._parallelism})"
            case "groupByKeyAndWindow":
                pairs = f"{rdd}.mapValues(lambda value: [value])"
                rest = "lambda left, right: left[len(right):]"
                codes = self._reduced_window_code(node, pairs, ADD, rest, partitions)
                self._builder.need("pyspark.resultiterable", "ResultIterable")
                return codes[0], f"{codes[1]}.mapValues(ResultIterable)"
            case "reduceByWindow":
                pairs = f"{rdd}.map(lambda record: (None, record))"
                inverse = source.get("invReduceFunc", "")
                codes = self._reduced_window_code(node, pairs, source["reduceFunc"], inverse, "1")
                return codes[0], f"{codes[1]}.values()"
        inverse, filter_text = source.get("invFunc", ""), source.get("filterFunc", "")
        return self._reduced_window_code(
            node, rdd, source["func"], inverse, partitions, filter_text
        )

    @property
    def _parallelism(self) -> str:
        """The number of partitions that DStreams have where a job gives none."""
        return f"{self._builder.session}.sparkContext.defaultParallelism"

    def _may_use_inverse(self, node: Node) -> bool:
        """Return whether DStreams may use an inverse function: in windows of several slides."""
        length, slide = self._slides.window(node)
        if length.isdigit() and slide.isdigit():
            return int(length) >= SLIDES * int(slide)
        return True

    def _batches(self, node: Node, rdd: str, inner: str = "") -> tuple[str, str]:
        """Return what saves the RDDs of a window, and their union."""
        builder, (length, slide) = self._builder, self._slides.window(node)
        windows = [node] if inner else self._windows_with(node)
        parent = node.parents[0]
        number, folder = self.number(parent), self._folder(windows[0], inner)
        duration = _sum(length, slide) if inner else length
        first, context = before(number, length), f"{builder.session}.sparkContext"
        saved = ""
        if len(windows) > 1:
            duration = str(max(int(self._slides.window(window)[0]) for window in windows))
        if len(windows) == 1 or parent not in self._saved:
            saved = f"{helper(builder, SAVE)}({rdd}, {folder}, {number}, {duration})"
            self._saved.add(parent)
        return saved, f"{helper(builder, SAVED)}({context}, {folder}, {first}, {number})"

    def _windows_with(self, node: Node) -> list[Node]:
        """Return the windows that read the same saved batches as one: those of its stream."""
        job = self._builder.job
        has_tests = any(output.conditions for output in job.outputs)
        has_tests = has_tests or any(node.operator == EITHER for node in job.nodes)
        if node.operator != "window" or has_tests:
            # what is saved under a test is not there behind it
            return [node]
        siblings = [child for child in node.parents[0].children if child.operator == "window"]
        lengths = [self._slides.window(sibling)[0] for sibling in siblings]
        return siblings if all(map(str.isdigit, lengths)) else [node]

    def _reduced_window_code(
        self,
        node: Node,
        pairs: str,
        function: str,
        inverse: str,
        partitions: str,
        filter_text: str = "",
    ) -> tuple[str, str]:
        """Return what saves the reduced values of each batch, and those of the window."""
        more = f", {partitions}" if partitions else ""
        reduced = f"{pairs}.reduceByKey({function}{more})"
        if not inverse or not self._may_use_inverse(node):
            saved, batches = self._batches(node, reduced)
            code = f"{batches}.reduceByKey({function}, {partitions or self._parallelism})"
            return saved, f"{code}.filter({filter_text})" if filter_text and inverse else code
        arguments_by_name = arguments(node)
        if isinstance(
            arguments_by_name.get("invFunc", arguments_by_name.get("invReduceFunc")), ast.Constant
        ):
            text = "the inverse function is a constant, so it fails when records leave the window"
            raise NotExpressible("WINDOW_INVERSE", text, node.call)
        saved, _ = self._batches(node, reduced, "/batches")
        length, slide = self._slides.window(node)
        parts = [f"{self._builder.session}.sparkContext", function, inverse, self._folder(node)]
        parts += [self.number(node.parents[0]), f"length={length}", f"slide={slide}"]
        parts += [f"partitions={partitions}"] if partitions else []
        parts += [f"kept={filter_text}"] if filter_text else []
        return saved, f"{helper(self._builder, REDUCE)}({', '.join(parts)})"


def states_folder(builder: Builder, place: ast.stmt) -> str:
    """Return where states are saved, as source: in a folder that is new for each start, unless the
    job goes on from the last one.

    Parameters
    ----------
    place : ast.stmt
        the statement behind which that is written
    """
    job = builder.job
    if job.checkpoint is None:
        return f"{standard_module(builder, 'tempfile', place)}.mkdtemp()"
    rest, prefix = f"/{job.folder}/states", ""
    if not job.is_recovered:
        module = standard_module(builder, "uuid", place)
        rest, prefix = f"/states-{{{module}.uuid4()}}", "f"
    return folder_in(builder, job.checkpoint, rest, prefix)


def _sum(first: str, second: str) -> str:
    if first.isdigit() and second.isdigit():
        return str(int(first) + int(second))
    return f"{first} + {second}"
