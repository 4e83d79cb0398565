"""Kinesis: records of the shards of a stream.

Decision 0030: Positions in Kinesis are planned input, and tasks read the ranges.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, groupby
from typing import Any, ClassVar, NamedTuple

from pyspark import SparkConf

from ...settings import KINESIS_FROM_DYNAMODB, KINESIS_IN_TASKS
from ...storage.spool import Spool
from ...wire.frames import RECORDS, chunks
from ...worker.reading.entries import Chunk
from ...worker.reading.kinesis_access import Access, client_library, place_of
from ...worker.reading.kinesis_range import KinesisRange, Span
from ..base import Demand, Items, Timeline
from ..receivers.receiver import ReceivedSource, Receiver
from .leases import leases_of
from .positions import Position
from .shards import Shards


@dataclass(frozen=True, eq=False)
class KinesisSource(ReceivedSource):
    """All shards of a stream.

    Parameters
    ----------
    name : str
        what the user called it
    stream : str
        the stream's name
    access : Access
        where it is
    initial : str
        where a stream begins of which no position is known: ``LATEST`` or ``TRIM_HORIZON``
    app : str
        the application, by whose name Kinesis's client library stored positions
    """

    name: str
    stream: str
    access: Access
    initial: str
    app: str = ""
    replayable: ClassVar[bool] = True
    shown_as: ClassVar[str] = "Kinesis stream"

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({"name": state.get("label"), **state})  # as it was called before

    @property
    def label(self) -> str:
        return self.name

    @property
    def receiver(self) -> str:
        return "KinesisReceiver"

    def open(
        self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand
    ) -> KinesisReceiver:
        return KinesisReceiver(self, conf, interval, spool)


_LOG = logging.getLogger("dstream_compat")


class _Item(NamedTuple):
    """What is in a shard, read or not, and the position behind it, or positions of shards alone."""

    positions: dict[str, Position]
    records: list[bytes]
    span: Span | None


class KinesisReceiver(Receiver):
    """Reads all shards of a stream; each is a logical partition.

    The driver follows the shards. Records that it reads while doing so are part of the planned
    input; tasks read the others. To limit a rate it has to count the records, so it reads them all
    then. The position behind what intervals have taken is part of the plan of a micro-batch, so a
    restart goes on there: nothing is lost or read twice. The parameters are those of ``Receiver``.
    """

    def __init__(
        self, source: KinesisSource, conf: SparkConf, interval: int, spool: Spool | None
    ) -> None:
        client_library()
        super().__init__(source, conf, interval, spool)
        self._stream = source.stream
        self._access = source.access
        self._initial = source.initial
        self._app = source.app
        self._place = place_of(source.label, source.stream, source.access)
        in_tasks = KINESIS_IN_TASKS.read(conf)
        self._spans = in_tasks and self.rate is None and self._limit.current() is None
        self._takes_leases = KINESIS_FROM_DYNAMODB.read(conf)
        self._leases: dict[str, Position] = {}
        self._filed: dict[str, Position] = {}
        self._planned: dict[str, Position] = {}

    def start(self, timeline: Timeline) -> None:
        if self._takes_leases and not self._filed:
            self._leases = leases_of(self._access, self._app)
            _LOG.warning(
                "%s: continuing from the positions in DynamoDB: %s",
                self.label,
                ", ".join(f"{s} {k} {at or ''}".rstrip() for s, (k, at) in self._leases.items()),
            )
        super().start(timeline)

    def memory(self) -> dict[str, Position]:
        """Return the positions behind what intervals took."""
        return dict(self._planned)

    def restore(self, memory: dict[str, Position]) -> None:
        self._planned = dict(memory)
        self._filed = dict(memory)

    def _count(self, item: Any) -> int:
        return len(item.records)

    def _note(self, taken: dict[int, list[Any]]) -> None:
        for tick in sorted(taken):
            for item in taken[tick]:
                self._planned.update(item.positions)
        for gone in [shard for shard in self._planned if shard not in self._filed]:
            del self._planned[gone]

    def _pack(self, items: list[Any]) -> list[Items]:
        shards: dict[str, list[_Item]] = {}
        for item in items:
            if item.records or item.span:
                (shard,) = item.positions
                shards.setdefault(shard, []).append(item)
        return [tuple(self._planned_items(shards[shard])) for shard in sorted(shards)]

    def _planned_items(self, items: list[_Item]) -> Iterator[Chunk | KinesisRange]:
        for span, group in groupby(items, lambda item: item.span):
            if span is not None:
                yield KinesisRange(self._place, span)
            else:
                records = chain.from_iterable(item.records for item in group)
                yield from (Chunk(RECORDS, count, data) for count, data in chunks(records))

    def _receive(self) -> tuple[str, str]:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            client, until = self._access.client()
            shards = Shards(
                client,
                self._stream,
                self._initial,
                self._filed,
                self._take,
                self._at_once_read,
                self._spans,
                self._leases,
            )
            shards.look()
        except (BotoCoreError, ClientError) as error:
            where = f" (stream {self._stream} at {self._access.endpoint})"
            return self._cannot_start(), self._warn(error, where)
        try:
            while not self._stopped.wait(shards.read(self._stopped)):
                self._reminded = 0.0
                if until is not None and time.time() > until:
                    client, until = self._access.client()
                    shards.use(client)
        except (BotoCoreError, ClientError) as error:
            return self._again("Error receiving data"), self._warn(error, "")
        return "", ""

    def _take(
        self, positions: dict[str, Position], records: list[bytes], span: Span | None
    ) -> None:
        if records:
            self._admit(len(records))
        if not self._stopped.is_set():  # what is not filed is read again
            self._file(_Item(positions, records, span), sum(map(len, records)))

    def _at_once_read(self) -> int | None:
        rate = self._limit.current()
        return None if rate is None else max(int(rate), 1)

    def _hang_up(self) -> None:
        """Do nothing: no request is waited for longer than it takes."""
