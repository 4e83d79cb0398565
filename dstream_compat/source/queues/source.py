"""queueStream: one RDD or list per batch.

Decision 0067: Items of a queue are read together.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, ClassVar, Final, NamedTuple

from pyspark import RDD, SparkConf, SparkContext

from ...storage.spool import Spool
from ...wire import errors
from ...wire.frames import RECORDS, chunks
from ...worker.reading.entries import Chunk
from ..base import Demand, Input, InputInfo, Items, Planned, Source, Timeline
from .lists import parallelize
from .rdd_items import Read, is_plain, read_rdds

_LOG = logging.getLogger("dstream_compat")


class UnreadableRDD(NamedTuple):
    """An RDD that could not be read before it was saved, with the captured error."""

    rdd: RDD[Any]
    error: bytes


Queued = RDD[Any] | Read | UnreadableRDD
"""An item of the queue; the error of one that an earlier process could not read."""


def _pickle_partition(records: Iterable[Any]) -> Iterator[list[tuple[int, bytes]]]:
    yield list(chunks(records))


def rdd_partitions(rdd: RDD[Any]) -> list[Items]:
    """Return the records of an RDD as planned chunks, its partitions kept."""
    parts = rdd.mapPartitions(_pickle_partition).collect()
    return [tuple(Chunk(RECORDS, count, data) for count, data in part) for part in parts]


def queue_of(
    sc: SparkContext, rdds: Iterable[Any], default: Any
) -> tuple[list[Queued], Queued | None]:
    """Return what the arguments of ``queueStream`` stand for: the queue, and what follows it.

    As in PySpark, the first item says whether all of them are RDDs or lists, and both the records
    of lists and the functions of RDDs are pickled here.

    Parameters
    ----------
    sc : SparkContext
        whose parallelism lists are cut by
    rdds : iterable
        RDDs or lists
    default : RDD or list, optional
        an empty list stands for none

    Raises
    ------
    IndexError
        if the queue is empty and there is no default
    AttributeError, TypeError
        if there are both RDDs and lists in the queue
    pickle.PicklingError
        if a record or a function cannot be pickled
    """
    rdds = list(rdds)
    following = default if isinstance(default, RDD) or not default else parallelize(sc, default)
    if following and not rdds:
        rdds = [[]]
    if not isinstance(rdds[0], RDD):
        rdds = [parallelize(sc, item) for item in rdds]
    else:
        for rdd in rdds:
            _ = rdd._jrdd  # pickles its functions
    if isinstance(following, RDD):
        _ = following._jrdd
    return rdds, following or None


@dataclass(frozen=True, eq=False)
class QueueSource(Source):
    """A queue of RDDs and of lists.

    An RDD is read when a batch takes it. It cannot be saved with a graph, so before that all of
    them are read, in few jobs, and the graph has their records.

    Parameters
    ----------
    queue : sequence
        see ``queued``
    one : bool
        one item per batch, or all of them at once
    default : RDD or list of Items, optional
        what batches get once the queue is empty
    """

    queue: Sequence[Queued]
    one: bool
    default: Queued | None
    shown_as: ClassVar[str] = "Queue stream"

    @property
    def label(self) -> str:
        return "queueStream"

    def items(self) -> list[RDD[Any] | Read | None]:
        """Return what batches get, item by item; then the default, if there is one."""
        items = (*self.queue, self.default)
        return [item.rdd if isinstance(item, UnreadableRDD) else item for item in items]

    def name_of(self, number: int) -> str:
        """Return how errors call an item; the number behind the last one is that of the default."""
        if number < len(self.queue):
            return f"item {number} of a queueStream, counted from 0,"
        return "the default of a queueStream"

    def savable_source(self, sc: SparkContext) -> QueueSource:
        """Return a queue of records; an RDD that cannot be read is tried again in its turn."""
        items = self.items()
        numbers = {number: item for number, item in enumerate(items) if isinstance(item, RDD)}
        saved: list[Queued | None] = list(items)
        reads = read_rdds(sc, list(numbers.values()))
        for (number, rdd), read in zip(numbers.items(), reads, strict=True):
            saved[number] = UnreadableRDD(rdd, read) if isinstance(read, bytes) else read
            if isinstance(read, bytes):
                _LOG.warning(
                    "%s cannot be read: %s. Its batch tries again, unless the job is restarted "
                    "first: then that batch fails",
                    self.name_of(number),
                    errors.load(read).summary,
                )
        *queue, default = saved
        return QueueSource([item for item in queue if item is not None], self.one, default)

    def open(
        self, conf: SparkConf, interval: int, spool: Spool | None, demand: Demand
    ) -> QueueInput:
        return QueueInput(self, demand)

    def __getstate__(self) -> dict[str, Any]:
        *queue, default = (
            self._lost_error(number, item) if isinstance(item, UnreadableRDD) else item
            for number, item in enumerate((*self.queue, self.default))
        )
        return {"queue": queue, "one": self.one, "default": default}

    def _lost_error(self, number: int, unread: UnreadableRDD) -> bytes:
        """Return the error that a saved graph has of an RDD that could not be read."""
        error = errors.load(unread.error)
        text = (
            f"{self.name_of(number)} is an RDD that could not be read when the job was started, "
            f"and cannot be computed after a recovery. The error was:\n{error.text}"
        )
        return errors.dump(error._replace(text=text))


_LOG = logging.getLogger("dstream_compat")
_NOTHING: Final[list[Items]] = [()]
"""An empty RDD with one partition."""
_AHEAD: Final = 10
"""Items that are read ahead where that runs no function of the user: a job for each is slower."""


class QueueInput(Input):
    """Gives the items of a queue to the batches that outputs need.

    Parameters
    ----------
    source : QueueSource
        the queue
    demand : Demand
        which batches outputs need
    """

    def __init__(self, source: QueueSource, demand: Demand) -> None:
        super().__init__(source.label)
        self._source = source
        self._one = source.one
        self._demand = demand
        self._items = source.items()
        """The queue, then its default, each until it is read for good."""
        self._ahead: dict[int, Read] = {}
        self._zero = 0

    def start(self, timeline: Timeline) -> None:
        self._zero = timeline.zero
        for number, lost in enumerate(self._items):
            if isinstance(lost, bytes):
                name = self._source.name_of(number)
                _LOG.warning("%s is lost: %s", name, errors.load(lost).summary)

    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, Planned]:
        """Read the next item for each batch that an output needs."""
        numbers = {tick: self._numbers(tick - self._zero) for tick in ticks}
        reads = iter(self._read_items(sc, list(chain.from_iterable(numbers.values()))))
        return {tick: _unite(list(islice(reads, len(some)))) for tick, some in numbers.items()}

    def input_info(self, tick: int, parts: Sequence[Items]) -> InputInfo | None:
        """Return None: as with DStreams, events do not mention queues."""
        return None

    @property
    def _default(self) -> int:
        """The number of the default, behind those of the queue."""
        return len(self._items) - 1

    def _numbers(self, time: int) -> Sequence[int]:
        """Return the items that a batch takes."""
        count = self._default
        place = self._demand.place(time, count)
        if place is None:
            return ()
        if self._one and place < count:
            return (place,)
        if not self._one and place == 0 and count:
            return range(count)
        return () if self._items[count] is None else (count,)

    def _read_items(self, sc: SparkContext, numbers: Sequence[int]) -> list[Read]:
        """Return what some items have, and read some more if that saves jobs."""
        items = [self._ahead.pop(number, self._items[number]) for number in numbers]
        missing = [n for n, item in zip(numbers, items, strict=True) if isinstance(item, RDD)]
        ahead = self._plain_after(missing)
        rdds = (self._items[number] for number in (*missing, *ahead))
        reads = read_rdds(sc, [rdd for rdd in rdds if isinstance(rdd, RDD)])
        for number, read in zip(ahead, reads[len(missing) :], strict=True):
            if isinstance(read, list):  # else it is tried again in its turn
                self._ahead[number] = read
        default = self._items[self._default]
        if self._default in missing and isinstance(default, RDD) and is_plain(default):
            self._items[self._default] = reads[len(missing) - 1]
        fresh = iter(reads)
        return [next(fresh) if isinstance(item, RDD) else item for item in items]  # type: ignore[misc]

    def _plain_after(self, missing: Sequence[int]) -> list[int]:
        """Return the next items, if they and those that are missing are lists in disguise."""
        plain: list[int] = []
        if missing:
            for number in range(missing[-1], min(missing[-1] + _AHEAD, self._default)):
                if not isinstance(item := self._items[number], RDD) or not is_plain(item):
                    break
                plain.append(number)
        return [number for number in plain[1:] if number not in self._ahead]


def _unite(reads: Sequence[Read]) -> list[Items] | bytes:
    """Return the partitions of all items that a batch takes, or the first error among them."""
    parts: list[Items] = []
    for read in reads:
        if isinstance(read, bytes):
            return read
        parts += read
    return parts if reads else _NOTHING
