"""Initial state of operators, as frames that the first micro-batch carries."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pyspark import RDD, SparkContext

from ..engine.frames import INITIAL, chunks, pack
from ..graph import ShuffleNode
from ..ops.hashing import key_hash
from ..source.spool import unpickled
from ..storage import storage_for


class InitialState:
    """The initial states of all operators of a query.

    Parameters
    ----------
    nodes : tuple of ShuffleNode
        operators whose ``initial`` is an RDD of (key, state) pairs; none in a recovered job
    sc : SparkContext
        the user's context
    kept : str, optional
        path of a file for a recovered job, where a replayed micro-batch may need them
    """

    def __init__(self, nodes: tuple[ShuffleNode, ...], sc: SparkContext, kept: str | None) -> None:
        self._nodes = nodes
        self._sc = sc
        self._kept = kept

    def keep(self) -> None:
        """Write the file of a new job, if there is to be one."""
        if self._kept is not None:
            storage_for(self._sc, self._kept).write(self._kept, pickle.dumps(self._compute(), 5))

    def frames(self) -> list[bytes]:
        """Return the frames of all operators' initial states."""
        if self._kept is None:
            return self._compute()
        found: list[bytes] = unpickled(
            self._kept, storage_for(self._sc, self._kept).read(self._kept)
        )
        return found

    def _compute(self) -> list[bytes]:
        frames: list[bytes] = []
        for node in self._nodes:
            op = node.op
            partition_of: Callable[[Any], int] = getattr(op, "partition_of", key_hash)
            pairs: RDD[Any] = node.initial
            placed = pairs.partitionBy(op.partitions, partition_of)
            frames += placed.mapPartitionsWithIndex(_pack_partition(node.id)).collect()
        return frames


def _pack_partition(node: int) -> Callable[[int, Iterable[Any]], Iterator[bytes]]:
    def pack_partition(part: int, pairs: Iterable[Any]) -> Iterator[bytes]:
        for seq, (count, payload) in enumerate(chunks(pairs)):
            yield pack(INITIAL, node, 0, (part,), payload, part=part, seq=seq, count=count)

    return pack_partition
