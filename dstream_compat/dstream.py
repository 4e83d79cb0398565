"""DStream: a stream of batches, with the methods of ``pyspark.streaming.DStream``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark import StorageLevel

from .api.outputs import OutputOperators
from .api.stateful import Snapshots

if TYPE_CHECKING:
    from .context import StreamingContext

__all__ = ["DStream"]


class DStream(OutputOperators):
    """A sequence of RDDs, one per batch, of the same kind of records.

    Mirrors ``pyspark.streaming.DStream``. Streams come from a StreamingContext or from other
    streams; nothing runs before the context starts.
    """

    def context(self) -> StreamingContext:
        """Return the StreamingContext of this stream."""
        return self._ssc

    def cache(self) -> DStream:
        """Return this stream; what several outputs read is computed once anyway.

        Mirrors ``pyspark.streaming.DStream.cache``.
        """
        self.is_cached = True
        return self

    def persist(self, storageLevel: StorageLevel = StorageLevel.MEMORY_ONLY) -> DStream:
        """Return this stream; what several outputs read is computed once anyway.

        Mirrors ``pyspark.streaming.DStream.persist``; the level has no effect.
        """
        self.is_cached = True
        return self

    def checkpoint(self, interval: float) -> DStream:
        """Return this stream; state is made durable with every micro-batch.

        Mirrors ``pyspark.streaming.DStream.checkpoint``; the interval (seconds) has no effect.
        """
        self.is_checkpointed = True
        return self


class MapWithStateDStream(Snapshots, DStream):
    """What mapWithState returns: a DStream that also has ``stateSnapshots()``."""
