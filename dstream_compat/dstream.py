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
        """Return this stream, its RDDs kept in memory while their batch runs.

        Mirrors ``pyspark.streaming.DStream.cache``; see ``persist``.
        """
        return self.persist(StorageLevel.MEMORY_ONLY)

    def persist(self, storageLevel: StorageLevel = StorageLevel.MEMORY_ONLY) -> DStream:
        """Return this stream, its RDDs persisted while their batch runs.

        Only streams behind ``transform`` gain by it: all others are computed once anyway.

        Parameters
        ----------
        storageLevel : StorageLevel
            where to keep the RDDs; mirrors ``pyspark.streaming.DStream.persist``
        """
        self.is_cached = True
        self._ssc._graph.persisted[self._node.id] = storageLevel
        return self

    def checkpoint(self, interval: float) -> DStream:
        """Return this stream; state is made durable with every micro-batch.

        Mirrors ``pyspark.streaming.DStream.checkpoint``; the interval (seconds) has no effect.
        """
        self.is_checkpointed = True
        return self


class MapWithStateDStream(Snapshots, DStream):
    """What mapWithState returns: a DStream that also has ``stateSnapshots()``."""
