"""Streams that leave something to later batches: what is saved, and what a batch makes of it.

Decision 0114: States of batch code are RDDs that are saved by the number of the batch.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable

from migrator.spark.kinds import Kind

from ..builder.builder import Builder
from ..builder.helpers import EXPORTED, MAP, REDUCE, SAVE, SAVED, UPDATE, helper
from ..builder.standard import standard_module
from ..outputs.foreach_rdd import uses_time
from ..program.graph import EITHER, Node
from ..program.values import is_one_of
from ..refusals import NotExpressible
from .functions import moment
from .methods import WINDOWS, arguments, spec_arguments
from .slides import EACH, Slides, before, counts_intervals, interval_of, operand

ADD, SUBTRACT = "lambda left, right: left + right", "lambda left, right: left - right"
LATE_WINDOWS = (
    "a trigger that is late runs one batch for the time that it missed, where DStreams run one for "
    "each interval: windows are of so many batches"
)
SLIDES_WITH_INVERSE = 5
"""Spark uses the inverse function of windows that are at least so many slides long."""


class Keeping:
    """Writes such streams.

    Parameters
    ----------
    builder : Builder
        of the job
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
        """Return the statement that saves something of each batch, if there is one, and the RDD.

        Parameters
        ----------
        node : Node
            the stream
        rdd : str
            that of the stream before it
        """
        if node.operator in WINDOWS:
            self._builder.note(LATE_WINDOWS)
            return self._window(node, rdd)
        state = self._map_state_code if node.operator == "mapWithState" else self._update_state_code
        return "", state(node, rdd)

    def _folder(self, node: Node, inner: str = "") -> str:
        """Return the folder of a stream, as source."""
        folders = self._builder.state_folders
        if node not in folders:
            folder_name, number = node.name or node.operator, 2
            name = folder_name
            while name in folders.values():
                name, number = f"{folder_name}_{number}", number + 1
            folders[node] = name
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
        builder, arguments = self._builder, spec_arguments(self._builder.module, node)
        function = builder.function(node.block, arguments["function"])
        names = [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]
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
            return int(length) >= SLIDES_WITH_INVERSE * int(slide)
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
    builder : Builder
        of the job
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
    match job.checkpoint:
        case ast.Constant(value=str(name)) if not {*"{}"} & {*name}:
            return prefix + json.dumps(name.rstrip("/") + rest, ensure_ascii=False)
    folder = builder.source(job.checkpoint)
    if not isinstance(job.checkpoint, ast.Name | ast.Attribute | ast.Subscript | ast.Constant):
        folder = f"({folder})"
    return f'{folder} + {prefix}"{rest}"'


def _sum(first: str, second: str) -> str:
    if first.isdigit() and second.isdigit():
        return str(int(first) + int(second))
    return f"{first} + {second}"
