"""`updateStateByKey`: a streaming aggregation, or a class for `transformWithState`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from dstream_compat.native import reduction
from dstream_compat.native.expressions import Call, Expression, Struct
from dstream_compat.native.names import Known
from dstream_compat.native.reducers import Reduction
from dstream_compat.native.refusals import Code, Refusal
from dstream_compat.native.types import Double, Long, String, tuple_of, words

from ..builder.builder import Builder
from ..dataframes.frames import Frame
from ..program.graph import Node, Stage
from ..refusals import NotExpressible, from_refusal
from ..registry import operator
from ..state.updates import Running, RunningValue, running
from .aggregations import COUNT, grouped
from .update_state_by_key import frame_of_updates

COMPARED = {
    name: ast.parse(f"lambda a, b: {name}(a, b)", mode="eval").body for name in ("max", "min")
}


@operator(
    "updateStateByKey",
    Stage.STATE,
    "updateFunc",
    "numPartitions=",
    "initialRDD=",
    reason="the state of each key is the same, and every batch has all keys",
    streams=("initialRDD",),
)
def update_state_by_key(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    given = builder.arguments(node)["updateFunc"]
    found = running(builder.function(node, given), knows(builder, node))
    if found is None or len(node.parents) > 1:
        return frame_of_updates(builder, node, frame, given)
    aggregates = [_aggregate(builder, node, value, found, part) for part in found.parts]
    kind = tuple_of(*(each.type for each in aggregates)) if found.is_tuple else aggregates[0].type
    inputs = [part for each in aggregates for part in each.arguments]
    builder.keeps(frame, node, key, *inputs)
    return grouped(builder, node, frame, key, Reduction(tuple(aggregates), kind))


def knows(builder: Builder, node: Node) -> Callable[[ast.expr, str], bool]:
    """Return whether a name is a function of Python, where a node looks names up."""
    environment = builder.module.environment_in(node.block)

    def known(named: ast.expr, name: str) -> bool:
        if isinstance(named, ast.Name) and environment.lookup(named.id) == Known(name):
            return True
        return "." in name and builder.module.path_of(named) == name

    return known


def _aggregate(
    builder: Builder, node: Node, value: Expression, found: Running, part: RunningValue
) -> Call:
    """Return a running value as an aggregate of all values so far."""
    for place in part.path:
        if not isinstance(value, Struct) or place >= len(value.fields):
            raise NotExpressible("STATE_FUNCTION", "the values have no such field", node.call)
        value = value.fields[place]
    if part.function == "count":
        return COUNT
    if part.function in ("max", "min"):
        if found.tests_truth and isinstance(value.type, String):
            raise NotExpressible("STATE_FUNCTION", "an empty text counts as no state", node.call)
        made = reduction(builder.translator(node), COMPARED[part.function], value)
        if isinstance(made, Refusal):
            raise from_refusal(made, node.call)
        (aggregate,) = made.aggregates
        assert isinstance(aggregate, Call)
        return aggregate
    match value.type:
        case Long() if found.has_float:
            raise NotExpressible("MIXED_TYPES", "a sum of integers becomes a float", node.call)
        case Long(lo=1, hi=1):
            return COUNT
        case Long() as kind:
            if kind.bits != 32 and Code.INT_RANGE not in builder.accept:
                raise NotExpressible("INT_RANGE", Code.INT_RANGE.meaning, node.call)
            return Call(Long(), "sum", (value,))
        case Double() as kind:
            return Call(kind, "sum", (value,))
    raise NotExpressible("TYPE", f"a running sum of {words(value.type)}", node.call)
