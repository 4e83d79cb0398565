"""Frames: how records travel between stages, one binary value per chunk of records.

A frame is a fixed header, the logical partition that it comes from, and a payload. The header says
to which graph node and batch interval the chunk belongs, so that one shuffle can carry the records
of many operators and several intervals.

Decision 0003: Rows have two columns, slot and frame.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from pyspark import cloudpickle
from pyspark.cloudpickle import list_registry_pickle_by_value

from .text import REPLACE

RECORDS: Final = 0
"""Payload: one pickle of a list of records, or of a dict whose entries they are; empty when
``count`` is 0."""
LINES: Final = 1
"""Payload: ``count`` lines of UTF-8 text joined by line feeds."""
INTERVALS: Final = 2
"""Payload: :class:`Intervals`; ``part`` is the slot that it drives."""
ERROR: Final = 3
"""Payload: a captured user error (see ``engine.errors``)."""
INITIAL: Final = 4
"""Payload as RECORDS: (key, state) pairs that a stateful operator starts from."""
FIXED: Final = 5
"""Payload: records of ``part`` bytes each, back to back."""
ABSENT: Final = 6
"""No payload: a function of the driver gave no RDD for this batch."""
TOOK: Final = 7
"""No payload: a task ran for ``count`` microseconds."""
TOO_LARGE: Final = 8
"""No payload: one task was not enough for a micro-batch."""

IN_BLOCKS: Final = 9
"""No payload: a task computed functions of ``count`` texts on blocks of them."""

COUNT_OF: Final = 1 << 31
"""Set in the node of a frame without payload: ``count`` records of that source were read."""

_HEAD = struct.Struct("<BIqIIIB")
_OF_MAIN = b"\x8c\x08__main__"
"""In every pickle that refers to a name of the main module, which nobody else can import."""
_OWN_MODULES = "dstream_compat."
_SAMPLE = 4
"""Records that tell how large the others may be."""
_FIRST_CHUNK = 1_000
_LAST_CHUNK = 10_000
_SMALL = 1 << 16
_LARGE = 1 << 20
_MOST = 4 * _LARGE


class Frame(NamedTuple):
    """One decoded frame; ``src`` orders the logical partitions of a node within an interval."""

    kind: int
    node: int
    tick: int
    part: int
    seq: int
    count: int  # type: ignore[assignment]
    src: tuple[int, ...]
    payload: bytes | memoryview


class Intervals(NamedTuple):
    """The intervals ``(lo, hi]`` that one micro-batch owes, all in milliseconds since the epoch."""

    lo: int
    hi: int
    zero: int
    interval: int

    def ticks(self) -> range:
        """Return the batch times of this micro-batch, oldest first."""
        return range(self.lo + self.interval, self.hi + 1, self.interval)

    def is_valid(self, tick: int, slide: int) -> bool:
        """Return whether a stream with this slide duration (milliseconds) has a batch at tick."""
        return tick > self.zero and (tick - self.zero) % slide == 0


def pack(
    kind: int,
    node: int,
    tick: int,
    src: Sequence[int] = (),
    payload: bytes | memoryview = b"",
    *,
    part: int = 0,
    seq: int = 0,
    count: int = 0,
) -> bytes:
    """Return one frame as bytes; the arguments are the fields of :class:`Frame`."""
    head = _HEAD.pack(kind, node, tick, part, seq, count, len(src))
    return b"".join((head, struct.pack(f"<{len(src)}q", *src), payload))


def unpack(data: bytes | bytearray | memoryview) -> Frame:
    """Return the decoded header of a frame with its payload as a view (nothing is copied)."""
    view = memoryview(data)
    kind, node, tick, part, seq, count, width = _HEAD.unpack_from(view)
    end = _HEAD.size + 8 * width
    src = struct.unpack_from(f"<{width}q", view, _HEAD.size)
    return Frame(kind, node, tick, part, seq, count, src, view[end:])


def pack_intervals(intervals: Intervals, slot: int) -> bytes:
    """Return the frame of intervals that drives one slot for a micro-batch."""
    return pack(INTERVALS, 0, intervals.hi, (), pickle.dumps(tuple(intervals)), part=slot)


def unpack_intervals(frame: Frame) -> Intervals:
    """Return the intervals that a INTERVALS frame carries."""
    return Intervals(*pickle.loads(frame.payload))


def decode(frame: Frame) -> Sequence[Any]:
    """Return the records of a RECORDS, INITIAL, LINES or FIXED frame."""
    if not frame.count:
        return ()
    if frame.kind == LINES:
        return str(frame.payload, "utf-8", REPLACE).split("\n")
    if frame.kind == FIXED:
        data, size = bytes(frame.payload), frame.part
        return [data[i : i + size] for i in range(0, len(data), size)]
    return load_records(frame.payload)


def load_records(payload: bytes | memoryview) -> Sequence[Any]:
    """Return the records that ``chunks`` has pickled."""
    records: list[Any] | dict[Any, Any] = pickle.loads(payload)
    return records if isinstance(records, list) else list(records.items())


def decode_all(frames: Iterable[Frame]) -> Iterator[Any]:
    """Return the records of many frames, one frame in memory at a time."""
    return chain.from_iterable(map(decode, frames))


def dumps(value: Any) -> bytes:
    """Pickle as Spark's own serializer does: classes of ``__main__`` travel by value."""
    data: bytes = cloudpickle.dumps(value, 5)  # type: ignore[no-untyped-call]
    return data


def dump_records(value: Any) -> bytes:
    """Pickle records or states as ``dumps`` does, but in C alone where that gives the same.

    cloudpickle asks a Python function about every object that is no built-in one, to find what
    must travel by value. That takes two thirds of the time for dates, rows and user classes.
    """
    by_value: set[str] = list_registry_pickle_by_value()  # type: ignore[no-untyped-call]
    if any(not name.startswith(_OWN_MODULES) for name in by_value):
        return dumps(value)
    try:
        data: bytes | None = pickle.dumps(value, 5)
    except Exception:  # cloudpickle can do more; what it cannot do either, it says
        data = None
    return dumps(value) if data is None or _OF_MAIN in data else data


class Stored:
    """The entries of dicts that are pickled already.

    Parameters
    ----------
    parts : sequence of (dict, bytes or None)
        each dict with its pickle, which is None for an empty one
    """

    def __init__(self, parts: Sequence[tuple[dict[Any, Any], bytes | None]]) -> None:
        self.parts = parts

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(values.items() for values, _ in self.parts)


def chunks(records: Iterable[Any]) -> Iterator[tuple[int, bytes]]:
    """Cut records into pickled chunks of 1 to 10,000, aiming at 64 KiB to 1 MiB each.

    Yields (number of records, payload); errors of the records' iterator pass through.
    """
    if isinstance(records, Stored):
        for values, blob in records.parts:
            if blob is None or len(blob) > _MOST:
                yield from chunks(values.items())
            else:
                yield len(values), blob
        return
    it = iter(records)
    size = _FIRST_CHUNK
    sample = list(islice(it, _SAMPLE))
    if len(sample) == _SAMPLE:
        size = min(_LARGE * _SAMPLE // len(dump_records(sample)) + _SAMPLE, _FIRST_CHUNK)
    chunk = sample + list(islice(it, size - _SAMPLE))
    while chunk:
        payload = dump_records(chunk)
        yield len(chunk), payload
        if len(payload) < _SMALL:
            size = min(size * 2, _LAST_CHUNK)
        elif len(payload) > _LARGE:
            size = max(size // 2, 1)
        chunk = list(islice(it, size))
