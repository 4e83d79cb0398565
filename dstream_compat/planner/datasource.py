"""The Python data source that feeds a query: a thin proxy for the scheduler in the user's driver.

Spark plans Python sources in a process of its own. This reader asks the driver's process, over a
private socket, which intervals are due and what they read, so clocks, queues and receivers live
where the user's program lives. This module reaches Spark's planner by value, so at module level it
imports nothing of this package.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pyspark.sql.datasource import DataSource, DataSourceStreamReader, InputPartition
from pyspark.sql.types import StructType

NAME = "dstream_compat"


class SchedulerSource(DataSource):
    """The tasks of each micro-batch of a streaming context: one row each."""

    @classmethod
    def name(cls) -> str:
        """Return the format's name."""
        return "dstream_compat"

    def schema(self) -> str:
        """Return the schema of a task's row."""
        return "value long"

    def streamReader(self, schema: StructType) -> DataSourceStreamReader:
        """Return the reader."""
        return SchedulerReader(self.options["address"])


class SchedulerReader(DataSourceStreamReader):
    """Asks the scheduler at ``address`` which intervals are due."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: Any = None

    def _ask(self, method: str, *args: Any) -> Any:
        if self._connection is None:
            from multiprocessing.connection import Client

            self._connection = Client(self._address, "AF_UNIX")
        self._connection.send((method, args))
        ok, answer = self._connection.recv()
        if not ok:
            raise RuntimeError(answer)
        return answer

    def initialOffset(self) -> dict[str, Any]:
        """Return the offset before the warm-up."""
        return dict(self._ask("initial_offset"))

    def latestOffset(
        self, start: dict[str, Any] | None = None, limit: Any = None
    ) -> dict[str, Any]:
        """Return the end of the intervals that are due; waits until one is.

        Spark before 4.2 does not say where they start: the scheduler knows it.
        """
        return dict(self._ask("latest_offset", start))

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> Sequence[InputPartition]:
        """Return a row for each task of a micro-batch."""
        return [InputPartition(task) for task in self._ask("partitions", start, end)]

    def commit(self, end: dict[str, Any]) -> None:
        """Tell the scheduler that a micro-batch is durable."""
        self._ask("commit", end)

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """Yield the one row of a task."""
        import pickle

        yield (pickle.loads(partition.value),)
