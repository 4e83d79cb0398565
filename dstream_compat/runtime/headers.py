"""The frames of a micro-batch as the driver sees them: their headers, and small data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from ..engine.frames import CLOCK, COUNT_OF, ERROR, Frame, unpack

_INLINE_BYTES = 1 << 16
"""A Spark partition whose frames are at most this large comes to the driver with its headers."""


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


def peek(index: int, frames: Iterable[bytes]) -> Iterator[Header]:
    """Yield the headers of the frames of one Spark partition."""
    found: list[Header] = []
    total = 0
    for data in frames:
        frame = unpack(data)
        total += len(data)
        keep = total <= _INLINE_BYTES or _is_for_driver(frame)
        found.append(
            Header(
                index,
                frame.kind,
                frame.node,
                frame.tick,
                frame.src,
                frame.seq,
                frame.count,
                len(data),
                bytes(data) if keep else None,
            )
        )
    whole = total <= _INLINE_BYTES
    for header in found:
        small = whole or _is_for_driver(header)
        yield header if small else header._replace(data=None)


def _is_for_driver(frame: Frame | Header) -> bool:
    return frame.kind in (CLOCK, ERROR) or bool(frame.node & COUNT_OF)


@dataclass
class StreamHeaders:
    """The frames of one stream in one interval."""

    headers: list[Header] = field(default_factory=list)
    error: bytes | None = None

    def is_ordered(self) -> bool:
        """Return whether the frames of each Spark partition lie there in their order."""
        order = [(header.spark_partition, header.src, header.seq) for header in self.headers]
        return all(before <= after for before, after in pairwise(order))
