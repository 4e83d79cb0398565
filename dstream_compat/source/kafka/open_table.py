"""Topics while a query reads them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession

from ...wire.task_properties import Ranges
from ...worker.reading.kafka_rows import columns
from ..tables.table import OpenTable, RunningStream, TableInput
from .client import KafkaClient
from .params import parse_offsets, source_options
from .rates import most_records

if TYPE_CHECKING:
    from .source import KafkaTable

_LOG = logging.getLogger("dstream_compat")


class OpenKafkaTable(OpenTable):
    """Topics while a query reads them.

    Parameters
    ----------
    table : KafkaTable
        the topics
    inputs : sequence of TableInput
        the streams that read them
    """

    def __init__(self, table: KafkaTable, inputs: Sequence[TableInput]) -> None:
        self._table = table
        self._inputs = inputs
        self._group: KafkaClient | None = None
        """The consumer that stores how far the group has read, if one does."""

    def load(self, sc: SparkContext, session: SparkSession) -> DataFrame:
        table = self._table
        self.close()  # the client of a query that has failed
        stores_offsets = table.stores_offsets(sc)
        options = {**source_options(table.consumer), **table.options(sc)}
        if stores_offsets:  # behind the clients of the options: two with one client.id warn
            self._group = KafkaClient(sc, table.consumer)
        rows = self.limit(options["startingOffsets"], 1)
        if rows is not None:  # of the first micro-batch; later ones are limited as they come
            options["maxOffsetsPerTrigger"] = str(rows)
        frame = session.readStream.format("kafka").options(**options).load()
        return frame.select(*columns(table.topic))

    def limit(self, end: str | None, intervals: int) -> int | None:
        return most_records(self._inputs, len(parse_offsets(end)) if end else 1, intervals)

    def ranges(self, stream: RunningStream) -> Ranges:
        """Return each partition with its offsets in the micro-batch."""
        if stream.start is None or stream.end is None:
            raise RuntimeError(f"{self._table.label}: Spark's Kafka source named no offsets")
        start, end = parse_offsets(stream.start), parse_offsets(stream.end)
        if end.keys() - start.keys():  # partitions that are new to Spark, too
            for task in stream.tasks:
                new = task.offsetRange()
                place = new.topicPartition()
                start.setdefault((place.topic(), int(place.partition())), int(new.fromOffset()))
        parts = [[*key, start.get(key, end[key]), end[key]] for key in sorted(end)]
        return {"parts": parts}

    def note_commit(self, end: str) -> None:
        """Store how far the group has read."""
        if self._group is None:
            return
        try:
            self._group.commit(parse_offsets(end))
        except ConnectionError as error:
            _LOG.warning(
                "%s: the group's offsets could not be stored: %s", self._table.label, error
            )

    def close(self) -> None:
        group, self._group = self._group, None
        if group is not None:
            group.close()
