"""`keys`, `values`, and pairs without those of other keys."""

from __future__ import annotations

from dstream_compat.native.types import Nullable

from ..builder.builder import Builder
from ..dataframes.frames import Frame, leaves_of
from ..program.graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import operator
from .aggregations import refuse_key


@operator("keys", Stage.ROWS, reason="the columns of the keys")
def keys(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    key, _ = builder.pair(frame, node)
    builder.keeps(frame, node, key)
    return frame.with_element(key, frame.names[: len(leaves_of(key))])


@operator("values", Stage.ROWS, reason="the columns of the values")
def values(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    key, value = builder.pair(frame, node)
    builder.keeps(frame, node, value)
    return frame.with_element(value, frame.names[len(leaves_of(key)) :])


@operator(
    "subtractByKey",
    Stage.ROWS,
    "other",
    "numPartitions=",
    reason="a `left_anti` join: the rows whose key is not on the other side",
    streams=("other",),
)
def subtract_by_key(builder: Builder, node: Node) -> Frame:
    left, right = builder.parent(node).only_record_columns(), builder.parent(node, 1)
    left_key, _ = builder.pair(left, node)
    right_key, _ = builder.pair(right, node)
    builder.keeps(right, node, right_key)
    names = left.names[: len(leaves_of(left_key))]
    keys_only = right.with_element(right_key, names)
    return _without(builder, node, left, names, keys_only)


@operator(
    "subtract",
    Stage.ROWS,
    "other",
    "numPartitions=",
    reason="a `left_anti` join: the rows that are not on the other side, as often as they are",
    streams=("other",),
)
def subtract(builder: Builder, node: Node) -> Frame:
    left, right = builder.parent(node).only_record_columns(), builder.parent(node, 1)
    other = right.with_element(right.element, left.names)
    return _without(builder, node, left, left.names, other)


def _without(
    builder: Builder, node: Node, left: Frame, names: tuple[str, ...], other: Frame
) -> Frame:
    own = list(leaves_of(left.element)[: len(names)])
    for own_leaf, two in zip(own, leaves_of(other.element), strict=True):
        if type(own_leaf.type) is not type(two.type):
            raise NotExpressible("MIXED_TYPES", "the keys of both sides differ", node.call)
    for leaf in [*own, *leaves_of(other.element)]:
        refuse_key(leaf, node)
        if isinstance(leaf.type, Nullable):
            raise NotExpressible("NULL_KEY", "SQL finds no keys that are None", node.call)
    on = ", ".join(f'"{name}"' for name in names)
    code = left.code.call(
        "join",
        builder.printer.expression(other.only_record_columns().code),
        f"[{on}]" if len(names) > 1 else on,
        '"left_anti"',
    )
    return Frame(code, left.element, left.names, left.columns)
