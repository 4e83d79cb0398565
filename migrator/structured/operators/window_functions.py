"""The functions of windows: what is known of reduce functions, their inverses and filters."""

from __future__ import annotations

import ast

from dstream_compat.native import reduction
from dstream_compat.native.expressions import Expression
from dstream_compat.native.reducers import Reduction
from dstream_compat.native.refusals import Code, Refusal
from dstream_compat.native.types import Double, Long

from ..builder.builder import Builder
from ..program.graph import Node
from ..refusals import NotExpressible, from_refusal
from ..windows.inverses import drops_zeros, is_inverse
from ..windows.window_classes import FUNCTIONS


def window_reduction(
    builder: Builder, node: Node, function: ast.expr, value: Expression
) -> Reduction:
    """Return the aggregates of a reduce function, as far as
    slices of a window can be put together.
    """
    made = reduction(builder.translator(node), function, value)
    if isinstance(made, Refusal):
        raise from_refusal(made, node.call)
    builder.accepted += [each for each in made.accepted if each not in builder.accepted]
    for each in made.aggregates:
        name = getattr(each, "function", "")
        if name not in ("count", *FUNCTIONS):
            raise NotExpressible("REDUCE", f"a window of `{name}`", node.call)
    return made


def check_inverse(
    builder: Builder, node: Node, function: ast.expr, inverse: ast.expr, made: Reduction
) -> None:
    """Refuse an inverse function that gives another result than the window has."""
    names = builder.module.environment_in(node.block)
    add, subtract = _written(builder, node, function), _written(builder, node, inverse)
    kinds = {getattr(each, "function", "") for each in made.aggregates}
    if not kinds <= {"sum", "count"} or not is_inverse(add, subtract, names):
        raise NotExpressible(
            "INVERSE", "it is not known that the inverse function undoes the other one", inverse
        )
    if any(isinstance(each.type, Double) for each in made.aggregates) and (
        Code.INT_RANGE not in builder.accept
    ):
        raise NotExpressible(
            "FLOAT_ARITHMETIC",
            "sums of floats from which values are subtracted keep rounding errors, those of a "
            "window do not",
            inverse,
        )


def check_filter(builder: Builder, node: Node, given: ast.expr, value: Expression) -> None:
    """Refuse a filter that drops other pairs than those of an empty window."""
    if not isinstance(value.type, Long) or value.type.lo < 1:
        raise NotExpressible(
            "FILTER", "filterFunc may drop keys that still have values in the window", given
        )
    if not drops_zeros(_written(builder, node, given)):
        raise NotExpressible("FILTER", "filterFunc does more than to drop sums of 0", given)


def _written(builder: Builder, node: Node, given: ast.expr) -> ast.expr | ast.FunctionDef:
    """Return the syntax of a function; a name or attribute of another module stays as it is."""
    try:
        return builder.function(node, given)
    except NotExpressible:
        return given
