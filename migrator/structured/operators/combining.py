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
from .aggregations import aggregates_by_key, inputs, reduction_of

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
    arguments = builder.arguments(node)
    translator = wide_translator(builder, node)

    def combiner_of(value: Expression) -> Expression:
        return _apply_function(translator, node, arguments["createCombiner"], value)

    return _combine_values(
        builder, node, combiner_of, arguments["mergeValue"], arguments["mergeCombiners"]
    )


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
    arguments = builder.arguments(node)
    return _fold_by_key(
        builder, node, arguments["zeroValue"], arguments["seqFunc"], arguments["combFunc"]
    )


@operator("foldByKey", Stage.BATCH, "zeroValue", "func", "numPartitions=", reason=REASON)
def fold_by_key(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    return _fold_by_key(builder, node, arguments["zeroValue"], arguments["func"], arguments["func"])


def _fold_by_key(
    builder: Builder, node: Node, zero: ast.expr, merge: ast.expr, both: ast.expr
) -> Frame:
    try:
        start = constant(ast.literal_eval(zero))
    except (ValueError, TypeError):
        start = None
    if start is None:
        raise NotExpressible("COMBINER", "the zero value is not written here", zero)
    translator = wide_translator(builder, node)

    def combiner_of(value: Expression) -> Expression:
        return without_zero_terms(_apply_function(translator, node, merge, start, value))

    return _combine_values(builder, node, combiner_of, merge, both)


def _combine_values(
    builder: Builder, node: Node, created: Any, merge: ast.expr, both: ast.expr
) -> Frame:
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    translator = wide_translator(builder, node)
    combiner = created(value)
    variable = variables_of(value, "v")
    start = variables_of(combiner, "a")
    left = _apply_function(translator, node, merge, start, variable)
    right = _apply_function(translator, node, both, start, created(variable))
    if shape_of(left) != shape_of(right):
        raise NotExpressible(
            "COMBINER", "the functions are no sums, counts or extremes of the values", node.call
        )
    reduction = reduction_of(builder, node, both, combiner)
    builder.keeps(frame, node, key, *inputs(reduction.aggregates))
    return aggregates_by_key(builder, node, frame, key, reduction)


def wide_translator(builder: Builder, node: Node) -> Translator:
    """Return a translator that does not ask whether integers fit: it only compares functions."""
    own = builder.translator(node)
    return Translator(own.environment, own.accept | {Code.INT_RANGE}, own.json, own.assume)


def _apply_function(
    translator: Translator, node: Node, function: ast.expr, *arguments: Expression
) -> Expression:
    try:
        expression, _ = translator.apply(function, arguments, lambda here, result: result)
    except RefusedError as error:
        raise from_refusal(error.refusal, node.call) from None
    return expression


def without_zero_terms(value: Expression) -> Expression:
    """Return an expression without additions of 0."""
    return with_leaves(value, [_simplify(leaf) for leaf in leaves_of(value)])


def _simplify(value: Expression) -> Expression:
    match value:
        case Operator(symbol="+", left=Literal(value=0), right=Expression(type=Long()) as other):
            return other
        case Operator(symbol="+", left=Expression(type=Long()) as other, right=Literal(value=0)):
            return other
    return value
