"""Runs a receiver without Spark: under a manual clock, planned by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from dstream_compat.clock import SettableClock
from dstream_compat.source.base import Input, Items, SourceEvents, Timeline
from dstream_compat.source.receivers.receiver import ReceivedSource
from dstream_compat.storage.spool import Spool
from dstream_compat.wire.frames import decode_all, pack, unpack
from dstream_compat.worker.reading.entries import Chunk
from tests.support.streaming.inputs import INTERVAL, opened
from tests.support.waiting import wait_for

SPARK: Any = None


class Told(SourceEvents):
    """Remembers what a receiver tells."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str, str]] = []

    def receiver_started(self, receiver: Input) -> None:
        self.events.append(("started", "", ""))

    def receiver_stopped(self, receiver: Input, message: str, error: str = "") -> None:
        self.events.append(("stopped", message, error))

    def receiver_error(self, receiver: Input, message: str, error: str) -> None:
        self.events.append(("error", message, error))

    def messages(self) -> list[str]:
        return [message for kind, message, _ in self.events if kind != "started"]


class Receiving:
    """A receiver that runs."""

    def __init__(self, receiver: Any, start: int) -> None:
        self.receiver = receiver
        self.clock = SettableClock(start)
        self.told = Told()
        self._last = start

    def received(self, count: int) -> None:
        """Wait until so many records wait for an interval."""
        wait_for(lambda: self.receiver.count_received() >= count, f"{count} records")
        assert self.receiver.count_received() == count

    def batch(self, intervals: int = 1) -> list[list[Any]]:
        """Let intervals pass; return the partitions of the first one."""
        return self.batches(intervals)[0]

    def batches(self, intervals: int) -> list[list[list[Any]]]:
        self.clock.advance(intervals * INTERVAL)
        ticks = range(self._last + INTERVAL, self.clock.now() + 1, INTERVAL)
        self._last = ticks[-1]
        planned = self.receiver.plan(SPARK, ticks)
        return [partitions(planned, tick) for tick in ticks]


def partitions(planned: Mapping[int, list[Items] | bytes], tick: int) -> list[list[Any]]:
    """Return the records of an interval's partitions."""
    parts = planned[tick]
    assert not isinstance(parts, bytes)
    return [records(items) for items in parts]


def records(items: Sequence[Any]) -> list[Any]:
    assert all(isinstance(item, Chunk) for item in items)
    frames = [pack(c.kind, 1, 1, (), c.payload, count=c.count) for c in items]
    return list(decode_all(map(unpack, frames)))


@contextmanager
def receiving(
    source: ReceivedSource,
    settings: Mapping[str, str] | None = None,
    spool: Spool | None = None,
    start: int = 0,
    memory: Any = None,
) -> Iterator[Receiving]:
    """Let a receiver run, with settings (without ``spark.streaming.``)."""
    receiver = opened(source, {"receiverRestartDelay": "50ms", **(settings or {})}, spool)
    running = Receiving(receiver, start)
    if memory is not None:
        receiver.restore(memory)
    receiver.start(Timeline(running.clock, INTERVAL, start, running.told))
    try:
        yield running
    finally:
        receiver.stop_receiving()
