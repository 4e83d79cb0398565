"""Joins with static data, and joins of streams that are made of the same batch; sides of pairs."""

from __future__ import annotations

from dstream_compat.native.expressions import Column, Expression, Struct, struct
from dstream_compat.native.types import Nullable, join, nullable

from ..builder.builder import Builder
from ..dataframes.frames import Frame, leaves_of, over_columns, unique
from ..program.graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import operator
from .aggregations import refuse_key

JOINS = {
    "join": ("inner", False, False),
    "leftOuterJoin": ("left", False, True),
    "rightOuterJoin": ("right", True, False),
    "fullOuterJoin": ("outer", True, True),
}
"""The kind of each join, and whether its left and its right side may have no row."""


def _join(builder: Builder, node: Node) -> Frame:
    kind, *optional = JOINS[node.operator]
    left, right = builder.parent(node).only_record_columns(), builder.parent(node, 1)
    left_key, left_value = builder.pair(left, node)
    right_key, right_value = builder.pair(right, node)
    builder.keeps(left, node, left_key)
    builder.keeps(right, node, right_key)
    if join(left_key.type, right_key.type) is None:
        raise NotExpressible("MIXED_TYPES", "the keys of both sides have other types", node.call)
    for key in (left_key, right_key):
        refuse_key(key, node)
        if any(isinstance(each.type, Nullable) for each in leaves_of(key)):
            raise NotExpressible("NULL_KEY", "SQL joins no keys that are None", node.call)
    count = len(leaves_of(left_key))
    keys = left.names[:count]
    names = unique((*left.names, *right.names[count:]))
    right = right.with_element(
        right.element, (*keys, *names[len(left.names) :])
    ).only_record_columns()
    right_key, right_value = builder.pair(right, node)
    arguments = [builder.printer.expression(right.code), _on(keys)]
    if kind != "inner":
        arguments.append(f'"{kind}"')
    code = left.code.call("join", *arguments)
    values = [
        _optional(value, node) if may_be_missing else value
        for value, may_be_missing in zip((left_value, right_value), optional, strict=True)
    ]
    return Frame(code, over_columns(struct((left_key, struct((*values,)))), names), names, names)


def _on(keys: tuple[str, ...]) -> str:
    """Return the columns of a join, as source."""
    on = ", ".join(f'"{key}"' for key in keys)
    return f"[{on}]" if len(keys) > 1 else on


def _optional(value: Expression, node: Node) -> Expression:
    """Return a value that is None where the other side has no row."""
    if isinstance(value, Struct):
        # None of a tuple and a tuple of None are columns of NULL, both
        raise NotExpressible("NESTED", "a tuple that may be missing", node.call)
    assert isinstance(value, Column)
    return Column(nullable(value.type), value.name)


for name in JOINS:
    operator(
        name,
        Stage.ROWS,
        "other",
        "numPartitions=",
        reason="each row with the rows of the same key on the other side",
        streams=("other",),
    )(_join)


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
    rows = builder.printer.expression(other.only_record_columns().code)
    code = left.code.call("join", rows, _on(names), '"left_anti"')
    return Frame(code, left.element, left.names, left.columns)
