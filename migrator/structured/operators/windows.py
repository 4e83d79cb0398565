"""Windows: a processor keeps what each batch adds, and gives the sums of a window at each slide."""

from __future__ import annotations

import ast
import math
from dataclasses import replace

from dstream_compat.native.expressions import Call, Column, Expression, Literal, struct
from dstream_compat.native.reducers import Reduction
from dstream_compat.native.refusals import Code
from dstream_compat.native.types import Boolean, Double, Long, words

from ..builder.builder import Builder, Start
from ..dataframes.frames import Frame, leaves_of, over_columns, unique, with_leaves
from ..program.arguments import bind_arguments, is_none
from ..program.graph import WINDOWS, Node, Output, Stage, mapped_state
from ..program.job import known_imports
from ..refusals import NotExpressible
from ..registry import OPERATORS, operator
from ..state.processors import needs
from ..windows.durations import Duration, duration, is_multiple
from ..windows.window_classes import FUNCTIONS, Slices, WindowValue, sql_type
from .aggregations import (
    COUNT,
    aggregate_names,
    drops_zeros,
    is_inverse,
    record_of,
    reduction_of,
    refuse_key,
    wide_translator,
)
from .states import spec_of, state_chain, uses_time

REASON = (
    "a slice for each slide, and a timer that fires at each slide, with input or without; a window "
    "ends at multiples of the slide, and a late batch skips the slides that have passed"
)
NONE = ast.Constant(None)
RESTART = (
    "after a restart Spark gives windows from the first batch with input on, with the old state"
)
NOTES = (
    "windows end at multiples of the slide since 1970, those of DStreams at multiples since the "
    "start of the job; a batch that is late skips the windows that have passed meanwhile",
    "windows are of the time at which records arrive, as before; next step: event time with a "
    "watermark and `F.window`",
)
ZERO = "the count of a window without rows is 0 where DStreams may give none"
KAFKA = ("createDirectStream", "createStream")
"""The sources whose records come in their order when a batch has those of several."""
SLIDES = 5
"""Spark uses the inverse function of windows that are at least so many slides long."""


@operator(
    "reduceByKeyAndWindow",
    Stage.STATE,
    "func",
    "invFunc",
    "windowDuration",
    "slideDuration=",
    "numPartitions=",
    "filterFunc=",
    reason=REASON,
)
def reduce_by_key_and_window(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    key, value = builder.pair(builder.parent(node), node)
    reduction = _window_reduction(builder, node, arguments["func"], value)
    keeps = False
    if not is_none(arguments["invFunc"]):
        _check_inverse(builder, node, arguments["invFunc"], value, reduction)
        keeps = "filterFunc" not in arguments or is_none(arguments["filterFunc"])
        if not keeps:
            _check_filter(builder, node, arguments["filterFunc"], key, value)
    return _window_frame(builder, node, key, reduction, keeps)


@operator(
    "reduceByWindow",
    Stage.STATE,
    "reduceFunc",
    "invReduceFunc",
    "windowDuration",
    "slideDuration",
    reason=REASON,
)
def reduce_by_window(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    value = builder.parent(node).element
    reduction = _window_reduction(builder, node, arguments["reduceFunc"], value)
    keeps = not is_none(arguments["invReduceFunc"])
    if keeps:
        _check_inverse(builder, node, arguments["invReduceFunc"], value, reduction)
    return _window_frame(builder, node, None, reduction, keeps)


@operator("countByWindow", Stage.STATE, "windowDuration", "slideDuration", reason=REASON)
def count_by_window(builder: Builder, node: Node) -> Frame:
    return _window_frame(builder, node, None, Reduction((COUNT,), COUNT.type), True)


@operator(
    "countByValueAndWindow",
    Stage.STATE,
    "windowDuration",
    "slideDuration",
    "numPartitions=",
    reason=REASON,
)
def count_by_value_and_window(builder: Builder, node: Node) -> Frame:
    key = builder.parent(node).element
    return _window_frame(builder, node, key, Reduction((COUNT,), COUNT.type), False)


@operator("window", Stage.STATE, "windowDuration", "slideDuration=", reason=REASON)
def window(builder: Builder, node: Node) -> Frame:
    return _window_frame(builder, node, None, Reduction((COUNT,), COUNT.type), False, as_rows=True)


def _durations(builder: Builder, node: Node) -> tuple[Duration, Duration]:
    """Return the length and the slide of a window."""
    arguments = builder.arguments(node)
    interval = builder.job.interval
    assert interval is not None
    slide = arguments.get("slideDuration", interval)
    if is_none(slide):
        slide = interval
    module, block = builder.module, node.block
    batch = duration(module, block, interval)
    durations = duration(module, block, arguments["windowDuration"]), duration(module, block, slide)
    for length in durations:
        if is_multiple(length, batch) is False:
            raise NotExpressible(
                "DURATION", "Spark refuses durations that are no multiples of the batch", node.call
            )
    return durations


def _window_frame(
    builder: Builder,
    node: Node,
    key: Expression | None,
    reduction: Reduction,
    keeps: bool,
    as_rows: bool = False,
) -> Frame:
    frame = builder.parent(node)
    length, slide = _durations(builder, node)
    interval = _each_interval(builder, node, slide)
    if as_rows:
        # constants are the same for all rows
        frame = frame.with_value_columns()
        pairs_found = [
            e for e in zip(frame.leaves, frame.names, strict=True) if isinstance(e[0], Column)
        ]
        if not pairs_found:
            raise NotExpressible("WINDOW", "a window of constants", node.call)
        keys, key_names = tuple(e for e, _ in pairs_found), tuple(name for _, name in pairs_found)
        value_names: tuple[str, ...] = ()
    else:
        keys = leaves_of(key) if key is not None else ()
        key_names, value_names = frame.names[: len(keys)], frame.names[len(keys) :] or frame.names
    for each in keys:
        refuse_key(each, node)
    names = unique((*key_names, *aggregate_names(reduction.aggregates, value_names)))
    values, inputs = [], []
    for place, (name, each) in enumerate(
        zip(names[len(keys) :], reduction.aggregates, strict=True)
    ):
        assert isinstance(each, Call)
        function = FUNCTIONS.get(each.function, each.function)
        column = "" if function == "count" else value_names[place]
        if column:
            inputs.append((each.arguments[0], column))
        values.append(WindowValue(name, _sql(each, node), function, column))
    frame.keeps(node.call, *keys, *(each for each, _ in inputs))
    if not keys:
        # Spark keeps no state without a key
        keys, names = (Literal(Boolean(), True),), unique(("all", *names))
    parts = (*keys, *(each for each, _ in inputs))
    columns = (*names[: len(keys)], *(column for _, column in inputs))
    record = struct(parts) if len(parts) > 1 else parts[0]
    before = frame.with_element(record, columns).only_record_columns()
    slices = _slices(builder, tuple(values), as_rows, interval)
    shown = names[: len(keys)] if as_rows else names
    row = ", ".join(f'"{each}"' for each in shown)
    arguments = [f"Row({row})", length.text, slide.text]
    if interval is not None:
        arguments.append(interval.text)
    if keeps and _keeps_empty(length, slide) != "False":
        arguments.append(f"keep_empty={_keeps_empty(length, slide)}")
    kinds = [_sql(key, node) for key in keys] + [value.sql for value in values]
    schema = ", ".join(f"{name} {kind}" for name, kind in zip(shown, kinds, strict=False))
    code = state_chain(
        builder,
        node,
        before,
        names[: len(keys)],
        f"{builder.class_of(slices)}({', '.join(arguments)})",
        f'"{schema}"',
        '"append"',
        '"processingTime"',
    )
    needs(builder)
    zero = [ZERO] if node.operator == "countByWindow" else []
    for note in (*NOTES, *zero, *([RESTART] if builder.job.is_recovered else ())):
        builder.note(note)
    builder.starts[node] = _start(builder, node, length, slide, slices)
    if as_rows:
        own = dict(zip(keys, shown, strict=True))
        leaves = [Column(e.type, own[e]) if e in own else e for e in frame.leaves]
        return Frame(code, with_leaves(frame.element, leaves), frame.names, shown)
    value = record_of(reduction)
    if keeps:
        value = with_leaves(value, [_or_zero(each) for each in leaves_of(value)])
    element = value if key is None else struct((key, value))
    given_names = names if key is not None else names[1:]
    return Frame(code, over_columns(element, given_names), given_names, names)


def _or_zero(value: Expression) -> Expression:
    """Return a sum that is 0 if the window is empty."""
    kind = value.type
    return Column(replace(kind, lo=min(kind.lo, 0)) if isinstance(kind, Long) else kind, "")


def _sql(value: Expression, node: Node) -> str:
    type_text = sql_type(value.type)
    if type_text is None:
        raise NotExpressible("TYPE", f"a window of {words(value.type)}", node.call)
    return type_text


def _slices(
    builder: Builder, values: tuple[WindowValue, ...], as_rows: bool, interval: Duration | None
) -> Slices:
    """Return what the class of a window is: windows of one job have the same form, if they can."""
    windows = [node for node in builder.job.nodes if node.operator in WINDOWS]
    durations = [_durations(builder, node) for node in windows]
    panes = interval is None and any(is_multiple(*duration) is not True for duration in durations)
    parts = [*durations, (interval,)] if interval is not None else durations
    if panes and "math" not in known_imports(builder.job):
        builder.standard.add("import math")
    return Slices(
        values,
        as_rows,
        keeps_empty=any(map(_may_keep, windows)) and not as_rows,
        panes=panes,
        fractions=any(not part.whole for piece in parts for part in piece),
        each_interval=interval is not None,
    )


def _may_keep(node: Node) -> bool:
    """Return whether keys stay in a window that is long enough."""
    arguments = bind_arguments(node.call, OPERATORS[node.operator].parameters)
    assert arguments is not None
    inverse = arguments.get("invFunc", arguments.get("invReduceFunc"))
    if inverse is None:
        return node.operator == "countByWindow"
    return not is_none(inverse) and is_none(arguments.get("filterFunc", NONE))


def _keeps_empty(length: Duration, slide: Duration) -> str:
    if length.value is not None and slide.value is not None:
        return str(length.value >= SLIDES * slide.value)
    return f"{length.text} >= {SLIDES} * {slide.operand}"


def _start(
    builder: Builder, node: Node, length: Duration, slide: Duration, slices: Slices
) -> Start:
    """Return how the query of a window starts: a batch for each slide."""
    if slices.each_interval:
        return Start("append", "", slices.variable)
    match is_multiple(length, slide):
        case True:
            return Start("append", slide.trigger, slices.variable)
        case False:
            assert length.value is not None and slide.value is not None
            pane = math.gcd(round(length.value * 1000), round(slide.value * 1000))
            seconds = pane // 1000 if pane % 1000 == 0 else pane / 1000
            trigger = Duration(str(seconds), seconds, isinstance(seconds, int), True).trigger
        case _:
            if not (length.whole and slide.whole):
                raise NotExpressible(
                    "DURATION", "it is not known that the durations are whole seconds", node.call
                )
            trigger = f'f"{{math.gcd({length.text}, {slide.text})}} seconds"'
    output = _shows_more(builder, node)
    if output is not None:
        raise NotExpressible(
            "DURATION",
            "the window may be no multiple of the slide, and this output would also run "
            "between two slides",
            output.call,
        )
    return Start("append", trigger, slices.variable)


def _shows_more(builder: Builder, node: Node) -> Output | None:
    """Return an output of a window that gives something for a batch without windows."""
    for output in builder.job.outputs:
        path = [*output.node.path()]
        # the count of no rows is a record
        counts = any(step.operator == "count" for step in path)
        if node in path and (output.method != "pprint" or counts):
            return output
    return None


def _each_interval(builder: Builder, node: Node, slide: Duration) -> Duration | None:
    """Return the interval if the query of a window has to have a batch for each one.

    `mapWithState` calls its function for the records of an interval. In a query with a batch for
    each slide these would be the records of several intervals together, in no certain order.

    Raises
    ------
    NotExpressible
        if an output would give more then, and the difference of longer batches is not accepted
    """
    mapped, interval = mapped_state(node.parents[0]), builder.job.interval
    assert interval is not None
    length = duration(builder.module, node.block, interval)
    if mapped is None or is_multiple(length, slide):
        return None
    spec = spec_of(builder, mapped)
    name = spec.function.name
    if _shows_more(builder, node) is None:
        builder.note(
            f"the query of the window has a batch for each interval, as `{name}` is called for the "
            "records of each; those without a window show nothing"
        )
        builder.between.add(node)
        return length
    if spec.timeout is not None:
        raise NotExpressible(
            "TIMEOUT",
            "the query of a window has a batch for each slide, so that keys would time out at "
            "slides only",
            node.call,
        )
    if len(spec.function.args.args) == 4 and uses_time(spec.function):
        builder.differs(
            "BATCH_TIME",
            f"the query of the window calls `{name}` once for each slide, so that its batch time "
            "is that of the slide",
            node.call,
        )
    if not all(step.operator in KAFKA for step in mapped.path() if step.is_source):
        builder.differs(
            "ORDER",
            f"the query of the window calls `{name}` for the records of several batches together, "
            "and Spark keeps their order only for partitions of Kafka",
            node.call,
        )
    return None


def _window_reduction(
    builder: Builder, node: Node, function: ast.expr, value: Expression
) -> Reduction:
    """Return the aggregates of a reduce function, if slices of a window can be put together."""
    reduction = reduction_of(builder, node, function, value)
    for aggregate in reduction.aggregates:
        name = getattr(aggregate, "function", "")
        if name not in ("count", *FUNCTIONS):
            raise NotExpressible("REDUCE", f"a window of `{name}`", node.call)
    return reduction


def _check_inverse(
    builder: Builder, node: Node, inverse: ast.expr, value: Expression, reduction: Reduction
) -> None:
    """Refuse an inverse function that gives another result than the window has."""
    kinds = {getattr(aggregate, "function", "") for aggregate in reduction.aggregates}
    if not kinds <= {"sum", "count"} or not is_inverse(
        wide_translator(builder, node), inverse, value
    ):
        raise NotExpressible(
            "INVERSE", "it is not known that the inverse function undoes the other one", inverse
        )
    if any(isinstance(aggregate.type, Double) for aggregate in reduction.aggregates) and (
        Code.INT_RANGE not in builder.accept
    ):
        raise NotExpressible(
            "FLOAT_ARITHMETIC",
            "sums of floats from which values are subtracted keep rounding errors, those of a "
            "window do not",
            inverse,
        )


def _check_filter(
    builder: Builder, node: Node, function: ast.expr, key: Expression, value: Expression
) -> None:
    """Refuse a filter that drops other pairs than those of an empty window."""
    if not isinstance(value.type, Long) or value.type.lo < 1:
        raise NotExpressible(
            "FILTER", "filterFunc may drop keys that still have values in the window", function
        )
    if not drops_zeros(wide_translator(builder, node), function, key, value):
        raise NotExpressible("FILTER", "filterFunc does more than to drop sums of 0", function)
