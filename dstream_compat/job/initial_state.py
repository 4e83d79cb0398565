"""Initial state of operators, which the tasks of the first micro-batch read.

Decision 0142: Executors read the states of old checkpoints.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator

from pyspark import SparkContext

from ..plan.compile import Plan
from ..storage.files import storage_for
from ..storage.spool import unpickle
from ..wire.frames import INITIAL, chunks, pack, unpack
from ..worker.reading.entries import Entry, InitialPart, StoredPairs

_Part = tuple[int, bytes | StoredPairs]
"""A number of an operator, and a part of its state: where it is stored, or a frame of it."""


class InitialState:
    """The initial states of all operators of a query.

    Parameters
    ----------
    plan : Plan
        of the query; in a recovered job its operators have none
    sc : SparkContext
        the user's context
    path : str, optional
        of a file for a recovered job, where a replayed micro-batch may need them
    committed : callable
        whether Spark has committed the first micro-batch, so that it is not replayed
    """

    def __init__(
        self, plan: Plan, sc: SparkContext, path: str | None, committed: Callable[[], bool]
    ) -> None:
        self._states = plan.initial
        self._ops = {op.number: op.node for s in plan.slot_stages for op in s.ops if op.stateful}
        self._numbers = {node: number for number, node in self._ops.items()}
        self._sc = sc
        self._kept = path
        self._committed = committed

    def needs_jvm(self) -> bool:
        """Return whether only a JVM can read a part of it."""
        parts: list[bytes | StoredPairs] = [p for s in self._states.values() for p in s.parts]
        if self._kept is not None and not self._committed():
            storage = storage_for(self._sc, self._kept)
            if storage.exists(self._kept):
                parts += [part for _, part in self._load(self._kept)]
        return any(not isinstance(part, bytes) and part.by_jvm for part in parts)

    def keep(self) -> None:
        """Write the file of a new job, if there is to be one."""
        if self._kept is not None:
            data = pickle.dumps(self._compute(), 5)
            storage_for(self._sc, self._kept).write(self._kept, data)

    def entries(self) -> list[Entry]:
        """Return what tasks read."""
        parts = self._compute() if self._kept is None else self._load(self._kept)
        # In the current code, operators may have other ids than when the file was written.
        return [
            _frame_for(self._ops[number], part)
            if isinstance(part, bytes)
            else InitialPart(self._ops[number], place, part)
            for place, (number, part) in enumerate(parts)
        ]

    def _load(self, path: str) -> list[_Part]:
        parts: list[_Part] = unpickle(path, storage_for(self._sc, path).read(path))
        return parts

    def _compute(self) -> list[_Part]:
        parts: list[_Part] = []
        for node, pairs in self._states.items():
            read = pairs.parts or pairs.rdd.mapPartitionsWithIndex(_frames(node.id)).collect()
            parts += [(self._numbers[node.id], part) for part in read]
        return parts


def _frame_for(node: int, data: bytes) -> bytes:
    frame = unpack(data)
    if frame.node == node:
        return data
    return pack(INITIAL, node, frame.tick, frame.src, frame.payload, count=frame.count)


def _frames(node: int) -> Callable[[int, Iterable[object]], Iterator[bytes]]:
    def frames_of(part: int, pairs: Iterable[object]) -> Iterator[bytes]:
        for number, (count, payload) in enumerate(chunks(pairs)):
            yield pack(INITIAL, node, 0, (part, number), payload, count=count)

    return frames_of
