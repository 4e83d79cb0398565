"""Rows of a streaming DataFrame, as records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql.types import StructType

from ...wire.frames import Intervals
from ...wire.task_properties import Ranges
from .row_intervals import by_interval
from .tables import TablePartition, TableReader


class FrameReader(TableReader):
    """Gives rows as ``pyspark.sql.Row``.

    Parameters
    ----------
    node : int
        the stream
    schema : StructType
        of the rows
    time : str, optional
        column whose value says to which interval a row belongs, among those that are due; without
        one it is the last
    """

    def __init__(self, node: int, schema: StructType, time: str | None) -> None:
        self._node = node
        self._schema = schema
        self._time = time

    def read(
        self, batches: Iterable[pa.RecordBatch], intervals: Intervals, ranges: Ranges
    ) -> Iterator[TablePartition | bytes]:
        context = TaskContext.get()
        src = (0 if context is None else context.partitionId(),)
        rows = (batch for batch in batches if batch.num_rows)
        for tick, group in by_interval(rows, intervals, self._milliseconds):
            yield TablePartition(self._node, tick, src, self._rows(group))

    def _milliseconds(self, batch: pa.RecordBatch, intervals: Intervals) -> Any:
        if self._time is None:
            return np.full(batch.num_rows, intervals.hi)
        micros = batch.column(self._time).cast(pa.int64()).fill_null(0)
        return micros.to_numpy() // 1000

    def _rows(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Any]:
        from pyspark.sql.conversion import ArrowTableToRowsConversion

        for batch in batches:
            table = pa.Table.from_batches([batch])
            yield from ArrowTableToRowsConversion.convert(table, self._schema)
