"""Makes frames of the rows of a table, which Spark reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ...wire.frames import Intervals
from ...wire.task_properties import Ranges

if TYPE_CHECKING:
    import pyarrow as pa


class TablePartition(NamedTuple):
    """One logical partition of one source in one interval, read in a task."""

    node: int
    tick: int
    src: tuple[int, ...]
    records: Iterable[Any]


class TableReader(ABC):
    """Turns the rows of a table into records; runs in tasks."""

    @abstractmethod
    def read(
        self, batches: Iterable[pa.RecordBatch], intervals: Intervals, ranges: Ranges
    ) -> Iterator[TablePartition | bytes]:
        """Yield the logical partitions of one task, and frames that say what it read.

        Parameters
        ----------
        batches : iterable of pyarrow.RecordBatch
            the table's rows of one task
        intervals : Intervals
            the intervals of the micro-batch
        ranges : mapping
            what the driver sent
        """

    def idle(self, intervals: Intervals, ranges: Ranges) -> Iterator[TablePartition | bytes]:
        """Yield the logical partitions of a micro-batch that no task of the table reads."""
        yield from ()
