"""What the driver tells the tasks of a micro-batch: by local properties, which Spark carries."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pyspark import SparkContext, TaskContext

from .frames import Clock

_CLOCK: Final = "dstream_compat.clock"
_RANGES: Final = "dstream_compat.ranges"

Ranges = Mapping[str, Any]
"""What is told about a table's part of a micro-batch, as JSON values; most need nothing."""


def tell(sc: SparkContext, clock: Clock, ranges: Sequence[Ranges]) -> None:
    """Tell the tasks of all jobs that this thread starts from now on.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    clock : Clock
        the intervals of the micro-batch
    ranges : sequence of mapping
        one for each table of the query
    """
    sc.setLocalProperty(_CLOCK, json.dumps(clock))
    sc.setLocalProperty(_RANGES, json.dumps(ranges))


def task_clock() -> Clock:
    """Return the clock of the micro-batch that the current task belongs to."""
    return Clock(*json.loads(_property(_CLOCK)))


def task_ranges() -> Sequence[Ranges]:
    """Return what the driver told about each table of the micro-batch."""
    told: list[Ranges] = json.loads(_property(_RANGES))
    return told


def _property(name: str) -> str:
    context = TaskContext.get()
    value = None if context is None else context.getLocalProperty(name)
    if value is None:
        raise RuntimeError(f"the task was not told {name}")
    return value
