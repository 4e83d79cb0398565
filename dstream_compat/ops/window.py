"""window: the batches of the last ``length`` milliseconds, partition by partition."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ..engine.frames import Frame, decode_all
from .base import MAIN, Context, Result, SlotOp, UpstreamError
from .whole import by_source, whole


@dataclass
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

    def write(self, records: Iterable[Any]) -> Iterator[tuple[int, int, bytes]]:
        """See the base class; a partition stays whole, and an empty one stays a partition."""
        return whole(records)

    def run(self, at: Context, frames: list[Frame], error: bytes | None) -> Iterator[Result]:
        """See the base class."""
        if error is not None or frames:
            kept = [f._replace(payload=bytes(f.payload)) for f in frames]
            blob = pickle.dumps((error, [tuple(f) for f in kept]), 5)
            at.state.put(self._name(at.tick), blob)
        at.state.remove(self._name(at.tick - self.length))
        if at.clock.is_valid(at.tick, self.slide):
            yield from self._replay(at)

    def _replay(self, at: Context) -> Iterator[Result]:
        batches: list[tuple[int, list[Frame]]] = []
        first = at.tick - self.length + self.input_slide
        for tick in range(first, at.tick + 1, self.input_slide):
            blob = at.state.get(self._name(tick)) if tick > at.clock.zero else None
            if blob is None:
                continue
            error, frames = pickle.loads(blob)
            if error is not None:
                raise UpstreamError(error)
            batches.append((tick, [Frame(*f) for f in frames]))
        if self.merged:
            for src, group in by_source(frame for _, kept in batches for frame in kept).items():
                yield MAIN, src, decode_all(group)
            return
        for tick, kept in batches:
            for src, group in by_source(kept).items():
                yield MAIN, (tick, *src), decode_all(group)

    def _name(self, tick: int) -> str:
        return f"{self.number}/{tick}"
