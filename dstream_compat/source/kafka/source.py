"""Kafka's streams: tables of Spark's Kafka source, with the offsets of each interval.

Decision 0039: Kafka is Spark's source, united with ours.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

from pyspark import SparkConf, SparkContext

from ...settings import KAFKA_COMMITS, KAFKA_FAILS_ON_LOSS
from ...spark.conf import conf_of
from ...storage.spool import Spool
from ...worker.reading.kafka_rows import KafkaReader, Range, merge_ranges
from ...worker.reading.tables import TableReader
from ..base import Demand, Timeline
from ..rates import RateController
from ..tables.table import Table, TableInput, TableSource
from .client import KafkaClient, TopicPartition, group_offsets
from .offsets import BatchOffsets
from .open_table import OpenKafkaTable
from .params import offsets_json, partitions_json
from .rates import KafkaRate, direct_rate, receiver_rate

_EARLIEST_OFFSET: Final = -2


def _only(topics: Collection[str]) -> str | None:
    return next(iter(topics)) if len(topics) == 1 else None


class KafkaTable(Table):
    """Topics, read by Spark's Kafka source."""

    consumer: Mapping[str, str]

    @property
    @abstractmethod
    def topic(self) -> str | None:
        """The topic of all records, if there is only one."""

    @abstractmethod
    def stores_offsets(self, sc: SparkContext) -> bool:
        """Return whether Kafka is told how far the group has read."""

    @abstractmethod
    def options(self, sc: SparkContext) -> dict[str, str]:
        """Return which partitions are read, from where on."""

    def open(self, inputs: Sequence[TableInput]) -> OpenKafkaTable:
        return OpenKafkaTable(self, inputs)


@dataclass(frozen=True, eq=False)
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
    metadata, decoded : bool, (bool, bool)
        see ``KafkaReader``
    """

    label: str
    consumer: Mapping[str, str]
    start: Mapping[TopicPartition, int]
    assigned: bool
    metadata: bool
    decoded: tuple[bool, bool]

    @property
    def topic(self) -> str | None:
        """The topic of all records, if there is only one."""
        return _only({topic for topic, _ in self.start})

    def stores_offsets(self, sc: SparkContext) -> bool:
        setting = KAFKA_COMMITS.read(conf_of(sc))
        if setting and "group.id" not in self.consumer:
            raise ValueError(f"{self.label}: {KAFKA_COMMITS}=true needs group.id in kafkaParams")
        return setting

    def options(self, sc: SparkContext) -> dict[str, str]:
        start = dict(self.start)
        loss = str(KAFKA_FAILS_ON_LOSS.read(conf_of(sc))).lower()
        if self.assigned:
            which = {"assign": partitions_json(start)}
        else:
            topics = sorted({topic for topic, _ in start})
            with KafkaClient(sc, self.consumer) as client:
                for new in client.partitions(topics):  # since the definition
                    start.setdefault(new, _EARLIEST_OFFSET)
            which = {"subscribe": ",".join(topics)}
        return {**which, "startingOffsets": offsets_json(start), "failOnDataLoss": loss}

    def reader(self, nodes: Sequence[int]) -> TableReader:
        return KafkaReader(list(nodes), True, self.metadata, self.decoded, self.topic)


@dataclass(frozen=True, eq=False)
class DirectSource(TableSource):
    """A stream without a receiver, which knows the offsets of its batches.

    Parameters
    ----------
    table : DirectTable
        what it reads
    offsets : BatchOffsets
        where its input notes the offsets of the running batch
    """

    table: DirectTable
    offsets: BatchOffsets
    shown_as: ClassVar[str] = "Kafka direct stream"

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Before sources had one, functions of a graph asked the source.
        if "offsets" not in state:
            state = {**state, "offsets": BatchOffsets(state["table"].label)}
        super().__setstate__(state)

    @property
    def parts(self) -> Mapping[str, object]:
        return {**super().parts, "offsets": self.offsets}

    @property
    def topics(self) -> set[str]:
        """What it reads."""
        return {topic for topic, _ in self.table.start}

    def behind(self, position: Mapping[TopicPartition, int]) -> DirectSource:
        """Return a source that begins at the offsets where a job of another engine stood."""
        return replace(self, table=replace(self.table, start=dict(position)))

    def open(
        self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand
    ) -> DirectInput:
        return DirectInput(self, conf, interval)

    def offset_ranges(self, tick: int) -> list[Range]:
        """Return the offsets of the batch that is running."""
        return self.offsets.of(tick)


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
        """The topic of all records, if there is only one."""
        return _only(self.topics)

    def stores_offsets(self, sc: SparkContext) -> bool:
        return True

    def options(self, sc: SparkContext) -> dict[str, str]:
        with KafkaClient(sc, self.consumer) as client:
            partitions = client.partitions(self.topics)
            start = group_offsets(client, self.label, partitions, self.reset)
        return {
            "subscribe": ",".join(self.topics),
            "startingOffsets": offsets_json(start),
            # as the old receivers: what Kafka has deleted is skipped
            "failOnDataLoss": "false",
        }

    def reader(self, nodes: Sequence[int]) -> TableReader:
        return KafkaReader(list(nodes), False, False, self.decoded, self.topic)


@dataclass(frozen=True, eq=False)
class ReceiverSource(TableSource):
    """One of the streams that share the partitions of a group's topics.

    Parameters
    ----------
    table : ReceiverTable
        what they read
    """

    table: ReceiverTable
    shown_as: ClassVar[str] = "Kafka stream"

    @property
    def receiver(self) -> str:
        return "KafkaReceiver"

    def open(
        self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand
    ) -> GroupInput:
        return GroupInput(self, conf, interval)


class KafkaInput(TableInput):
    """A stream whose records are limited by time.

    Parameters
    ----------
    label, receiver : str
        see ``Input``
    rates : (KafkaRate, RateController or None)
        the limits, and what moves them with backpressure
    """

    def __init__(
        self, label: str, receiver: str, rates: tuple[KafkaRate, RateController | None]
    ) -> None:
        self._limits, controller = rates
        super().__init__(label, receiver, controller)

    def most_records(self, partitions: int, intervals: int) -> int | None:
        return self._limits.rows(partitions, intervals)


class DirectInput(KafkaInput):
    """A direct stream while a job runs.

    Parameters
    ----------
    source : DirectSource
        the stream
    conf : SparkConf
        the job's settings
    interval : int
        batch interval in milliseconds
    """

    def __init__(self, source: DirectSource, conf: SparkConf, interval: int) -> None:
        super().__init__(source.label, source.receiver, direct_rate(conf, interval))
        self._offsets = source.offsets

    def note(self, tick: int, notes: Sequence[bytes]) -> None:
        self._offsets.note(tick, merge_ranges(notes))


class GroupInput(KafkaInput):
    """A stream of a consumer group while a job runs.

    The parameters are those of ``DirectInput``.
    """

    def __init__(self, source: ReceiverSource, conf: SparkConf, interval: int) -> None:
        super().__init__(source.label, source.receiver, receiver_rate(conf, interval))
        self._timeline: Timeline | None = None

    def start(self, timeline: Timeline) -> None:
        self._timeline = timeline
        timeline.events.receiver_started(self)

    def stop_receiving(self) -> None:
        timeline, self._timeline = self._timeline, None
        if timeline is not None:
            timeline.events.receiver_stopped(self, "Stopped by driver")
