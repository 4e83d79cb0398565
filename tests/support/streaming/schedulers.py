"""Sources and micro-batches for schedulers without Spark."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

from dstream_compat.intervals.scheduler import Work
from dstream_compat.source.base import Input, Items
from dstream_compat.wire.frames import RECORDS
from dstream_compat.worker.reading.entries import Chunk, Partition


class Once(Input):
    """Gives each interval's records exactly once, as a socket does."""

    def __init__(self) -> None:
        super().__init__("once")
        self.asked: list[int] = []
        self.fail_next = False

    def plan(self, sc: Any, ticks: Sequence[int]) -> dict[int, list[Items]]:
        if self.fail_next:
            self.fail_next = False
            raise OSError("the folder cannot be listed")
        assert not set(ticks) & set(self.asked), "asked twice"
        self.asked += ticks
        return {tick: [(Chunk(RECORDS, 1, pickle.dumps([tick])),)] for tick in ticks}

    def memory(self) -> Any:
        return list(self.asked)

    def restore(self, memory: Any) -> None:
        self.asked = list(memory)


def ticks_of(work: Work | None) -> list[int]:
    assert work is not None
    entries = [entry for task in work.tasks for entry in task]
    return [entry.tick for entry in entries if isinstance(entry, Partition)]
