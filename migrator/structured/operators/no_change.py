"""Methods that change where data is, not what it is."""

from __future__ import annotations

import ast
from dataclasses import replace

from ..builder.builder import Builder
from ..checks import check_late
from ..dataframes.frames import Frame
from ..program.graph import Node, Stage
from ..refusals import NotExpressible
from ..registry import operator

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
