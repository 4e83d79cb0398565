"""Batches whose last output failed: a recovered context runs them again, first.

Decision 0008: A batch whose last output failed is kept as its results.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Iterator, Mapping, Sequence

from ..exceptions import CheckpointError
from ..graph.nodes import Graph, stream_names
from ..storage.spool import Spool
from ..wire.errors import SPARK_ERRORS
from ..wire.frames import COUNT_OF, INTERVALS, pack, unpack
from .rdds import MicroBatch

_LOG = logging.getLogger("dstream_compat")

Frames = list[bytes]


class FailedBatches:
    """Keeps on disk what the queries computed for batches that failed.

    Mirrors the pending times of a Spark ``Checkpoint``: a batch stays pending unless the output
    that ended last succeeded.

    Parameters
    ----------
    spool : Spool
        one file per batch
    graph : Graph
        today's: in the files, streams have names that an edit elsewhere does not change

    Raises
    ------
    CheckpointError
        if a batch of an earlier process lacks a stream of the current graph
    """

    def __init__(self, spool: Spool, graph: Graph) -> None:
        self._spool = spool
        self._names = stream_names(graph)
        self._ids = {name: number for number, name in self._names.items()}
        for tick in self.times():
            streams, _ = spool.load(tick)
            if not self._ids.keys() <= set(streams.values()):
                raise CheckpointError(
                    f"the batch of {tick} ms failed in an earlier run and waits to run again, but "
                    "the current code has other streams than the code that computed it. Start the "
                    "job once with that code (functions of outputs may change), or delete "
                    f"{spool.path(tick)} to drop the batch; nothing was changed here"
                )

    def times(self) -> list[int]:
        """Return the batch times (milliseconds), in order."""
        return self._spool.after(0)

    def keep(self, tick: int, batches: Sequence[MicroBatch]) -> None:
        """Keep a batch: what each query computed for it."""
        try:
            frames = [batch.frames(tick) for batch in batches]
            self._spool.keep(tick, pickle.dumps((self._names, frames), 5))
        except (OSError, *SPARK_ERRORS) as error:
            # a failed output must not stop later batches
            _LOG.error(
                "the failed batch of %d ms could not be kept (%s): it will not run again after a "
                "restart",
                tick,
                str(error).partition("\n")[0],
            )

    def load(self, tick: int) -> list[Frames]:
        """Return what each query computed for a batch."""
        streams, batches = self._spool.load(tick)
        ids = {then: self._ids[name] for then, name in streams.items() if name in self._ids}
        return [list(_renumber(frames, ids)) for frames in batches]

    def forget(self, tick: int) -> None:
        """Forget a batch, if it is there."""
        self._spool.drop(tick)


def _renumber(frames: Frames, ids: Mapping[int, int]) -> Iterator[bytes]:
    """Yield frames with the numbers that their streams have today; those of none are left out."""
    for data in frames:
        frame = unpack(data)
        stream, mark = frame.node & ~COUNT_OF, frame.node & COUNT_OF
        if frame.kind == INTERVALS:
            yield data
        elif stream in ids:
            yield pack(
                frame.kind,
                ids[stream] | mark,
                frame.tick,
                frame.src,
                frame.payload,
                part=frame.part,
                seq=frame.seq,
                count=frame.count,
            )
