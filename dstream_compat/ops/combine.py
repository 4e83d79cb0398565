"""combineByKey per batch: map-side combine, shuffle, merge. Needs no state store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from ..engine.frames import Frame, decode_all
from .base import MAIN, Context, Result, SlotOp, UpstreamError, by_part
from .hashing import partition_pairs

_HELD_KEYS: Final = 200_000
"""Distinct keys that the map side combines before it sends them on: bounds its memory."""


def combine_pairs(
    records: Iterable[Any], create: Callable[[Any], Any], merge: Callable[[Any, Any], Any]
) -> Iterator[dict[Any, Any]]:
    """Combine (key, value) pairs into dicts of at most 200,000 keys each."""
    held: dict[Any, Any] = {}
    for key, value in records:
        if key in held:
            held[key] = merge(held[key], value)
        else:
            held[key] = create(value)
            if len(held) >= _HELD_KEYS:
                yield held
                held = {}
    yield held


def merge_pairs(
    into: dict[Any, Any], pairs: Iterable[tuple[Any, Any]], merge: Callable[[Any, Any], Any]
) -> None:
    """Merge combined pairs into a dict of combiners."""
    for key, value in pairs:
        into[key] = merge(into[key], value) if key in into else value


@dataclass
class CombineByKey(SlotOp):
    """``combineByKey`` and everything made of it (``reduceByKey``, ``reduce``, ``count``...)."""

    create: Callable[[Any], Any]
    merge_value: Callable[[Any, Any], Any]
    merge_combiners: Callable[[Any, Any], Any]

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        """See the base class."""
        for held in combine_pairs(records, self.create, self.merge_value):
            yield from partition_pairs(held.items(), self.partitions)

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Iterator[Result]:
        """See the base class."""
        if error is not None:
            raise UpstreamError(error)
        groups = by_part(frames)
        for part in at.parts(self.partitions):
            merged: dict[Any, Any] = {}
            merge_pairs(merged, decode_all(groups.get(part, ())), self.merge_combiners)
            yield MAIN, (part,), merged.items()
