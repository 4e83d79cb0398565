"""Tells the tasks of each micro-batch what Spark reads of the tables beside our own source."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any, Final

from pyspark import SparkContext

from ..intervals.scheduler import Scheduler
from ..source.tables.table import OpenTable, RunningStream
from ..spark.java import JVM_ERRORS, java_class
from ..wire.frames import Intervals
from ..wire.task_properties import set_table_ranges

_QUERY_SECONDS: Final = 60.0
_ORDERED: Final = 4
"""Sources of a query that Spark keeps in order."""
_ORDERED_MAP: Final = "scala.collection.immutable.VectorMap$"
_READ_LIMIT: Final = "org.apache.spark.sql.connector.read.streaming.ReadLimit"


class RangeAnnouncer:
    """Sends what one query reads of its tables to the tasks of each micro-batch.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    tables : sequence of OpenTable
        what the query reads, in order
    scheduler : Scheduler
        which intervals it takes
    """

    def __init__(self, sc: SparkContext, tables: Sequence[OpenTable], scheduler: Scheduler) -> None:
        self._sc = sc
        self.tables = tables
        self._scheduler = scheduler
        self._execution: Any = None
        self._started = threading.Event()
        self._ended: list[str | None] | None = None
        self._streams_of: Sequence[int] = ()
        self._ordered = False

    def take_query(self, query: Any, streams: Sequence[int]) -> None:
        """Take Spark's query; called each time it was started.

        Parameters
        ----------
        query : JavaObject
            a ``StreamingQuery``
        streams : sequence of int
            how many sources of Spark each table has
        """
        self._execution = query.streamingQuery() if self.tables else None
        self._streams_of = streams
        self._ended = None  # what failed is not committed: it runs again
        self._ordered = False
        self._started.set()

    def announce(self, intervals: Intervals) -> None:
        """Tell the tasks of the micro-batch that the calling thread is about to run.

        Parameters
        ----------
        intervals : Intervals
            its intervals
        """
        if not self.tables:
            return
        if not self._started.wait(_QUERY_SECONDS):
            raise RuntimeError("Spark began a micro-batch, but did not return its query")
        self._commit()
        if not self._ordered:
            self._keep_order()
            self._ordered = True
        streams = list(self._streams())
        pairs = zip(self.tables, streams, strict=True)
        set_table_ranges(self._sc, intervals, [table.ranges(stream) for table, stream in pairs])
        self._ended = [stream.end for stream in streams]

    def _keep_order(self) -> None:
        """Let Spark ask our source first, which waits until an interval is due, then the tables.

        It asks sources in the order of a map, which keeps that of the plan for at most four. A
        table that is asked before the wait gives its records an interval late.
        """
        sources = self._execution.sources()
        if sources.size() <= _ORDERED:
            return
        limits = self._execution.uniqueSources()
        ordered = getattr(java_class(self._sc, _ORDERED_MAP), "MODULE$").empty()
        for number in range(sources.size()):
            source = sources.apply(number)
            ordered = ordered.updated(source, limits.apply(source))
        getattr(self._execution, "uniqueSources_$eq")(ordered)

    def limit(self, intervals: int) -> None:
        """Say how much the next micro-batch may read, where that is limited.

        Parameters
        ----------
        intervals : int
            how many it will take, as far as is known
        """
        if not self.tables or self._ended is None:
            return
        limits: Any = self._execution.uniqueSources()
        read_limit = java_class(self._sc, _READ_LIMIT)
        changed = False
        # More intervals than a micro-batch takes must not let it read more.
        intervals = min(intervals, self._scheduler.most)
        for table, source, end in zip(self.tables, self._sources(), self._ended, strict=True):
            rows = table.limit(end, intervals)
            if rows is not None and source is not None:
                limits = limits.updated(source, read_limit.maxRows(rows))
                changed = True
        if changed:  # Spark asks sources by the limits of this map when it plans
            getattr(self._execution, "uniqueSources_$eq")(limits)

    def close(self) -> None:
        """Called when the query has ended."""
        if self._execution is not None and self._ended is not None:
            try:
                ended = self._offsets(self._execution.committedOffsets())
            except JVM_ERRORS:
                ended = None  # the JVM has ended first
            if ended == self._ended:
                self._commit()
        for table in self.tables:
            table.close()

    def _commit(self) -> None:
        # The micro-batch before is durable when the next one begins.
        if self._ended is not None:
            for table, end in zip(self.tables, self._ended, strict=True):
                if end is not None:
                    table.note_commit(end)
            self._ended = None

    def _offsets(self, progress: Any) -> list[str | None]:
        """Return where the tables stand in Spark's ``StreamProgress``."""
        offsets: list[str | None] = []
        for source in self._sources():
            offset = progress.get(source) if source is not None else None
            offsets.append(offset.get().json() if offset and offset.isDefined() else None)
        return offsets

    def _sources(self) -> list[Any]:
        """Return Spark's source of each table; None for a user's DataFrame of several."""
        # Spark numbers sources in the order of the plan, and our own is the first one.
        sources = self._execution.sources()
        if sources.size() != 1 + sum(self._streams_of):
            raise RuntimeError(
                f"Spark reads {sources.size()} sources, not {1 + sum(self._streams_of)}: "
                "from_dataframe cannot read a DataFrame with such a plan; give it one of a single "
                "source, or write the other one to Kafka or files first"
            )
        groups, place = [], 1
        for count in self._streams_of:
            groups.append(sources.apply(place) if count == 1 else None)
            place += count
        return groups

    def _streams(self) -> Iterator[RunningStream]:
        ends = self._offsets(self._execution.availableOffsets())
        leaves = self._execution.lastExecution().executedPlan().collectLeaves()
        scans = [leaves.apply(number) for number in range(leaves.size())]
        scans = [scan for scan in scans if scan.getClass().getSimpleName() == "MicroBatchScanExec"]
        for source, end in zip(self._sources(), ends, strict=True):
            scan = next((scan for scan in scans if scan.stream().equals(source)), None)
            if scan is None:  # nothing to read: Spark leaves it out of the plan
                yield RunningStream(end, end, [])
            else:
                tasks = scan.inputPartitions()
                yield RunningStream(
                    scan.start().json(),
                    scan.end().json(),
                    [tasks.apply(number) for number in range(tasks.size())],
                )
