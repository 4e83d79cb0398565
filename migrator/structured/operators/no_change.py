"""Methods that change where data is, not what it is."""

from __future__ import annotations

from dataclasses import replace

from ..builder.builder import Builder
from ..dataframes.frames import Frame
from ..program.graph import Node, Stage
from ..registry import operator

REASON = "it changes where records are, not which ones there are"


def _same(builder: Builder, node: Node) -> Frame:
    return builder.parent(node)


def _kept(builder: Builder, node: Node) -> Frame:
    frame = builder.parent(node)
    if node.stage is not Stage.STATIC:
        return frame
    # else static data would be read for every batch
    frame = frame.settled()
    return replace(frame, code=frame.code.call("cache"))


for _name, _parameters in {
    "checkpoint": ("interval=",),
    "repartition": ("numPartitions",),
    "coalesce": ("numPartitions", "shuffle="),
}.items():
    operator(_name, Stage.ROWS, *_parameters, reason=REASON)(_same)

operator(
    "transform",
    Stage.ROWS,
    reason="the offsets of a batch are computed of its records where they are read",
)(_same)
operator("cache", Stage.ROWS, reason=REASON)(_kept)
operator("persist", Stage.ROWS, "storageLevel=", reason=REASON)(_kept)
