"""A row at each trigger, so that a query has a batch in intervals without input, too."""

from __future__ import annotations

from typing import Final

from dstream_compat.native.expressions import Column
from dstream_compat.native.types import Long

from ..builder.builder import Builder
from ..dataframes.frames import Chain, Frame, Printer
from ..program.graph import TICK_SOURCE, Node, Stage
from ..registry import source
from .read_stream import reader

COLUMN: Final = "tick"
"""The column of ticks that records do not have."""
RECORDS: Final = f"{COLUMN} IS NULL"
"""The condition for the records of a batch that has a tick, too."""


def tick_source(builder: Builder) -> Chain:
    """Return a streaming DataFrame that has one row at each trigger."""
    return reader(builder, "rate-micro-batch", {"rowsPerBatch": "1", "numPartitions": "1"}).call(
        "load"
    )


@source(TICK_SOURCE, Stage.ROWS, reason="a batch at each trigger")
def ticks_of_queues(builder: Builder, node: Node) -> Frame:
    # the RDDs of `queueStream` are in the driver
    return Frame(tick_source(builder), Column(Long(), "value"), ("value",), ("timestamp", "value"))


def marks(ticks: Chain, printer: Printer) -> Chain:
    """Return ticks as rows of their only column, to be united with records."""
    return ticks.call("select", f'{printer.functions}.lit(True).alias("{COLUMN}")')


def with_ticks(records: Chain, ticks: str) -> Chain:
    """Return records and the ticks of a variable; records have no value in the column of ticks."""
    return records.call("unionByName", ticks, "allowMissingColumns=True")
