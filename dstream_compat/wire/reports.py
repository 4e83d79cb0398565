"""The reports of last-stage tasks to the driver: headers of frames, and small data.

They tell it by an accumulator, so that the job which computes a micro-batch is the only one that
has to look at its frames.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Any, Final, NamedTuple

from pyspark import Accumulator, AccumulatorParam, SparkContext, TaskContext

from .frames import COUNT_OF, ERROR, IN_BLOCKS, INTERVALS, TOOK, Frame, pack, unpack
from .task_properties import task_batch_number

_LEAST: Final = 1 << 16
_TOGETHER: Final = 1 << 20
"""Bytes of frames that the tasks of a micro-batch give to the driver at most, and one at least."""
_LONGEST: Final = (1 << 32) - 1
"""Microseconds that a header can name: 71 minutes."""


class Header(NamedTuple):
    """One frame as the driver sees it; ``data`` is there when the partition is small."""

    spark_partition: int
    kind: int
    node: int
    tick: int
    src: tuple[int, ...]
    seq: int
    count: int  # type: ignore[assignment]
    size: int
    data: bytes | None

    def frame(self) -> Frame:
        """Return the frame, which the driver must have."""
        assert self.data is not None
        return unpack(self.data)


def header_of(partition: int, data: bytes) -> Header:
    """Return the header of a frame, with the frame."""
    frame = unpack(data)
    place = partition, frame.kind, frame.node, frame.tick, frame.src, frame.seq, frame.count
    return Header(*place, len(data), data)


def _is_for_driver(frame: Frame | Header) -> bool:
    return frame.kind in (INTERVALS, ERROR, TOOK, IN_BLOCKS) or bool(frame.node & COUNT_OF)


class Summary:
    """The headers of one task's frames.

    Parameters
    ----------
    partition : int
        Spark's number of the task's partition
    most : int
        bytes of frames that go to the driver with their headers
    """

    def __init__(self, partition: int, most: int) -> None:
        self._partition = partition
        self._most = most
        self._size = 0
        self._found: list[Header] = []

    def add(self, data: bytes) -> None:
        """Note a frame."""
        header = header_of(self._partition, data)
        self._size += len(data)
        if self._size > self._most and not _is_for_driver(header):
            header = header._replace(data=None)
        self._found.append(header)

    def headers(self) -> list[Header]:
        """Return the headers: all with their data, or only those that the driver must see."""
        if self._size <= self._most:
            return self._found
        return [h if _is_for_driver(h) else h._replace(data=None) for h in self._found]


_Reports = dict[tuple[int, int], list[Header]]


class _Newest(AccumulatorParam[_Reports]):
    def zero(self, value: _Reports) -> _Reports:
        return {}

    def addInPlace(self, value1: _Reports, value2: _Reports) -> _Reports:
        value1.update(value2)
        return value1


class Reports:
    """The reports of the tasks of a query's last stage.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    tasks : int
        how many there are in a micro-batch
    """

    def __init__(self, sc: SparkContext, tasks: int) -> None:
        self._reports: Accumulator[_Reports] = sc.accumulator({}, _Newest())
        self._most = max(_LEAST, _TOGETHER // tasks)

    def take(self, number: int, partitions: int) -> list[Header]:
        """Return what all tasks of a micro-batch have reported; other reports are dropped.

        Raises
        ------
        RuntimeError
            if a task sent no report
        """
        reports, self._reports.value = self._reports.value, {}
        missing = [p for p in range(partitions) if (number, p) not in reports]
        if missing:
            raise RuntimeError(f"tasks {missing} of micro-batch {number} sent no report")
        return [header for p in range(partitions) for header in reports[number, p]]

    def follow(self, tagged: Iterable[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        """Yield the frames that leave a task, and tell the driver of them at the end."""
        task: Any = TaskContext.get()
        summary = Summary(task.partitionId(), self._most)
        for slot, data in tagged:
            summary.add(data)
            yield slot, data
        self._reports.add({(task_batch_number(), task.partitionId()): summary.headers()})


def add_duration(tagged: Iterable[tuple[int, bytes]], slot: int) -> Iterator[tuple[int, bytes]]:
    """Yield the frames of a task, then one that says how long it took to make them.

    Parameters
    ----------
    tagged : iterable of (int, bytes)
        the frames with their slots
    slot : int
        where the last one goes
    """
    frames = iter(tagged)
    seconds = 0.0
    while True:
        began = perf_counter()
        frame = next(frames, None)
        seconds += perf_counter() - began
        if frame is None:
            break
        yield frame
    yield slot, pack(TOOK, 0, 0, count=min(round(seconds * 1e6), _LONGEST))


def leaving_frames(
    tagged: Iterable[tuple[int, bytes]], slot: int, reports: Reports | None
) -> Iterator[tuple[int, bytes]]:
    """Yield the frames that leave a task, with the time that it took.

    Parameters
    ----------
    tagged : iterable of (int, bytes)
        frames with their slots
    slot : int
        where the time goes
    reports : Reports, optional
        of the last stage: tells the driver what the task has made
    """
    frames = add_duration(tagged, slot)
    return frames if reports is None else reports.follow(frames)
