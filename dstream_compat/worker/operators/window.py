"""window: the batches of the last ``length`` milliseconds, partition by partition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

from ...wire.frames import Frame, decode_all
from .base import MAIN, Context, Result, Results, SlotOp, UpstreamError
from .constant_pairs import Pairs
from .kept_batches import KeptBatches
from .whole_partition import whole


@dataclass(frozen=True)
class Window(SlotOp):
    """Keeps the pickled chunks of each batch and replays those that the window covers.

    Parameters
    ----------
    length : int
        milliseconds
    merged : bool
        the batches are partitioned alike: partition p is made of partition p of each
    """

    length: int
    merged: bool = False
    stateful: ClassVar[bool] = True
    by_partition: ClassVar[bool] = True

    @property
    def state_traits(self) -> str:
        return f", window of {self.length} ms"

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        """Send each partition whole; an empty one stays a partition."""
        return whole(records)

    def map_side(self, pairs: Pairs | None) -> str:
        return "sends each partition as a whole"

    @property
    def slot_side(self) -> str:
        return "keeps the records of each batch in the window in the state store"

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Results:
        batches = KeptBatches(at.state, self.number)
        if error is not None or frames:
            batches.put(at.tick, frames, error)
        batches.remove(at.tick - self.length)
        if at.intervals.is_valid(at.tick, self.slide):
            yield from self._replay(batches, at)
        return None

    def _replay(self, past: KeptBatches, at: Context) -> Iterator[Result]:
        first = max(at.tick - self.length, at.intervals.zero) + self.input_slide
        batches = list(past.get(range(first, at.tick + 1, self.input_slide)))
        for _, batch in batches:
            if batch.error is not None:
                raise UpstreamError(batch.error)
        if self.merged:
            merged: dict[tuple[int, ...], list[Iterable[Frame]]] = {}
            for _, batch in batches:
                for src, pieces in batch.partitions():
                    merged.setdefault(src, []).append(pieces)
            for src, parts in merged.items():
                yield MAIN, src, decode_all(chain.from_iterable(parts))
            return
        for tick, batch in batches:
            for src, pieces in batch.partitions():
                yield MAIN, (tick, *src), decode_all(pieces)
