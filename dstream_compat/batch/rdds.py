"""Makes the RDDs that user code gets of a micro-batch's frames.

Decision 0094: Counting a large batch needs no job.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import IO, Any, Final

from pyspark import RDD, SparkContext, TaskContext
from pyspark.serializers import BatchedSerializer, CPickleSerializer, NoOpSerializer, Serializer

from ..spark.java import java_array
from ..wire import errors
from ..wire.frames import (
    COUNT_OF,
    ERROR,
    IN_BLOCKS,
    INTERVALS,
    TOOK,
    Frame,
    Intervals,
    decode,
    pack,
    pack_intervals,
    unpack,
    unpack_intervals,
)
from ..wire.reports import Header, header_of
from ..worker.inbox import in_order
from ..worker.memory import worker_memory
from ..worker.setup import set_up_worker
from .driver_rdd import DriverRDD
from .execution_mode import UNKNOWN_MODE, ExecutionMode

_OF_TASKS: Final = (INTERVALS, IN_BLOCKS, TOOK)
"""Kinds of frames that are of no stream."""
_UNLIMITED: Final = 1 << 40
"""MiB"""


class FrameSerializer(BatchedSerializer):
    """Reads the records of one stream and interval from an RDD of frames.

    It is a batched serializer of unknown batch size, so that ``RDD.zip`` does not take frames for
    records.

    Parameters
    ----------
    node, tick : int
        stream and batch time; other frames are skipped
    memory : int, optional
        MiB that a worker may use to put the frames in order; None if they come in their order
    """

    def __init__(self, node: int, tick: int, memory: int | None) -> None:
        super().__init__(  # type: ignore[no-untyped-call]
            CPickleSerializer(), self.UNKNOWN_BATCH_SIZE
        )
        self._node = node
        self._tick = tick
        self._memory = memory

    def load_stream(self, stream: IO[bytes]) -> Iterator[Any]:
        """Yield records."""
        in_task = TaskContext.get() is not None
        if in_task:
            set_up_worker()
        frames: Iterable[Frame] = filter(self._is_mine, _frames(stream))
        if self._memory is not None:
            # Shuffles deliver in any order; a partition's records keep theirs.
            # The driver will have all records in memory anyway.
            frames = in_order(frames, self._memory if in_task else _UNLIMITED)
        return chain.from_iterable(map(decode, frames))

    def _load_stream_without_unbatching(self, stream: IO[bytes]) -> Iterator[list[Any]]:
        # Of a cartesian product, in which every frame is paired with every other.
        return (list(decode(f)) if self._is_mine(f) else [] for f in _frames(stream))

    def _is_mine(self, frame: Frame) -> bool:
        return frame.node == self._node and frame.tick == self._tick and frame.kind != INTERVALS

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrameSerializer) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((self._node, self._tick))


def _frames(stream: IO[bytes]) -> Iterator[Frame]:
    while True:
        head = stream.read(4)
        if len(head) < 4:
            return
        (length,) = struct.unpack("!i", head)
        if length < 0:  # a mark of the protocol: the data ends here
            return
        yield unpack(stream.read(length))


class MicroBatch:
    """The materialised result of one micro-batch.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    headers : iterable of Header
        the frames as the driver sees them
    jrdd : JavaObject, optional
        the frames, as a persisted ``JavaRDD`` of byte arrays; None if the driver has all of them
    mode : ExecutionMode
        how it was computed

    Attributes
    ----------
    slots : int
        how many slots it came from
    seconds : float
        for how long workers computed it
    size : int
        bytes of its frames
    mode : ExecutionMode
        how it was computed, and how many texts on blocks
    intervals : Intervals, optional
        its intervals; None if the frames are only a part
    """

    def __init__(
        self,
        sc: SparkContext,
        headers: Iterable[Header],
        jrdd: Any = None,
        mode: ExecutionMode = UNKNOWN_MODE,
    ) -> None:
        self._sc = sc
        self._jrdd = jrdd
        self._partitions = 0 if jrdd is None else int(jrdd.getNumPartitions())
        self._holders = 1
        headers = list(headers)
        clocks = [header for header in headers if header.kind == INTERVALS]
        in_blocks = sum(header.count for header in headers if header.kind == IN_BLOCKS)
        self._streams = by_stream(header for header in headers if header.kind not in _OF_TASKS)
        self.slots = len(clocks)
        self.seconds = sum(header.count for header in headers if header.kind == TOOK) / 1e6
        self.size = sum(header.size for header in headers)
        self.mode = mode.with_blocks(in_blocks)
        self.intervals = unpack_intervals(clocks[-1].frame()) if clocks else None

    @classmethod
    def of(
        cls, sc: SparkContext, frames: Iterable[bytes], mode: ExecutionMode = UNKNOWN_MODE
    ) -> MicroBatch:
        """Return the micro-batch that frames were taken from, or what is left of it."""
        return cls(sc, [header_of(0, data) for data in frames], mode=mode)

    def frames(self, tick: int) -> list[bytes]:
        """Return the intervals and all frames of one interval."""
        assert self.intervals is not None
        intervals = Intervals(
            tick - self.intervals.interval, tick, self.intervals.zero, self.intervals.interval
        )
        return [pack_intervals(intervals, 0), *self._frames_of(tick)]

    def _frames_of(self, tick: int) -> list[bytes]:
        streams = [(node, s) for (node, time), s in self._streams.items() if time == tick]
        held = [header.data for _, stream in streams for header in stream.headers]
        if None in held:
            frames: RDD[bytes] = RDD(self._jrdd, self._sc, NoOpSerializer())
            return frames.mapPartitions(_of_interval(tick)).collect()
        failed = [pack(ERROR, node, tick, (), s.error) for node, s in streams if s.error]
        return [data for data in held if data is not None] + failed

    def hold(self) -> None:
        """Keep the frames until one more release."""
        self._holders += 1

    def release(self) -> None:
        """Free the frames when everybody who holds them has released them."""
        self._holders -= 1
        if not self._holders and self._jrdd is not None:
            self._jrdd.unpersist(False)

    def error(self, node: int, tick: int) -> errors.CapturedError | None:
        """Return the user error that a stream's batch depends on, if there is one."""
        stream = self._streams.get((node, tick))
        return None if stream is None or stream.error is None else errors.load(stream.error)

    def records(self, node: int, tick: int) -> int:
        """Return the number of records of a stream's batch."""
        stream = self._streams.get((node, tick))
        return 0 if stream is None else sum(header.count for header in stream.headers)

    def counts(self, node: int, tick: int) -> list[int]:
        """Return the number of records of each frame of a stream's batch."""
        stream = self._streams.get((node, tick))
        return [] if stream is None else [header.count for header in stream.headers]

    def notes(self, node: int, tick: int) -> list[bytes]:
        """Return what tasks noted while they read a source of a table, in its partitions' order."""
        stream = self._streams.get((node | COUNT_OF, tick))
        if stream is None:
            return []
        notes = sorted(stream.headers, key=lambda header: header.src)
        return [bytes(unpack(header.data).payload) for header in notes if header.data is not None]

    def rdd(self, node: int, tick: int) -> RDD[Any]:
        """Return a stream's batch as an RDD with the partitions that DStreams give it."""
        stream = self._streams.get((node, tick))
        if stream is None:
            return DriverRDD(self._sc, [])
        if stream.error is not None:
            return _failed_rdd(self._sc, errors.load(stream.error))
        held = stream.inline()
        if held is not None:
            return DriverRDD(self._sc, held)
        placed = sorted({(h.src, h.spark_partition) for h in stream.headers})
        frames = FrameSerializer(node, tick, None if stream.is_ordered() else worker_memory())
        records = self.records(node, tick)
        if len(placed) == 1 and self._partitions >= 1:
            return CountedRDD(self._jrdd.coalesce(1, False), self._sc, frames, records)
        if [where for _, where in placed] == list(range(self._partitions)):
            return CountedRDD(self._own(), self._sc, frames, records)
        return self._regroup(stream, [src for src, _ in placed])

    def _own(self) -> Any:
        """Return the frames as an RDD that users may persist: a persisted one cannot be again."""
        name = "org.apache.spark.api.java.JavaRDD"
        return self._sc._jsc.union(java_array(self._sc, name, self._jrdd))

    def _regroup(self, stream: StreamHeaders, order: list[tuple[int, ...]]) -> RDD[Any]:
        index = {src: number for number, src in enumerate(order)}
        first = stream.headers[0]
        node, tick = first.node, first.tick
        frames: RDD[bytes] = RDD(self._jrdd, self._sc, NoOpSerializer())
        keyed = frames.mapPartitions(_key_frames_by(node, tick, index))
        return keyed.partitionBy(len(order), int).mapPartitions(_decode_with(worker_memory()))


def _of_interval(tick: int) -> Callable[[Iterable[bytes]], Iterator[bytes]]:
    def of_interval(frames: Iterable[bytes]) -> Iterator[bytes]:
        for data in frames:
            frame = unpack(data)
            if frame.tick == tick and frame.kind != INTERVALS:
                yield bytes(data)

    return of_interval


def _key_frames_by(
    node: int, tick: int, index: dict[tuple[int, ...], int]
) -> Callable[[Iterable[bytes]], Iterator[tuple[int, bytes]]]:
    def key_frames(frames: Iterable[bytes]) -> Iterator[tuple[int, bytes]]:
        for data in frames:
            frame = unpack(data)
            if frame.node == node and frame.tick == tick and frame.kind not in (INTERVALS, ERROR):
                yield index[frame.src], bytes(data)

    return key_frames


def _decode_with(memory: int) -> Callable[[Iterable[tuple[int, bytes]]], Iterator[Any]]:
    def decode_keyed(pairs: Iterable[tuple[int, bytes]]) -> Iterator[Any]:
        frames = (unpack(data) for _, data in pairs)
        return chain.from_iterable(map(decode, in_order(frames, memory)))

    return decode_keyed


def _failed_rdd(sc: SparkContext, error: errors.CapturedError) -> RDD[Any]:
    """Return an RDD that fails like the user's function did as soon as somebody reads it."""

    def fail(_: Iterable[Any]) -> Iterator[Any]:
        original = error.exception()
        if original is None:
            raise RuntimeError(error.text)
        original.add_note(f"It was raised here:\n{error.text}")
        raise original

    return sc.parallelize([0], 1).mapPartitions(fail)


class CountedRDD(RDD[Any]):
    """A stream's batch that is too large for the driver, which has been told its size.

    ``count`` and ``isEmpty`` are answered in the driver, unless the RDD is to be saved: then the
    first job does that, as users expect of ``rdd.cache(); rdd.count()``.

    Parameters
    ----------
    jrdd : JavaObject
        the RDD in the JVM
    ctx : SparkContext
        the user's context
    serializer : Serializer
        reads its records
    records : int
        how many there are
    """

    def __init__(self, jrdd: Any, ctx: SparkContext, serializer: Serializer, records: int) -> None:
        super().__init__(jrdd, ctx, serializer)
        self._records = records

    def _is_saved(self) -> bool:
        return self.is_cached or self.is_checkpointed

    def count(self) -> int:
        """Return the number of records."""
        return super().count() if self._is_saved() else self._records

    def isEmpty(self) -> bool:
        """Return whether there are no records."""
        return super().isEmpty() if self._is_saved() else self._records == 0


@dataclass(frozen=True)
class StreamHeaders:
    """The frames of one stream in one interval.

    Parameters
    ----------
    headers : list of Header
        of its records
    error : bytes, optional
        the captured error that it has instead
    """

    headers: list[Header]
    error: bytes | None

    def is_ordered(self) -> bool:
        """Return whether the frames of each Spark partition lie there in their order."""
        order = [(header.spark_partition, header.src, header.seq) for header in self.headers]
        return all(before <= after for before, after in pairwise(order))

    def inline(self) -> list[list[bytes]] | None:
        """Return the frames of each logical partition; None if the driver lacks one of them."""
        held: dict[tuple[int, ...], list[bytes]] = {}
        for header in sorted(self.headers, key=lambda header: (header.src, header.seq)):
            if header.data is None:
                return None
            held.setdefault(header.src, []).append(header.data)
        return list(held.values())


def by_stream(headers: Iterable[Header]) -> dict[tuple[int, int], StreamHeaders]:
    """Return headers by the stream (its node) and the interval (its batch time)."""
    headers_of: dict[tuple[int, int], list[Header]] = {}
    for header in headers:
        headers_of.setdefault((header.node, header.tick), []).append(header)
    return {of: _stream(group) for of, group in headers_of.items()}


def _stream(headers: list[Header]) -> StreamHeaders:
    errors = [header for header in headers if header.kind == ERROR]
    records = [header for header in headers if header.kind != ERROR]
    return StreamHeaders(records, bytes(errors[-1].frame().payload) if errors else None)
