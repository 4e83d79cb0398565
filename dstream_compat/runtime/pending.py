"""Batches whose last output failed: a recovered context runs them again, first."""

from __future__ import annotations

import pickle
from collections.abc import Sequence

from ..source.spool import Spool
from .rdds import MicroBatch

Frames = list[bytes]


class PendingBatches:
    """What the queries computed for such batches, on disk.

    Mirrors the pending times of a Spark ``Checkpoint``: a batch stays pending unless the output
    that ended last succeeded.

    Parameters
    ----------
    spool : Spool
        one file per batch
    """

    def __init__(self, spool: Spool) -> None:
        self._spool = spool

    def times(self) -> list[int]:
        """Return the batch times (milliseconds), in order."""
        return self._spool.after(0)

    def keep(self, tick: int, batches: Sequence[MicroBatch]) -> None:
        """Keep a batch: what each query computed for it."""
        self._spool.keep(tick, pickle.dumps([batch.frames(tick) for batch in batches], 5))

    def load(self, tick: int) -> list[Frames]:
        """Return what each query computed for a batch."""
        found: list[Frames] = self._spool.load(tick)
        return found

    def done(self, tick: int) -> None:
        """Forget a batch, if it is there."""
        self._spool.drop(tick)
