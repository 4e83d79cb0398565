"""Frames with their slots, as the rows of Arrow batches."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import Final

import pyarrow as pa

_ARROW_BYTES: Final = 4 << 20


def to_rows(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[int, bytes]]:
    """Yield (slot, frame) for the rows of Arrow batches."""
    for batch in batches:
        yield from zip(batch.column(1).to_pylist(), batch.column(0).to_pylist(), strict=True)


def to_batches(rows: Iterable[tuple[int, bytes]]) -> Iterator[pa.RecordBatch]:
    """Yield Arrow batches of about 4 MiB."""
    slots: list[int] = []
    frames: list[bytes] = []
    size = 0
    for slot, frame in rows:
        slots.append(slot)
        frames.append(frame)
        size += len(frame)
        if size >= _ARROW_BYTES:
            yield _batch(slots, frames)
            slots, frames, size = [], [], 0
    if frames:
        yield _batch(slots, frames)


def _batch(slots: list[int], frames: list[bytes]) -> pa.RecordBatch:
    # From buffers: pa.array() imports pandas, 27 MB in each worker.
    ends = array("i", accumulate(map(len, frames), initial=0))
    values = [pa.py_buffer(column) for column in (ends, b"".join(frames), array("i", slots))]
    columns = [
        pa.Array.from_buffers(pa.binary(), len(frames), [None, *values[:2]]),
        pa.Array.from_buffers(pa.int32(), len(slots), [None, values[2]]),
    ]
    return pa.RecordBatch.from_arrays(columns, names=["frame", "slot"])
