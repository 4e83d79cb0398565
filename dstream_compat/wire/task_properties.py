"""Passes values from the driver to the tasks of a micro-batch, as Spark's local properties.

Decision 0072: Local properties hold neither records nor keys.
"""

from __future__ import annotations

import base64
import json
import pickle
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from pyspark import SparkContext, TaskContext

from .frames import Intervals

_BATCH: Final = "dstream_compat.batch"
_INTERVALS: Final = "dstream_compat.intervals"
_ENTRIES: Final = "dstream_compat.entries"
_RANGES: Final = "dstream_compat.ranges"
_STAGE: Final = "dstream_compat.secret.stage."
"""``spark.redaction.regex`` knows the second word: the event log is to hide what these have."""
ATTEMPTS: Final = "dstream_compat.attempts"
"""How many attempts Spark makes at a task."""

_OTHER_BATCH: Final = (
    "Spark would have to read the data of a batch again outside of that batch, which it cannot for "
    "streams of Kafka and of DataFrames: call cache() on an RDD that a later batch or another "
    "thread needs, and use it once in its own batch"
)

Stage = TypeVar("Stage")

Ranges = Mapping[str, Any]
"""What tasks know of a table's part of a micro-batch, as JSON values; most need nothing."""


class CarriedBroadcast:
    """A broadcast variable that came after the query began: it travels with the functions.

    Parameters
    ----------
    value : object
        what ``Broadcast.value`` gives
    """

    def __init__(self, value: Any) -> None:
        self.value = value


def set_table_ranges(sc: SparkContext, intervals: Intervals, ranges: Sequence[Ranges]) -> None:
    """Tell the tasks of all jobs that this thread starts from now on.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    intervals : Intervals
        the intervals of the micro-batch
    ranges : sequence of mapping
        one for each table of the query
    """
    sc.setLocalProperty(_INTERVALS, json.dumps(intervals))
    sc.setLocalProperty(_RANGES, json.dumps(ranges))


def set_batch_number(sc: SparkContext, number: int, tick: int | None = None) -> None:
    """Tell the tasks of all jobs that this thread starts from now on which micro-batch it is.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    number : int
        of the micro-batch
    tick : int, optional
        its first batch time, by which the Streaming tab finds the batch of a job
    """
    sc.setLocalProperty(_BATCH, f"{number}" if tick is None else f"{number} {tick}")


def task_batch_number() -> int:
    """Return the number of the micro-batch that the current task belongs to; -1 if it has none.

    A task that another thread starts, for an RDD of an earlier micro-batch, may see another one.
    """
    return int((_read(_BATCH) or "-1").split()[0])


def set_task_entries(sc: SparkContext, place: str, number: int, tasks: Sequence[bytes]) -> None:
    """Tell the tasks of this thread's next jobs what they read; nothing if that is empty.

    Spark's event log has all local properties in plain text.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    place : str
        which query it is
    number : int
        of the micro-batch
    tasks : sequence of bytes
        what each task reads, pickled; all of it travels in each task
    """
    texts = [base64.b64encode(data).decode() for data in tasks]
    text = json.dumps([place, number, texts]) if texts else None
    sc.setLocalProperty(_ENTRIES, text)  # type: ignore[arg-type]  # None removes it


def task_entries(place: str, number: int, task: int) -> bytes | None:
    """Return what a task of a micro-batch reads, pickled, if the driver sent it."""
    query, batch, texts = json.loads(_read(_ENTRIES) or "[null, null, []]")
    return base64.b64decode(texts[task]) if (query, batch) == (place, number) else None


def task_intervals() -> Intervals:
    """Return the intervals of the micro-batch that the current task belongs to."""
    return Intervals(*json.loads(_property(_INTERVALS)))


def check_intervals(intervals: Intervals) -> None:
    """Refuse to compute a micro-batch again while another one runs.

    Parameters
    ----------
    intervals : Intervals
        of the micro-batch that is computed

    Raises
    ------
    RuntimeError
        if the driver has sent another one: its tables would be read for that
    """
    if task_intervals() != intervals:
        raise RuntimeError(_OTHER_BATCH)


def task_table_ranges() -> Sequence[Ranges]:
    """Return what the driver sent about each table of the micro-batch."""
    ranges: list[Ranges] = json.loads(_property(_RANGES))
    return ranges


def stage_property(name: str) -> str:
    """Return the local property by which tasks are told what a part of a query is."""
    return _STAGE + name


def set_changed_stage(sc: SparkContext, name: str, data: bytes | None) -> int:
    """Tell the tasks of this thread's next jobs what a part is; returns the bytes in each of them.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    name : str
        of the part
    data : bytes, optional
        its pickle; None if it is what the query began with
    """
    text = None if data is None else base64.b64encode(zlib.compress(data, 1)).decode()
    sc.setLocalProperty(stage_property(name), text)  # type: ignore[arg-type]  # None removes it
    return len(text or "")


def changed_stage(name: str) -> Any:
    """Return a part of the current task's query if the driver sent another one, else None.

    It is a fresh one each time, as in all tasks of PySpark.
    """
    text = _read(stage_property(name))
    return None if text is None else pickle.loads(zlib.decompress(base64.b64decode(text)))


def current_stage(name: str, begun: Stage) -> Stage:
    """Return a part of the current task's query; ``begun`` is what the query began with."""
    changed = changed_stage(name)
    return begun if changed is None else changed


def _read(name: str) -> str | None:
    context = TaskContext.get()
    return None if context is None else context.getLocalProperty(name)


def _property(name: str) -> str:
    value = _read(name)
    if value is None:
        raise RuntimeError(_OTHER_BATCH)
    return value
