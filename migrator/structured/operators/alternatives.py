"""One of several streams, as an `if` of the job says: that `if` stays."""

from __future__ import annotations

from dstream_compat.native.expressions import Column, Expression
from dstream_compat.native.types import Long, NoneType, join, present, walk

from ..builder.builder import MIXED, Builder
from ..dataframes.chains import Chain
from ..dataframes.frames import Frame, shape_of, with_leaves
from ..program.graph import EITHER, Node, Stage
from ..refusals import NotExpressible
from ..registry import operator


@operator(EITHER, Stage.ROWS, reason="the `if` stays; both streams have the same columns")
def either(builder: Builder, node: Node) -> Frame:
    first, other = (builder.frame(parent) for parent in node.parents)
    if first.columns != other.columns or len(first.leaves) != len(other.leaves):
        raise NotExpressible("MIXED_TYPES", MIXED, node.call)
    leaves: list[Expression] = []
    for name, leaf, two in zip(first.names, first.leaves, other.leaves, strict=True):
        kind = join(leaf.type, two.type)
        if kind is None or _sizes(leaf) != _sizes(two):
            raise NotExpressible("MIXED_TYPES", MIXED, node.call)
        leaves.append(Column(kind, name))
    element = with_leaves(first.element, leaves)
    if shape_of(element) != shape_of(with_leaves(other.element, leaves)):
        raise NotExpressible("MIXED_TYPES", MIXED, node.call)
    raising = first.raising | other.raising
    return Frame(Chain(node.name), element, first.names, first.columns, raising)


def _sizes(value: Expression) -> list[int]:
    """Return the sizes of the integers of a column, and where it has nothing but nulls."""
    kinds = walk(present(value.type))
    return [e.bits if isinstance(e, Long) else 0 for e in kinds if isinstance(e, Long | NoneType)]
