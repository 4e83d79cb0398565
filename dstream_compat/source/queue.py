"""queueStream: one RDD or list per batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from pyspark import RDD, SparkContext

from ..engine import errors
from ..engine.frames import RECORDS, chunks
from .base import InputInfo, Items, Planned, Source, Timeline
from .reading import Chunk

if TYPE_CHECKING:
    from ..demand import Demand

_NOTHING: Final[list[Items]] = [()]
"""An empty RDD with one partition."""


def _pickle_partition(records: Iterable[Any]) -> Iterator[list[tuple[int, bytes]]]:
    yield list(chunks(records))


def rdd_partitions(rdd: RDD[Any]) -> list[Items]:
    """Return the records of an RDD as planned chunks, its partitions kept."""
    parts = rdd.mapPartitions(_pickle_partition).collect()
    return [tuple(Chunk(RECORDS, count, data) for count, data in part) for part in parts]


class QueueSource(Source):
    """A queue of RDDs.

    Parameters
    ----------
    rdds : list of RDD
        the queue
    one_at_a_time : bool
        one item per batch, or all of them at once
    default : RDD, optional
        what batches get once the queue is empty
    """

    label = "queueStream"

    def __init__(self, rdds: Sequence[Any], one_at_a_time: bool, default: Any | None) -> None:
        self._queue: list[Any] = list(rdds)
        self._one = one_at_a_time
        self._default = default
        self._zero = 0
        self._demand: Demand | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_demand": None}

    def follow(self, demand: Demand) -> None:
        """See the base class."""
        self._demand = demand

    def prepare(self, sc: SparkContext, durable: bool) -> None:
        """Compute the RDDs when the graph is to be saved: RDDs cannot be pickled."""
        if durable:
            self._queue = [self._read(item) for item in self._queue]
            if self._default is not None:
                self._default = self._read(self._default)

    def start(self, timeline: Timeline) -> None:
        """See the base class."""
        self._zero = timeline.zero

    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, Planned]:
        """See the base class; each batch that an output needs takes the next item."""
        return {tick: self._plan_at(self._place(tick - self._zero)) for tick in ticks}

    def _place(self, time: int) -> int | None:
        assert self._demand is not None, "a job tells its sources what outputs need"
        return self._demand.place(time, len(self._queue))

    def input_info(self, tick: int, parts: Sequence[Items]) -> InputInfo | None:
        """See the base class: as on the real engine, listeners are told nothing about queues."""
        return None

    def _plan_at(self, index: int | None) -> list[Items] | bytes:
        try:
            return _NOTHING if index is None else self._at(index)
        except errors.SPARK_ERRORS as error:  # of the user's code, in this interval's RDD
            return errors.dump(errors.capture_root(error))

    def _at(self, index: int) -> list[Items]:
        if self._one:
            if index < len(self._queue):
                return self._read(self._queue[index])
        elif index == 0 and self._queue:
            return [part for item in self._queue for part in self._read(item)]
        if self._default is not None:
            return self._read(self._default)
        return _NOTHING

    @staticmethod
    def _read(item: Any) -> list[Items]:
        return rdd_partitions(item) if isinstance(item, RDD) else item
