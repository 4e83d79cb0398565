"""Lines of a socket."""

from __future__ import annotations

import ast

from dstream_compat.native.expressions import Column
from dstream_compat.native.types import String

from ..builder.builder import Builder
from ..dataframes.frames import Frame
from ..program.graph import Node, Stage
from ..reading.arrival import needs_order
from ..registry import source
from .read_stream import reader


@source(
    "socketTextStream",
    Stage.ROWS,
    "hostname",
    "port",
    "storageLevel=",
    reason="the same lines; the source is for tests, as it cannot read a line again",
)
def socket_text_stream(builder: Builder, node: Node) -> Frame:
    arguments = builder.arguments(node)
    options: dict[str, ast.expr | str] = {"host": arguments["hostname"], "port": arguments["port"]}
    if builder.batch_code or needs_order(builder.module, node, builder.job.outputs):
        # else Spark deals the lines out to several partitions
        options["numPartitions"] = "1"
    code = reader(builder, "socket", options).call("load")
    return Frame(code, Column(String(), "value"), ("value",), ("value",))
