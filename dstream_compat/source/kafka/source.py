"""Kafka's streams: tables of Spark's Kafka source, with the offsets of each interval."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pyspark import SparkConf, SparkContext
from pyspark.sql import DataFrame, SparkSession

from ...storage.spool import Spool
from ...wire.task_properties import Ranges
from ...worker.reading.kafka_rows import KafkaReader, Range, columns, merged
from ...worker.reading.tables import TableReader
from ..base import Timeline
from ..tables.table import RunningStream, Table, TableSource
from .client import KafkaClient, TopicPartition, group_offsets
from .params import (
    COMMIT_SETTING,
    LOSS_SETTING,
    offsets_json,
    parse_offsets,
    partitions_json,
    source_options,
)
from .rates import KafkaRate, allowed, direct_rate, receiver_rate

_LOG = logging.getLogger("dstream_compat")
_EARLIEST_OFFSET: Final = -2


def _only(topics: Collection[str]) -> str | None:
    return next(iter(topics)) if len(topics) == 1 else None


class KafkaTable(Table):
    """Topics, read by Spark's Kafka source."""

    consumer: Mapping[str, str]
    _groups: list[KafkaClient]
    """The consumer that stores how far the group has read, if one does."""

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_groups"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, _groups=[])

    @property
    @abstractmethod
    def topic(self) -> str | None:
        """The topic of all records, if there is only one."""

    @abstractmethod
    def _options(self, sc: SparkContext) -> dict[str, str]:
        """Return which partitions are read, from where on."""

    def load(
        self, sc: SparkContext, session: SparkSession, sources: Sequence[TableSource]
    ) -> DataFrame:
        options = {**source_options(self.consumer), **self._options(sc)}
        rows = self.limit(sources, options["startingOffsets"], 1)
        if rows is not None:  # of the first micro-batch; later ones are limited as they come
            options["maxOffsetsPerTrigger"] = str(rows)
        frame = session.readStream.format("kafka").options(**options).load()
        return frame.select(*columns(self.topic))

    def limit(self, sources: Sequence[TableSource], end: str | None, intervals: int) -> int | None:
        return allowed(sources, len(parse_offsets(end)) if end else 1, intervals)

    def ranges(self, stream: RunningStream) -> Ranges:
        """Return each partition with its offsets in the micro-batch."""
        if stream.start is None or stream.end is None:
            raise RuntimeError(f"{self.label}: Spark's Kafka source named no offsets")
        start, end = parse_offsets(stream.start), parse_offsets(stream.end)
        if end.keys() - start.keys():  # partitions that are new to Spark, too
            for task in stream.tasks:
                new = task.offsetRange()
                place = new.topicPartition()
                start.setdefault((place.topic(), int(place.partition())), int(new.fromOffset()))
        parts = [[*key, start.get(key, end[key]), end[key]] for key in sorted(end)]
        return {"parts": parts}

    def committed(self, end: str) -> None:
        """Store how far the group has read."""
        for client in self._groups:
            try:
                client.commit(parse_offsets(end))
            except ConnectionError as error:
                _LOG.warning("%s: the group's offsets could not be stored: %s", self.label, error)

    def close(self) -> None:
        while self._groups:
            self._groups.pop().close()

    def _store_offsets(self, sc: SparkContext) -> None:
        """Store from now on how far the group has read."""
        self.close()  # the client of a query that has failed
        self._groups.append(KafkaClient(sc, self.consumer))


@dataclass(eq=False)
class DirectTable(KafkaTable):
    """The topics of one direct stream.

    Parameters
    ----------
    label : str
        the stream
    consumer : mapping
        configuration of its consumers
    start : mapping
        where each partition that it had at definition begins
    assigned : bool
        read those partitions only, not those that its topics get later
    metadata, decoded
        see ``KafkaReader``
    """

    label: str
    consumer: Mapping[str, str]
    start: Mapping[TopicPartition, int]
    assigned: bool
    metadata: bool
    decoded: tuple[bool, bool]
    _groups: list[KafkaClient] = field(default_factory=list)

    @property
    def topic(self) -> str | None:
        """See ``KafkaTable``."""
        return _only({topic for topic, _ in self.start})

    def _options(self, sc: SparkContext) -> dict[str, str]:
        if (sc.getConf().get(COMMIT_SETTING) or "false").strip().lower() == "true":
            if "group.id" not in self.consumer:
                raise ValueError(
                    f"{self.label}: {COMMIT_SETTING}=true needs group.id in kafkaParams"
                )
            self._store_offsets(sc)
        start = dict(self.start)
        loss = sc.getConf().get(LOSS_SETTING) or "true"
        if self.assigned:
            which = {"assign": partitions_json(start)}
        else:
            topics = sorted({topic for topic, _ in start})
            with KafkaClient(sc, self.consumer) as client:
                for new in client.partitions(topics):  # since the definition
                    start.setdefault(new, _EARLIEST_OFFSET)
            which = {"subscribe": ",".join(topics)}
        return {**which, "startingOffsets": offsets_json(start), "failOnDataLoss": loss}

    def reader(self, nodes: Mapping[TableSource, int]) -> TableReader:
        return KafkaReader(list(nodes.values()), True, self.metadata, self.decoded, self.topic)


class DirectSource(TableSource):
    """A stream without a receiver, which knows the offsets of its batches."""

    shown_as = "Kafka direct stream"
    table: DirectTable

    def __init__(self, table: DirectTable) -> None:
        self.table = table
        self.label = table.label
        self._ranges: tuple[int, list[Range]] = 0, []
        self._rate: KafkaRate | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"table": self.table, "label": self.label, "_ranges": (0, []), "_rate": None}

    def attach(self, conf: SparkConf, interval: int, spool: Spool | None) -> None:
        self._rate, self.rate = direct_rate(conf, interval)

    def topics(self) -> set[str]:
        """Return what it reads."""
        return {topic for topic, _ in self.table.start}

    def take_over(self, position: Mapping[TopicPartition, int]) -> None:
        """Begin at the offsets where a job of another engine stood."""
        self.table.start = dict(position)

    def allowed(self, partitions: int, intervals: int) -> int | None:
        return None if self._rate is None else self._rate.rows(partitions, intervals)

    def noted(self, tick: int, notes: Sequence[bytes]) -> None:
        self._ranges = tick, merged(notes)

    def offset_ranges(self, tick: int) -> list[Range]:
        """Return the offsets of the batch that is running."""
        known, ranges = self._ranges
        if known != tick:
            raise RuntimeError(
                f"{self.label}: the offsets of the batch of {tick} ms are known only while it runs"
            )
        return ranges


@dataclass(frozen=True)
class ReceiverTable(KafkaTable):
    """The topics of one consumer group; streams that read them alike share the partitions.

    Parameters
    ----------
    settings : tuple of (str, str)
        configuration of the consumers, the group among them
    topics : tuple of str
        what they read
    reset : str
        ``earliest`` or ``latest``, where the group has no offset
    decoded : (bool, bool)
        see ``KafkaReader``
    """

    settings: tuple[tuple[str, str], ...]
    topics: tuple[str, ...]
    reset: str
    decoded: tuple[bool, bool]
    _groups: list[KafkaClient] = field(default_factory=list, compare=False)

    @property
    def label(self) -> str:  # type: ignore[override]
        """The stream."""
        return f"KafkaUtils.createStream({', '.join(self.topics)})"

    @property
    def consumer(self) -> Mapping[str, str]:  # type: ignore[override]
        """Configuration of the consumers."""
        return dict(self.settings)

    @property
    def topic(self) -> str | None:
        """See ``KafkaTable``."""
        return _only(self.topics)

    def _options(self, sc: SparkContext) -> dict[str, str]:
        with KafkaClient(sc, self.consumer) as client:
            partitions = client.partitions(self.topics)
            start = group_offsets(client, self.label, partitions, self.reset)
        self._store_offsets(sc)
        return {
            "subscribe": ",".join(self.topics),
            "startingOffsets": offsets_json(start),
            # as the old receivers: what Kafka has deleted is skipped
            "failOnDataLoss": "false",
        }

    def reader(self, nodes: Mapping[TableSource, int]) -> TableReader:
        return KafkaReader(list(nodes.values()), False, False, self.decoded, self.topic)


class ReceiverSource(TableSource):
    """One of the streams that share the partitions of a group's topics."""

    shown_as = "Kafka stream"
    receiver = "KafkaReceiver"

    def __init__(self, table: ReceiverTable) -> None:
        self.table = table
        self.label = table.label
        self._timeline: Timeline | None = None
        self._rate: KafkaRate | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"table": self.table, "label": self.label, "_timeline": None, "_rate": None}

    def attach(self, conf: SparkConf, interval: int, spool: Spool | None) -> None:
        self._rate, self.rate = receiver_rate(conf, interval)

    def allowed(self, partitions: int, intervals: int) -> int | None:
        return None if self._rate is None else self._rate.rows(partitions, intervals)

    def start(self, timeline: Timeline) -> None:
        self._timeline = timeline
        timeline.events.receiver_started(self)

    def stop_receiving(self) -> None:
        timeline, self._timeline = self._timeline, None
        if timeline is not None:
            timeline.events.receiver_stopped(self, "Stopped by driver")
