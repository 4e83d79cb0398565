"""Puts the pieces of a partition together, for functions that see it whole."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ...wire.frames import Frame, chunks, decode_all
from .base import MAIN, Context, Results, SlotOp, UpstreamError
from .constant_pairs import Pairs


def whole(records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
    """Cut the records of a partition that stays whole; an empty one stays a partition."""
    empty = True
    for count, payload in chunks(records):
        empty = False
        yield 0, count, payload
    if empty:
        yield 0, 0, b""


def by_source(frames: Iterable[Frame]) -> dict[tuple[int, ...], list[Frame]]:
    """Return frames grouped by the partition that they come from, order kept."""
    groups: dict[tuple[int, ...], list[Frame]] = {}
    for frame in frames:
        groups.setdefault(frame.src, []).append(frame)
    return groups


@dataclass(frozen=True)
class Whole(SlotOp):
    """Brings the pieces of each partition together and changes nothing else."""

    by_partition: ClassVar[bool] = True

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        return whole(records)

    def map_side(self, pairs: Pairs | None) -> str:
        return "sends each partition as a whole"

    @property
    def slot_side(self) -> str:
        return "puts the pieces of each partition together"

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Results:
        if error is not None:
            raise UpstreamError(error)
        for src, pieces in by_source(frames).items():
            yield MAIN, src, decode_all(pieces)
        return None
