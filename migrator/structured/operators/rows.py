"""`map`, `filter`, `flatMap`, `union` and their kin: row by row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dstream_compat.native import Refusal
from dstream_compat.native.expressions import (
    Call,
    Column,
    Expression,
    Literal,
    Operator,
    OverArray,
    Struct,
    struct,
)
from dstream_compat.native.raising import may_raise
from dstream_compat.native.truth import not_none
from dstream_compat.native.types import Long, NoneType, Tuple, join, present, walk

from ..builder.builder import MIXED, Builder, after_conditions
from ..dataframes.frames import (
    Aliased,
    Chain,
    Frame,
    columns_of,
    leaves_of,
    over_columns,
    replace_part,
    shape_of,
    with_leaves,
)
from ..dataframes.named_rows import has_names
from ..dataframes.naming import elements_name, is_telling, record_names
from ..program.graph import EITHER, Node, Stage
from ..refusals import NotExpressible
from ..registry import operator
from ..udfs import rows as udfs
from .aggregations import aggregate_groups


@operator(
    "mapValues",
    Stage.ROWS,
    "f",
    reason="the function of the values has an expression that gives the same",
)
@operator(
    "map",
    Stage.ROWS,
    "f",
    "preservesPartitioning=",
    reason="the function has an expression that gives the same for every record",
)
def map_(builder: Builder, node: Node) -> Frame:
    aggregated = aggregate_groups(builder, node)
    if aggregated is not None:
        return aggregated
    frame = builder.parent(node)
    key, value = _key_and_value(builder, node)
    translation = builder.translator(node).map(builder.arguments(node)["f"], value)
    if isinstance(translation, Refusal):
        return udfs.map_frame(builder, node, frame, translation, key, value)
    expression = builder.checked_translation(translation, node).expression
    keys = () if key is None else leaves_of(key)
    builder.keeps(frame, node, *keys, expression)
    element = expression if key is None else struct((key, expression))
    names = record_names(node, element)
    return frame.with_element(element, (*frame.names[: len(keys)], *names[len(keys) :]))


@operator("filter", Stage.ROWS, "f", reason="the condition is true for the same records")
def filter_(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    function = builder.arguments(node)["f"]
    translation = builder.translator(node).filter(function, frame.element)
    if isinstance(translation, Refusal):
        return udfs.filter_frame(builder, node, frame, translation)
    filtering = builder.checked_translation(translation, node)
    builder.keeps(frame, node, filtering.expression)
    code = frame.code.call("where", Aliased(filtering.expression))
    frame = after_conditions(frame, filtering.expression)
    sizes = (*frame.sizes, *_known_sizes(filtering.expression))
    frame = replace(frame, code=code, sizes=sizes)
    condition = not_none(filtering.expression)
    leaves = [replace(e, type=present(e.type)) if e in condition else e for e in frame.leaves]
    if isinstance(frame.element, Column) and isinstance(leaves[0].type, Tuple):
        # a tuple that may be None is none any more
        return frame.with_element(*udfs.of_column(replace(frame.element, type=leaves[0].type)))
    return replace(frame, element=with_leaves(frame.element, leaves))


@operator(
    "flatMapValues",
    Stage.ROWS,
    "f",
    reason="the array has the same elements, and each one becomes a row with its key",
)
@operator(
    "flatMap",
    Stage.ROWS,
    "f",
    "preservesPartitioning=",
    reason="the array has the same elements, and each one becomes a row",
)
def flat_map(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    key, value = _key_and_value(builder, node)
    translation = builder.translator(node).flat_map(builder.arguments(node)["f"], value)
    if isinstance(translation, Refusal):
        return udfs.flat_map_frame(builder, node, frame, translation, key, value)
    exploding = builder.checked_translation(translation, node)
    if isinstance(exploding.type, Tuple) and key is not None:
        raise NotExpressible("NESTED", "the elements are tuples", node.call)
    builder.keeps(frame, node, *(() if key is None else leaves_of(key)), exploding.expression)
    if not isinstance(exploding.type, Tuple):
        rows = Call(exploding.type, "explode", (exploding.expression,))
        name = elements_name(node, exploding.expression)
        return udfs.beside_key(frame, key, rows, Column(exploding.type, name))
    exploded_first = _tuples_of_elements(frame, node, exploding.expression)
    if exploded_first is not None:
        return exploded_first
    if has_names(exploding.type):
        raise NotExpressible("NAMED_TUPLES", "named tuples in lists", node.call)
    element = columns_of(exploding.type, exploding.type.names)
    names = record_names(node, element)
    if any(isinstance(field, Tuple) for field in exploding.type.fields):
        raise NotExpressible("NESTED", "the elements are tuples of tuples", node.call)
    inline = builder.printer.inline(builder.printer.text(exploding.expression), names)
    return Frame(frame.code.call("select", inline), over_columns(element, names), names, names)


@operator(
    "union", Stage.ROWS, "other", reason="the rows of both, none of them twice", streams=("other",)
)
def union(builder: Builder, node: Node) -> Frame:
    frames = [builder.frame(parent).only_record_columns() for parent in node.parents]
    first, *others = frames
    code = first.code
    for other in others:
        pairs = zip(first.leaves, other.leaves, strict=False)
        kinds = [join(first.type, two.type) for first, two in pairs]
        known_kinds = [kind for kind in kinds if kind is not None]
        if len(known_kinds) < len(kinds) or len(other.leaves) != len(first.leaves):
            raise NotExpressible("MIXED_TYPES", "the streams have other types", node.call)
        code = code.call("union", builder.printer.expression(other.code))
        columns = [Column(*pair) for pair in zip(known_kinds, first.names, strict=True)]
        first = replace(first, element=with_leaves(first.element, columns))
    return replace(first, code=code)


def _key_and_value(builder: Builder, node: Node) -> tuple[Expression | None, Expression]:
    """Return what a function is given: a record, or its value, beside which the key stays."""
    frame = builder.parent(node)
    return builder.pair(frame, node) if node.operator.endswith("Values") else (None, frame.element)


# how many elements there are at least, if the size compares so with a number
_LEAST = {"==": 0, ">=": 0, ">": 1}


def _known_sizes(condition: Expression) -> Iterator[tuple[Expression, int]]:
    """Yield the arrays that have so many elements at least, where a condition is true."""
    match condition:
        case Operator(symbol="&", left=left, right=right):
            yield from _known_sizes(left)
            yield from _known_sizes(right)
        case Operator(
            symbol=symbol,
            left=Call(function="size", arguments=(array,)),
            right=Literal(value=int(number)),
        ) if symbol in _LEAST:
            yield array, number + _LEAST[symbol]


def _tuples_of_elements(frame: Frame, node: Node, array: Expression) -> Frame | None:
    """Return the rows of ``[(word, 1) for word in words]``, None if the array is none of these.

    `explode` and a `select` are easier to read than `inline` of a `transform`. What may raise stays
    in the array, where Spark computes all of it.
    """
    match array:
        case OverArray(function="transform", array=inner, variable=variable, body=Struct() as body):
            pass
        case _:
            return None
    condition = None
    match inner:
        case OverArray(function="filter", array=kept, variable=tested, body=test):
            inner, condition = kept, (test, tested)
    if may_raise(body) or (condition and may_raise(condition[0])):
        return None
    own = variable.name.rstrip("_0123456789")
    name = own if is_telling(own) else elements_name(node, inner)
    element = condition[1].type if condition else variable.type
    code = frame.code.call("select", Aliased(Call(element, "explode", (inner,)), name))
    if condition:
        code = code.call(
            "where", Aliased(replace_part(condition[0], condition[1], Column(element, name)))
        )
    part = replace_part(body, variable, Column(variable.type, name))
    rows = Frame(code, Column(element, name), (name,), (name,))
    return rows.with_element(part, record_names(node, part))


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
