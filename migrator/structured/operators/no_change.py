"""Methods that change where data is, not what it is."""

from __future__ import annotations

from ..build import Builder
from ..frames import Frame
from ..graph import Node, Stage
from ..registry import operator

REASON = "it changes where records are, not which ones there are"


def _same(builder: Builder, node: Node) -> Frame:
    return builder.parent(node)


for _name, _parameters in {
    "cache": (),
    "persist": ("storageLevel=",),
    "checkpoint": ("interval=",),
    "repartition": ("numPartitions",),
    "coalesce": ("numPartitions", "shuffle="),
}.items():
    operator(_name, Stage.ROWS, *_parameters, reason=REASON)(_same)
