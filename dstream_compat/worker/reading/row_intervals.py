"""Assigns the rows of a table to intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from ...wire.frames import Intervals

Times = Callable[[pa.RecordBatch, Intervals], Any]
"""Gives the time of each row, as a NumPy array of milliseconds since the epoch."""


def cut(
    batches: Iterable[pa.RecordBatch], intervals: Intervals, times: Times
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Cut rows by the batch time that they belong to.

    That is the interval of the row's time, within those of the micro-batch, and never before that
    of an earlier row.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch
        rows of one task, none of them empty
    intervals : Intervals
        the intervals of the micro-batch
    times : callable
        gives the rows' times
    """
    earliest = intervals.lo + intervals.interval
    for batch in batches:
        if earliest == intervals.hi:
            yield intervals.hi, batch
            continue
        millis = times(batch, intervals)
        ticks = np.clip(
            -(-millis // intervals.interval) * intervals.interval, earliest, intervals.hi
        )
        ticks = np.maximum.accumulate(ticks)
        earliest = int(ticks[-1])
        edges = [0, *(np.flatnonzero(np.diff(ticks)) + 1).tolist(), len(ticks)]
        for begin, end in pairwise(edges):
            yield int(ticks[begin]), batch.slice(begin, end - begin)


def by_interval(
    batches: Iterable[pa.RecordBatch], intervals: Intervals, times: Times
) -> Iterator[tuple[int, Iterator[pa.RecordBatch]]]:
    """Group what ``cut`` gives; each group is read before the next one."""
    for tick, group in groupby(cut(batches, intervals, times), lambda found: found[0]):
        yield tick, (batch for _, batch in group)
