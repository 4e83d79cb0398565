"""queueStream: one RDD or list per batch."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final

from pyspark import RDD, SparkContext

from ...wire import errors
from ...wire.frames import RECORDS, chunks
from ...worker.reading.entries import Chunk
from ..base import Demand, InputInfo, Items, Planned, Source, Timeline
from .lists import parallelized
from .rdd_items import Read, is_plain, read_rdds

_LOG = logging.getLogger("dstream_compat")
_NOTHING: Final[list[Items]] = [()]
"""An empty RDD with one partition."""
_AHEAD: Final = 10
"""Items that are read ahead where that runs no function of the user: a job for each is slower."""

Queued = RDD[Any] | Read
"""An item of the queue; the error of one that an earlier process could not read."""


def _pickle_partition(records: Iterable[Any]) -> Iterator[list[tuple[int, bytes]]]:
    yield list(chunks(records))


def rdd_partitions(rdd: RDD[Any]) -> list[Items]:
    """Return the records of an RDD as planned chunks, its partitions kept."""
    parts = rdd.mapPartitions(_pickle_partition).collect()
    return [tuple(Chunk(RECORDS, count, data) for count, data in part) for part in parts]


def queued(
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
    following = default if isinstance(default, RDD) or not default else parallelized(sc, default)
    if following and not rdds:
        rdds = [[]]
    if not isinstance(rdds[0], RDD):
        rdds = [parallelized(sc, item) for item in rdds]
    else:
        for rdd in rdds:
            _ = rdd._jrdd  # pickles its functions
    if isinstance(following, RDD):
        _ = following._jrdd
    return rdds, following or None


class QueueSource(Source):
    """A queue of RDDs and of lists.

    An RDD is read when a batch takes it. It cannot be saved with a graph, so before that all of
    them are read, in few jobs, and the graph has their records.

    Parameters
    ----------
    queue : list
        see ``queued``
    one_at_a_time : bool
        one item per batch, or all of them at once
    default : RDD or list of Items, optional
        what batches get once the queue is empty
    """

    shown_as = "Queue stream"
    label = "queueStream"

    def __init__(
        self, queue: Sequence[Queued], one_at_a_time: bool, default: Queued | None
    ) -> None:
        self._queue = list(queue)
        self._one = one_at_a_time
        self._default = default
        self._zero = 0
        self._init_runtime()

    def _init_runtime(self) -> None:
        self._demand: Demand | None = None
        self._ahead: dict[int, Read] = {}
        self._failed: dict[int, bytes] = {}

    def __getstate__(self) -> dict[str, Any]:
        *queue, default = map(self._saved, range(len(self._queue) + 1))
        return {"_queue": queue, "_one": self._one, "_default": default, "_zero": self._zero}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._init_runtime()

    def _saved(self, number: int) -> Read | None:
        """Return what a saved graph has of an item: of an RDD that could not be read, an error."""
        item: Queued | None = self._item(number)
        if not isinstance(item, RDD):
            return item
        error = errors.load(self._failed[number])
        text = (
            f"{self._name(number)} is an RDD that could not be read when the job was started, and "
            f"cannot be computed after a recovery. The error was:\n{error.text}"
        )
        return errors.dump(error._replace(text=text))

    def follow(self, demand: Demand) -> None:
        self._demand = demand

    def prepare(self, sc: SparkContext) -> None:
        """Read all RDDs; one that fails is tried again in its turn."""
        count = len(self._queue)
        numbers = [n for n in range(count + 1) if isinstance(self._item(n), RDD)]
        for number, read in zip(numbers, self._read_now(sc, numbers), strict=True):
            if isinstance(read, bytes):
                self._failed[number] = read
                _LOG.warning(
                    "%s cannot be read: %s. Its batch tries again, unless the job is restarted "
                    "first: then that batch fails",
                    self._name(number),
                    errors.load(read).summary,
                )
            elif number < count:
                self._queue[number] = read
            else:
                self._default = read

    def start(self, timeline: Timeline) -> None:
        self._zero = timeline.zero
        for number in range(len(self._queue) + 1):
            if isinstance(lost := self._item(number), bytes):
                _LOG.warning("%s is lost: %s", self._name(number), errors.load(lost).summary)

    def plan(self, sc: SparkContext, ticks: Sequence[int]) -> dict[int, Planned]:
        """Read the next item for each batch that an output needs."""
        wanted = {tick: self._numbers(tick - self._zero) for tick in ticks}
        reads = iter(self._read(sc, list(chain.from_iterable(wanted.values()))))
        return {tick: _united(list(islice(reads, len(some)))) for tick, some in wanted.items()}

    def input_info(self, tick: int, parts: Sequence[Items]) -> InputInfo | None:
        """Return None: as with DStreams, events do not mention queues."""
        return None

    def _numbers(self, time: int) -> Sequence[int]:
        """Return the items that a batch takes; the number behind the last one is the default."""
        assert self._demand is not None, "a job tells its sources what outputs need"
        count = len(self._queue)
        place = self._demand.place(time, count)
        if place is None:
            return ()
        if self._one and place < count:
            return (place,)
        if not self._one and place == 0 and count:
            return range(count)
        return () if self._default is None else (count,)

    def _item(self, number: int) -> Any:
        """Return what ``Queued`` stands for; None if it is the default and there is none."""
        return self._queue[number] if number < len(self._queue) else self._default

    def _name(self, number: int) -> str:
        """Return how errors call an item."""
        if number < len(self._queue):
            return f"item {number} of a queueStream, counted from 0,"
        return "the default of a queueStream"

    def _read(self, sc: SparkContext, numbers: Sequence[int]) -> list[Read]:
        """Return what some items have, and read some more if that saves jobs."""
        items = [self._ahead.pop(number, self._item(number)) for number in numbers]
        missing = [n for n, item in zip(numbers, items, strict=True) if isinstance(item, RDD)]
        ahead = self._plain_after(missing)
        reads = self._read_now(sc, [*missing, *ahead])
        for number, read in zip(ahead, reads[len(missing) :], strict=True):
            if isinstance(read, list):  # else it is tried again in its turn
                self._ahead[number] = read
        if len(self._queue) in missing and is_plain(self._item(len(self._queue))):
            self._default = reads[len(missing) - 1]
        fresh = iter(reads)
        return [next(fresh) if isinstance(item, RDD) else item for item in items]

    def _plain_after(self, missing: Sequence[int]) -> list[int]:
        """Return the next items, if they and those that are missing are lists in disguise."""
        found: list[int] = []
        if missing:
            for number in range(missing[-1], min(missing[-1] + _AHEAD, len(self._queue))):
                if not isinstance(item := self._queue[number], RDD) or not is_plain(item):
                    break
                found.append(number)
        return [number for number in found[1:] if number not in self._ahead]

    def _read_now(self, sc: SparkContext, numbers: Sequence[int]) -> list[Read]:
        return read_rdds(sc, [item for n in numbers if isinstance(item := self._item(n), RDD)])


def _united(reads: Sequence[Read]) -> list[Items] | bytes:
    """Return the partitions of all items that a batch takes, or the first error among them."""
    parts: list[Items] = []
    for read in reads:
        if isinstance(read, bytes):
            return read
        parts += read
    return parts if reads else _NOTHING
