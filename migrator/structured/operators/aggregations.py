"""`reduceByKey`, `count` and their kin: aggregations of a batch.

Also whether the inverse function of a window takes away what its reduce function adds.
"""

from __future__ import annotations

import ast
from dataclasses import replace

from dstream_compat.native import Code, Translator, key_refusal, reduction
from dstream_compat.native.expressions import (
    Call,
    Column,
    Expression,
    Operator,
    Struct,
    number,
    struct,
)
from dstream_compat.native.reducers import MAX_ROWS, Reduction
from dstream_compat.native.refusals import Refusal
from dstream_compat.native.types import Boolean, Long, Tuple

from ..builder.builder import Builder
from ..dataframes.frames import (
    Aliased,
    Frame,
    leaves_of,
    over_columns,
    shape_of,
    share_parts,
    unique,
    variables_of,
    with_leaves,
)
from ..program.graph import Node, Stage
from ..refusals import from_refusal
from ..registry import operator

COUNT = Call(Long(0, MAX_ROWS), "count", (number(1),))
DEFAULTS = {
    "count": "count",
    "sum": "total",
}
BATCH = "in the function of a batch, where the batch is what is aggregated"


@operator("reduceByKey", Stage.BATCH, "func", "numPartitions=", reason=f"an aggregation {BATCH}")
def reduce_by_key(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    reduction = reduction_of(builder, node, builder.arguments(node)["func"], value)
    builder.keeps(frame, node, key, *inputs(reduction.aggregates))
    return aggregates_by_key(node, frame, key, reduction)


@operator("reduce", Stage.BATCH, "func", reason=f"an aggregation {BATCH}")
def reduce(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    reduction = reduction_of(builder, node, builder.arguments(node)["func"], frame.element)
    builder.keeps(frame, node, *inputs(reduction.aggregates))
    names = aggregate_names(reduction.aggregates, frame.names)
    pairs = zip(reduction.aggregates, names, strict=True)
    code = frame.code.call("agg", *(Aliased(*pair) for pair in pairs))
    # a batch without records has no result; `agg` gives a row all the same, and a count is 0 there
    if is_count(reduction.aggregates[:1]):
        some = Operator(Boolean(), ">", Column(Long(), names[0]), number(0))
        code = code.call("where", Aliased(some))
    else:
        code = code.call("dropna")
    return Frame(code, over_columns(record_of(reduction), names), names, names)


@operator("count", Stage.BATCH, reason=f"the number of rows {BATCH}")
def count(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    builder.keeps(frame, node)
    code = frame.code.call("groupBy").call("count")
    return Frame(code, Column(COUNT.type, "count"), ("count",), ("count",))


@operator("countByValue", Stage.BATCH, "numPartitions=", reason=f"the number of equal rows {BATCH}")
def count_by_value(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    refuse_key(frame.element, node)
    builder.keeps(frame, node, frame.element)
    reduction = Reduction((COUNT,), COUNT.type)
    return aggregates_by_key(node, frame, frame.element, reduction)


@operator("distinct", Stage.BATCH, "numPartitions=", reason=f"equal rows once, {BATCH}")
def distinct(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    refuse_key(frame.element, node)
    selected = frame.only_record_columns()
    return replace(selected, code=selected.code.call("distinct"))


def reduction_of(builder: Builder, node: Node, function: ast.expr, value: Expression) -> Reduction:
    """Return the aggregates of a reduce function."""
    result = reduction(builder.translator(node), function, value)
    if isinstance(result, Refusal):
        raise from_refusal(result, node.call)
    builder.accepted += [each for each in result.accepted if each not in builder.accepted]
    return result


def refuse_key(key: Expression, node: Node) -> None:
    """Refuse keys that Spark groups otherwise than Python."""
    refusal = key_refusal(key.type)
    if refusal is not None:
        raise from_refusal(refusal, node.call)


def aggregates_by_key(node: Node, frame: Frame, key: Expression, reduction: Reduction) -> Frame:
    """Return the aggregates of each key."""
    refuse_key(key, node)
    keys = leaves_of(key)
    value_names = frame.names[len(keys) :] or frame.names
    names = unique((*frame.names[: len(keys)], *aggregate_names(reduction.aggregates, value_names)))
    pairs = [*zip(keys, names, strict=False)]
    code, pairs, aggregates = share_parts(frame.code, pairs, reduction.aggregates)
    code = code.call("groupBy", *(Aliased(*pair) for pair in pairs))
    results = names[len(keys) :]
    if reduction.aggregates == (COUNT,) or (
        is_count(reduction.aggregates) and results == ("count",)
    ):
        code = code.call("count")
        names = (*names[: len(keys)], "count")
    else:
        named = zip(aggregates, results, strict=True)
        code = code.call("agg", *(Aliased(*pair) for pair in named))
    value = record_of(reduction)
    return Frame(code, over_columns(struct((key, value)), names), names, names)


def is_count(aggregates: tuple[Expression, ...]) -> bool:
    """Return whether the only aggregate is the number of rows."""
    return len(aggregates) == 1 and _is_count(aggregates[0])


def _is_count(aggregate: Expression) -> bool:
    return isinstance(aggregate, Call) and aggregate.function == "count"


def aggregate_names(aggregates: tuple[Expression, ...], values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of aggregates, from those of the values."""
    names = []
    for place, aggregate in enumerate(aggregates):
        assert isinstance(aggregate, Call)
        argument = aggregate.arguments[0]
        own = argument.name if isinstance(argument, Column) else values[place : place + 1]
        name = own if isinstance(own, str) else (own[0] if own else "")
        generic = name in ("", "value", "key") or name.startswith("field_")
        default = DEFAULTS.get(aggregate.function, aggregate.function)
        names.append("count" if _is_count(aggregate) else default if generic else name)
    return unique(tuple(names))


def inputs(aggregates: tuple[Expression, ...]) -> list[Expression]:
    """Return what aggregates are computed of."""
    return [
        part
        for aggregate in aggregates
        if isinstance(aggregate, Call)
        for part in aggregate.arguments
    ]


def record_of(reduction: Reduction) -> Expression:
    """Return a record of aggregates: a tuple if the values were tuples."""
    if isinstance(reduction.type, Tuple):
        return Struct(reduction.type, reduction.aggregates)
    return reduction.aggregates[0]


def wide_translator(builder: Builder, node: Node) -> Translator:
    """Return a translator that does not ask whether integers fit: it only compares functions."""
    own = builder.translator(node)
    return Translator(own.environment, own.accept | {Code.INT_RANGE}, own.json, own.assume)


def is_inverse(translator: Translator, subtract: ast.expr, value: Expression) -> bool:
    """Return whether a function gives the differences of all parts of two values.

    Parameters
    ----------
    value : Expression
        a value, whose parts the reduce function of the window is known to sum up
    """
    first, second = variables_of(value, "a"), variables_of(value, "b")
    translation = translator.map(subtract, first, second)
    pairs = zip(leaves_of(first), leaves_of(second), strict=True)
    expected = with_leaves(value, [Operator(a.type, "-", a, b) for a, b in pairs])
    return not isinstance(translation, Refusal) and shape_of(translation.expression) == shape_of(
        expected
    )
