"""The batches of `queueStream`, whose RDDs are in the driver: one at each trigger."""

from __future__ import annotations

from dstream_compat.native.expressions import Column
from dstream_compat.native.types import Long

from ..builder.builder import Builder
from ..dataframes.frames import Frame
from ..program.graph import TICK_SOURCE, Node, Stage
from ..registry import source
from .ticks import tick_source


@source(TICK_SOURCE, Stage.ROWS, reason="a batch at each trigger")
def ticks_of_queues(builder: Builder, node: Node) -> Frame:
    return Frame(tick_source(builder), Column(Long(), "value"), ("value",), ("timestamp", "value"))
