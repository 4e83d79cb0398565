"""Kafka's streams while a job runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark import SparkConf

from ...worker.reading.kafka_rows import merged
from ..base import Timeline
from ..rates import RateController
from ..tables.table import TableInput
from .rates import KafkaRate, direct_rate, receiver_rate

if TYPE_CHECKING:
    from .source import DirectSource, ReceiverSource


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

    def allowed(self, partitions: int, intervals: int) -> int | None:
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

    def noted(self, tick: int, notes: Sequence[bytes]) -> None:
        self._offsets.note(tick, merged(notes))


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
