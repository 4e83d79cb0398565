"""partitionBy and repartition: a shuffle that merges nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

from ...wire.frames import Frame, decode_all
from .base import MAIN, Context, Results, SlotOp, UpstreamError, by_part
from .constant_pairs import Pairs
from .hashing import partition_pairs


@dataclass(frozen=True)
class PartitionBy(SlotOp):
    """Sends each (key, value) pair to partition ``partition_of(key) % partitions``."""

    partition_of: Callable[[Any], int]

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        yield from partition_pairs(records, self.partitions, self.partition_of)

    @property
    def slot_side(self) -> str:
        return "takes the records as they come"

    def partitioner(self) -> Callable[[Any], int] | None:
        return self.partition_of

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Results:
        if error is not None:
            raise UpstreamError(error)
        groups = by_part(frames)
        for part in at.parts(self.partitions):
            yield MAIN, (part,), self.records(decode_all(groups.get(part, ())))
        return None

    def records(self, pairs: Iterator[Any]) -> Iterator[Any]:
        """Return the records of a partition from what was shuffled."""
        return pairs


@dataclass(frozen=True)
class Repartition(PartitionBy):
    """Deals any records evenly to the partitions."""

    def write_from(
        self, src: tuple[int, ...], records: Iterable[Any]
    ) -> Iterator[tuple[int, int, bytes]]:
        """Deal records out; each partition begins with another target, as many may be small."""
        dealt = zip(count(sum(src)), records, strict=False)
        yield from partition_pairs(dealt, self.partitions, int)

    def map_side(self, pairs: Pairs | None) -> str:
        return "deals the records to the partitions in turn"

    def partitioner(self) -> None:
        """Return None: a record may be anywhere."""

    def records(self, pairs: Iterator[Any]) -> Iterator[Any]:
        return (record for _, record in pairs)
