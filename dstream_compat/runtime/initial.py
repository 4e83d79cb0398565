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


def initial_frames(
    nodes: tuple[ShuffleNode, ...], sc: SparkContext, kept: str | None
) -> list[bytes]:
    """Return the frames of all operators' initial states.

    Parameters
    ----------
    nodes : tuple of ShuffleNode
        operators whose ``initial`` is an RDD of (key, state) pairs; none in a recovered job
    sc : SparkContext
        the user's context
    kept : str, optional
        path of a file that keeps the frames for a recovered job
    """
    if kept is not None and not nodes:
        storage = storage_for(sc, kept)
        found: list[bytes] = unpickled(kept, storage.read(kept)) if storage.exists(kept) else []
        return found
    frames: list[bytes] = []
    for node in nodes:
        op = node.op
        partition_of: Callable[[Any], int] = getattr(op, "partition_of", key_hash)
        pairs: RDD[Any] = node.initial
        placed = pairs.partitionBy(op.partitions, partition_of)
        frames += placed.mapPartitionsWithIndex(_pack_partition(node.id)).collect()
    if kept is not None:
        storage_for(sc, kept).write(kept, pickle.dumps(frames, 5))
    return frames


def _pack_partition(node: int) -> Callable[[int, Iterable[Any]], Iterator[bytes]]:
    def pack_partition(part: int, pairs: Iterable[Any]) -> Iterator[bytes]:
        for seq, (count, payload) in enumerate(chunks(pairs)):
            yield pack(INITIAL, node, 0, (part,), payload, part=part, seq=seq, count=count)

    return pack_partition
