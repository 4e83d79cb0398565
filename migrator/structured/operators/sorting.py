"""`sortBy` and `sortByKey` of the RDD of a batch."""

from __future__ import annotations

import ast
from dataclasses import replace

from dstream_compat.native.expressions import Call, Expression, Literal, Method, Struct
from dstream_compat.native.raising import may_raise
from dstream_compat.native.types import Boolean, Double, Long, String, words

from ..builder.builder import Builder
from ..dataframes.chains import Aliased
from ..dataframes.frames import Frame, leaves_of
from ..program.graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import operator


@operator(
    "sortBy",
    Stage.BATCH,
    "keyfunc",
    "ascending=",
    "numPartitions=",
    reason="the same order; records with equal keys have none in both",
)
def sort_by(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    arguments = builder.arguments(node)
    columns = sort_columns(
        builder, node, frame.element, arguments["keyfunc"], is_ascending(arguments, node), node.call
    )
    settled = frame.with_value_columns()
    return replace(settled, code=settled.code.call("orderBy", *columns)) if columns else settled


@operator(
    "sortByKey",
    Stage.BATCH,
    "ascending=",
    "numPartitions=",
    "keyfunc=",
    reason="the same order; records with equal keys have none in both",
)
def sort_by_key(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node).with_value_columns()
    arguments = builder.arguments(node)
    key, _ = builder.pair(frame, node)
    columns = sort_columns(
        builder, node, key, arguments.get("keyfunc"), is_ascending(arguments, node), node.call
    )
    return replace(frame, code=frame.code.call("orderBy", *columns)) if columns else frame


def is_ascending(arguments: dict[str, ast.expr], node: Node) -> bool:
    """Return the direction that an argument gives."""
    argument = arguments.get("ascending", ast.Constant(True))
    if not isinstance(argument, ast.Constant):
        raise NotExpressible("ARGUMENTS", "`ascending` is no literal", node.call)
    return bool(argument.value)


def sort_columns(
    builder: Builder,
    node: Node,
    record: Expression,
    function: ast.expr | None,
    ascending: bool,
    call: ast.AST,
) -> list[Aliased]:
    """Return the columns by which records are sorted.

    Raises
    ------
    NotExpressible
        if Spark sorts the keys otherwise than Python
    """
    key = record
    if function is not None:
        translation = builder.translator(node).map(function, record)
        key = builder.checked_translation(translation, node).expression
    columns = []
    for each in leaves_of(key):
        refuse_unordered(each, call)
        if may_raise(each):
            raise NotExpressible("EVALUATION", "the key of a sort may raise", call)
        up = ascending
        while isinstance(each, Call) and each.function == "negative":
            (each,), up = each.arguments, not up
        if not isinstance(each, Literal):
            columns.append(Aliased(each if up else Method(each.type, "desc", each)))
    return columns


def refuse_unordered(value: Expression, node: ast.AST) -> None:
    """Refuse values whose order in Spark is another one than in Python."""
    kind = value.type
    if isinstance(value, Struct) or not (
        isinstance(kind, Long | String | Boolean) or (isinstance(kind, Double) and not kind.nan)
    ):
        raise NotExpressible("SORT_ORDER", f"Python sorts {words(kind)} otherwise than Spark", node)
