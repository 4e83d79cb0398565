"""A queue while a job runs."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from pyspark import RDD, SparkContext

from ...wire import errors
from ..base import Demand, Input, InputInfo, Items, Planned, Timeline
from .rdd_items import Read, is_plain, read_rdds

if TYPE_CHECKING:
    from .source import QueueSource

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
        wanted = {tick: self._numbers(tick - self._zero) for tick in ticks}
        reads = iter(self._read(sc, list(chain.from_iterable(wanted.values()))))
        return {tick: _united(list(islice(reads, len(some)))) for tick, some in wanted.items()}

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

    def _read(self, sc: SparkContext, numbers: Sequence[int]) -> list[Read]:
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
        found: list[int] = []
        if missing:
            for number in range(missing[-1], min(missing[-1] + _AHEAD, self._default)):
                if not isinstance(item := self._items[number], RDD) or not is_plain(item):
                    break
                found.append(number)
        return [number for number in found[1:] if number not in self._ahead]


def _united(reads: Sequence[Read]) -> list[Items] | bytes:
    """Return the partitions of all items that a batch takes, or the first error among them."""
    parts: list[Items] = []
    for read in reads:
        if isinstance(read, bytes):
            return read
        parts += read
    return parts if reads else _NOTHING
