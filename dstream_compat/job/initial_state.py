"""Initial state of operators, as frames that the first micro-batch carries."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pyspark import SparkContext

from ..plan.compile import Plan
from ..storage.files import storage_for
from ..storage.spool import unpickle
from ..wire.frames import INITIAL, chunks, pack, unpack
from ..worker.operators.hashing import key_hash


class InitialState:
    """The initial states of all operators of a query.

    Parameters
    ----------
    plan : Plan
        of the query; in a recovered job its operators have none
    sc : SparkContext
        the user's context
    kept : str, optional
        path of a file for a recovered job, where a replayed micro-batch may need them
    """

    def __init__(self, plan: Plan, sc: SparkContext, path: str | None) -> None:
        self._states = plan.initial
        self._ops = {op.number: op.node for s in plan.slot_stages for op in s.ops if op.stateful}
        self._numbers = {node: number for number, node in self._ops.items()}
        self._sc = sc
        self._kept = path

    def keep(self) -> None:
        """Write the file of a new job, if there is to be one."""
        if self._kept is not None:
            data = pickle.dumps(self._compute(), 5)
            storage_for(self._sc, self._kept).write(self._kept, data)

    def frames(self) -> list[bytes]:
        """Return the frames of all operators' initial states."""
        if self._kept is None:
            frames = self._compute()
        else:
            frames = unpickle(self._kept, storage_for(self._sc, self._kept).read(self._kept))
        # In the current code, operators may have other ids than when the file was written.
        return [_for_node(data, self._ops[number]) for number, data in frames]

    def _compute(self) -> list[tuple[int, bytes]]:
        """Return frames with the numbers of their operators."""
        frames: list[tuple[int, bytes]] = []
        for node, pairs in self._states.items():
            op = node.op
            partition_of: Callable[[Any], int] = getattr(op, "partition_of", key_hash)
            placed = pairs.partitionBy(op.partitions, partition_of)
            packed = placed.mapPartitionsWithIndex(_pack_partition(node.id)).collect()
            frames += [(self._numbers[node.id], data) for data in packed]
        return frames


def _for_node(data: bytes, node: int) -> bytes:
    frame = unpack(data)
    if frame.node == node:
        return data
    place = {"part": frame.part, "seq": frame.seq, "count": frame.count}
    return pack(INITIAL, node, frame.tick, frame.src, frame.payload, **place)


def _pack_partition(node: int) -> Callable[[int, Iterable[Any]], Iterator[bytes]]:
    def pack_partition(part: int, pairs: Iterable[Any]) -> Iterator[bytes]:
        for seq, (count, payload) in enumerate(chunks(pairs)):
            yield pack(INITIAL, node, 0, (part,), payload, part=part, seq=seq, count=count)

    return pack_partition
