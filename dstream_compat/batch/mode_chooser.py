"""Decides whether a micro-batch is computed in one task or in several."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Final

from ..intervals.scheduler import Work
from ..settings import AUTO, EXECUTION, ONE_TASK, STAGES
from ..worker.reading.entries import (
    Chunk,
    Entry,
    FixedFile,
    HadoopFile,
    Item,
    Numbers,
    Partition,
    Pickled,
    TextFile,
)
from ..worker.reading.kinesis_range import KinesisRange
from .execution_mode import ExecutionMode

MOST_PLANNED: Final = 256 << 10
"""Bytes that one task reads at most."""
_MOST_RESULT: Final = 4 << 20
"""Bytes that the micro-batch before may have given."""
_MOST_SECONDS: Final = 0.2
"""What a second task costs: functions that take longer are given it."""
_COMPRESSED: Final = 20
_UNKNOWN: Final = MOST_PLANNED + 1


class ModeChooser:
    """Decides for each micro-batch, by the times of earlier ones.

    Parameters
    ----------
    mode : str
        what the user asks for
    hindrance : str, optional
        why a query can never run in one task
    spread : bool
        the job asks for several tasks (``repartition``): one is not tried before it is known
        that its functions are fast
    """

    def __init__(self, mode: str, hindrance: str | None, spread: bool) -> None:
        self._mode = mode
        self._hindrance = hindrance
        self._seconds_per_byte = 0.0
        self._least_seconds = _MOST_SECONDS + 1 if spread else 0.0
        self._result = 0

    def choose(self, work: Work) -> ExecutionMode:
        """Return how to compute a micro-batch."""
        if self._hindrance is not None:
            return ExecutionMode(STAGES, self._hindrance)
        if self._mode != AUTO:
            return ExecutionMode(self._mode, f"{EXECUTION} says so")
        planned = planned_bytes(entry for task in work.tasks for entry in task)
        if planned > MOST_PLANNED:
            return ExecutionMode(STAGES, f"it reads more than {MOST_PLANNED >> 10} KiB")
        if self._result > _MOST_RESULT:
            return ExecutionMode(STAGES, f"the last one gave more than {_MOST_RESULT >> 20} MiB")
        expected = max(self._least_seconds, planned * self._seconds_per_byte)
        if expected > _MOST_SECONDS:
            return ExecutionMode(STAGES, f"its functions need about {expected:.1f} s")
        return ExecutionMode(ONE_TASK, f"it reads {planned} bytes")

    def note(self, work: Work, seconds: float, result: int) -> None:
        """Note what a micro-batch took.

        Parameters
        ----------
        work : Work
            the micro-batch
        seconds : float
            for how long workers computed it
        result : int
            bytes that they gave
        """
        if not work.intervals.hi:
            return  # workers had to start
        intervals = max(len(work.intervals.ticks()), 1)
        planned = planned_bytes(entry for task in work.tasks for entry in task)
        self._result = result
        if planned:
            self._seconds_per_byte = seconds / planned
            self._least_seconds = 0.0
        elif seconds / intervals <= _MOST_SECONDS:
            self._least_seconds = 0.0


def planned_bytes(entries: Iterable[Entry]) -> int:
    """Return how many bytes of data entries stand for."""
    items = (item for entry in entries if isinstance(entry, Partition) for item in entry.items)
    return sum(map(_size, items))


def _size(item: Item) -> int:
    match item:
        case Chunk(payload=payload):
            return len(payload)
        case Pickled(batches=batches):
            return sum(map(len, batches))
        case Numbers(values=values):
            return 8 * len(values)
        case TextFile(split=split) | FixedFile(split=split) | HadoopFile(split=split):
            if split.end is not None:
                return split.end - split.start
            return _unpacked_size(item.path) if not isinstance(item, HadoopFile) else _UNKNOWN
        case KinesisRange():
            return _UNKNOWN


def _unpacked_size(path: str) -> int:
    """Return how large a compressed file may be."""
    try:
        return _COMPRESSED * os.path.getsize(path)
    except OSError:
        return 0  # the task will say what is wrong with it
