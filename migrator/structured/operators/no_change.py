"""Methods that change where data is, or in which order, not what it is."""

from __future__ import annotations

import ast
from dataclasses import replace

from dstream_compat.native.expressions import Call, Expression, Literal, Method, Struct
from dstream_compat.native.raising import may_raise
from dstream_compat.native.types import Boolean, Double, Long, String, words

from ..builder.builder import Builder
from ..checks import check_late
from ..dataframes.frames import Aliased, Frame, leaves_of
from ..program.graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import operator

SORTED = "the same order; records with equal keys have none in both"


@operator("sortBy", Stage.BATCH, "keyfunc", "ascending=", "numPartitions=", reason=SORTED)
@operator("sortByKey", Stage.BATCH, "ascending=", "numPartitions=", "keyfunc=", reason=SORTED)
def sort_by(builder: Builder, node: Node) -> Frame:
    frame, arguments = builder.parent(node), builder.arguments(node)
    record = frame.element
    if node.operator == "sortByKey":
        frame = frame.with_value_columns()
        record, _ = builder.pair(frame, node)
    columns = sort_columns(
        builder, node, record, arguments.get("keyfunc"), is_ascending(arguments, node), node.call
    )
    settled = frame.with_value_columns()
    return replace(settled, code=settled.code.call("orderBy", *columns)) if columns else settled


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


SPREAD = "the same records, in so many partitions"
REASON = "it changes where records are, not which ones there are"


def _same(builder: Builder, node: Node) -> Frame:
    return builder.parent(node)


def _cached_frame(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    if node.stage is not Stage.STATIC:
        return frame
    # else static data would be read for every batch
    frame = frame.with_value_columns()
    return replace(frame, code=frame.code.call("cache"))


def _repartition(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    shuffle = arguments.get("shuffle", ast.Constant(False))
    if not isinstance(shuffle, ast.Constant):
        raise NotExpressible("ARGUMENTS", "`shuffle` is no literal", node.call)
    if builder.query is not None and node.block is builder.job.block:
        check_late(builder.job, arguments["numPartitions"])
    method = "repartition" if shuffle.value else node.operator
    frame = builder.parent(node).with_value_columns()
    number = builder.source(arguments["numPartitions"])
    return replace(frame, code=frame.code.call(method, number))


operator("checkpoint", Stage.ROWS, "interval=", reason=REASON)(_same)
operator("repartition", Stage.ROWS, "numPartitions", reason=SPREAD)(_repartition)
operator("coalesce", Stage.ROWS, "numPartitions", "shuffle=", reason=SPREAD)(_repartition)
operator(
    "transform",
    Stage.ROWS,
    reason="the offsets of a batch are computed of its records where they are read",
)(_same)
operator("cache", Stage.ROWS, reason=REASON)(_cached_frame)
operator("persist", Stage.ROWS, "storageLevel=", reason=REASON)(_cached_frame)
