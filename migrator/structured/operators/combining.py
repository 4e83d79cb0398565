"""`combineByKey`, `aggregateByKey` and `foldByKey`, where they are sums, counts and extremes."""

from __future__ import annotations

import ast
from typing import Any

from dstream_compat.native import Code, Translator
from dstream_compat.native.expressions import (
    Expression,
    Literal,
    Operator,
    constant,
)
from dstream_compat.native.refusals import RefusedError
from dstream_compat.native.types import Long

from ..builder.builder import Builder
from ..dataframes.frames import Frame, leaves_of, shape_of, variables_of, with_leaves
from ..program.graph import Node, Stage
from ..refusals import NotExpressible, from_refusal
from ..registry import operator
from .aggregations import grouped, inputs, reduced

REASON = "an aggregation of each key: merging a value is merging what is made of it alone"


@operator(
    "combineByKey",
    Stage.BATCH,
    "createCombiner",
    "mergeValue",
    "mergeCombiners",
    "numPartitions=",
    reason=REASON,
)
def combine_by_key(builder: Builder, node: Node) -> Frame:
    given = builder.arguments(node)
    translator = wide_translator(builder, node)

    def created(value: Expression) -> Expression:
        return _applied(translator, node, given["createCombiner"], value)

    return _combined(builder, node, created, given["mergeValue"], given["mergeCombiners"])


@operator(
    "aggregateByKey",
    Stage.BATCH,
    "zeroValue",
    "seqFunc",
    "combFunc",
    "numPartitions=",
    reason=REASON,
)
def aggregate_by_key(builder: Builder, node: Node) -> Frame:
    given = builder.arguments(node)
    return _folded(builder, node, given["zeroValue"], given["seqFunc"], given["combFunc"])


@operator("foldByKey", Stage.BATCH, "zeroValue", "func", "numPartitions=", reason=REASON)
def fold_by_key(builder: Builder, node: Node) -> Frame:
    given = builder.arguments(node)
    return _folded(builder, node, given["zeroValue"], given["func"], given["func"])


def _folded(builder: Builder, node: Node, zero: ast.expr, merge: ast.expr, both: ast.expr) -> Frame:
    try:
        start = constant(ast.literal_eval(zero))
    except (ValueError, TypeError):
        start = None
    if start is None:
        raise NotExpressible("COMBINER", "the zero value is not written here", zero)
    translator = wide_translator(builder, node)

    def created(value: Expression) -> Expression:
        return simplified(_applied(translator, node, merge, start, value))

    return _combined(builder, node, created, merge, both)


def _combined(builder: Builder, node: Node, created: Any, merge: ast.expr, both: ast.expr) -> Frame:
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    translator = wide_translator(builder, node)
    combiner = created(value)
    one = variables_of(value, "v")
    start = variables_of(combiner, "a")
    left = _applied(translator, node, merge, start, one)
    right = _applied(translator, node, both, start, created(one))
    if shape_of(left) != shape_of(right):
        raise NotExpressible(
            "COMBINER", "the functions are no sums, counts or extremes of the values", node.call
        )
    made = reduced(builder, node, both, combiner)
    builder.keeps(frame, node, key, *inputs(made.aggregates))
    return grouped(builder, node, frame, key, made)


def wide_translator(builder: Builder, node: Node) -> Translator:
    """Return a translator that does not ask whether integers fit: it only compares functions."""
    own = builder.translator(node)
    return Translator(own.environment, own.accept | {Code.INT_RANGE}, own.json, own.assume)


def _applied(
    translator: Translator, node: Node, function: ast.expr, *arguments: Expression
) -> Expression:
    try:
        found, _ = translator.applied(function, arguments, lambda here, result: result)
    except RefusedError as error:
        raise from_refusal(error.refusal, node.call) from None
    return found


def simplified(value: Expression) -> Expression:
    """Return an expression without additions of 0."""
    return with_leaves(value, [_simplify(each) for each in leaves_of(value)])


def _simplify(value: Expression) -> Expression:
    match value:
        case Operator(symbol="+", left=Literal(value=0), right=Expression(type=Long()) as other):
            return other
        case Operator(symbol="+", left=Expression(type=Long()) as other, right=Literal(value=0)):
            return other
    return value
