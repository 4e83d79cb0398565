"""The shards of a Kinesis stream: which are read, from where, and when.

Where tasks read, a shard is followed by samples: a small page, then the last record of what a task
is to read behind it, looked up by its arrival time. So the driver's work does not grow with the
data. The last record is one that was seen, so the range is exact whatever arrival times are; they
say only how long it is, see ``kinesis_range``.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Final

from ...worker.reading.kinesis_aggregation import HashRange, user_records
from ...worker.reading.kinesis_range import (
    BUSY_SECONDS,
    EXPIRED_ITERATOR,
    LEAST_BACKOFF,
    MOST_BACKOFF,
    READ_MOST,
    THROTTLED,
    Span,
)
from .leases import complete_leases
from .positions import AFTER, AT, END, LATEST, START, Position

_LOG = logging.getLogger("dstream_compat")
_IDLE_SECONDS: Final = 1.0
"""Between two reads of a shard that has nothing more, as in Kinesis's client library."""
_LOOK_SECONDS: Final = 30.0
_SAMPLE: Final = 100
"""Records that the driver reads at once where tasks read the others."""
_SPAN_BYTES: Final = 2 << 20
"""What a task should read for each second: Kinesis gives 2 MB of a shard."""
_TAIL_SECONDS: Final = 0.3
"""What came last is left for the next sample: it may just be becoming visible."""
_TRIES: Final = 3
_IN_FUTURE: Final = ("InvalidArgumentException",)
"""What Kinesis says to a time that its clock has not reached; arrival times may be wrong."""

Take = Callable[[dict[str, Position], list[bytes], Span | None], None]
"""Is given the position behind records of a shard, or behind a span, or positions of new shards."""


@dataclass
class _Shard:
    name: str
    parents: tuple[str, ...]
    hashes: HashRange
    closed: bool
    iterator: str | None = None
    due: float = 0.0
    backoff: float = 0.0
    whole_page: bool = False


@dataclass(eq=False)
class Shards:
    """Reads the shards of a stream; those that came of a split or merge after their parents.

    Parameters
    ----------
    client : object
        boto3's Kinesis client
    stream : str
        the stream's name
    initial : str
        ``LATEST`` or ``START``, for a stream of which no position is known
    positions : dict
        shard to position; goes on as records are taken
    take : callable
        see ``Take``
    most : callable
        returns how many records to ask for at most
    spans : bool
        whether tasks read what is more than a sample; then ``most`` has nothing to limit
    leases : mapping
        where Kinesis's client library stood, which counts before ``initial``
    """

    client: Any
    stream: str
    initial: str
    positions: dict[str, Position]
    take: Take
    most: Callable[[], int | None]
    spans: bool = False
    leases: Mapping[str, Position] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._shards: dict[str, _Shard] = {}
        self._listed = -_LOOK_SECONDS

    def use(self, client: Any) -> None:
        """Go on with another client."""
        self.client = client

    def look(self) -> None:
        """Find out which shards there are."""
        self._listed = time.monotonic()
        fresh = not self.positions
        shards = {shard.name: shard for shard in self._list()}
        for name, shard in self._shards.items():
            if name in shards:
                now = shards[name]
                now.iterator, now.due, now.backoff = shard.iterator, shard.due, shard.backoff
        new = [shard for shard in shards.values() if shard.name not in self.positions]
        if new:  # all of them together: a shard that is found later is the child of another one
            parents = {shard.name: shard.parents for shard in shards.values()}
            leased = complete_leases(self.leases, parents, self.stream) if fresh else {}
            begins = {
                shard.name: leased.get(shard.name, (self.initial if fresh else START, None))
                for shard in new
            }
            self._go({shard.name: self._begin(shard, begins[shard.name]) for shard in new})
        for name in [name for name in self.positions if name not in shards]:
            kind, _ = self.positions.pop(name)
            if kind != END:
                _LOG.warning(
                    "shard %s of stream %s is gone: records that were not read in time are lost",
                    name,
                    self.stream,
                )
        self._shards = shards

    def read(self, stopped: threading.Event) -> float:
        """Read every shard that is due; returns the seconds until another one is."""
        if time.monotonic() - self._listed >= _LOOK_SECONDS:
            self.look()
        for shard in list(self._open()):
            if shard.due <= time.monotonic() and not stopped.is_set():
                self._read(shard)
        dues = [shard.due for shard in self._open()]
        return max(min(dues, default=self._listed + _LOOK_SECONDS) - time.monotonic(), 0.0)

    def _list(self) -> Iterator[_Shard]:
        for page in self.client.get_paginator("list_shards").paginate(StreamName=self.stream):
            for entry in page["Shards"]:
                hashes, numbers = entry["HashKeyRange"], entry["SequenceNumberRange"]
                names = entry.get("ParentShardId"), entry.get("AdjacentParentShardId")
                yield _Shard(
                    entry["ShardId"],
                    tuple(name for name in names if name),
                    (int(hashes["StartingHashKey"]), int(hashes["EndingHashKey"])),
                    "EndingSequenceNumber" in numbers,
                )

    def _begin(self, shard: _Shard, position: Position) -> Position:
        """Return where a shard begins, with the tip as a time."""
        if position[0] != LATEST:
            return position
        if shard.closed:
            return END, None
        # Where the tip is now is remembered as a time: a restart goes on there, even if nothing was
        # read until then.
        shard.iterator, at = self._iterator(shard.name, (LATEST, None))
        return AT, at

    def _open(self) -> Iterator[_Shard]:
        for shard in self._shards.values():
            kind, _ = self.positions[shard.name]
            if kind != END and all(map(self._is_finished, shard.parents)):
                yield shard

    def _is_finished(self, name: str) -> bool:
        """Return whether a parent was read to its end, or is gone."""
        return name not in self._shards or self.positions[name][0] == END

    def _go(
        self,
        positions: dict[str, Position],
        records: Sequence[bytes] = (),
        span: Span | None = None,
    ) -> None:
        if records or span:  # what could not be given is read again
            self.take(positions, list(records), span)
        # Before a new shard is given, it is known: one that is not counts as gone.
        self.positions.update(positions)
        if not records and not span:
            self.take(positions, [], None)

    def _read(self, shard: _Shard) -> None:
        from botocore.exceptions import ClientError

        try:
            pause = self._read_page(shard)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code")
            if code in EXPIRED_ITERATOR:
                shard.iterator = None  # the next one is made from the position
            elif code in THROTTLED:
                shard.backoff = min(max(2 * shard.backoff, LEAST_BACKOFF), MOST_BACKOFF)
                shard.due = time.monotonic() + shard.backoff
                _LOG.info("%s: %s; waiting %g s", shard.name, code, shard.backoff)
            else:
                raise
            return
        shard.backoff = 0.0
        shard.due = time.monotonic() + pause

    def _read_page(self, shard: _Shard) -> float:
        """Read some records of a shard; returns how long to wait before the next read."""
        if shard.iterator is None:
            shard.iterator, _ = self._iterator(shard.name, self.positions[shard.name])
        sample = self.spans and not shard.whole_page
        most = _SAMPLE if sample else min(self.most() or READ_MOST, READ_MOST)
        answer = self.client.get_records(ShardIterator=shard.iterator, Limit=most)
        for record in answer["Records"]:
            records = user_records(record["Data"], shard.hashes)
            self._go({shard.name: (AFTER, record["SequenceNumber"])}, records)
        self._step(shard, answer)
        behind = answer.get("MillisBehindLatest", 0) / 1000
        if sample and behind > _TAIL_SECONDS and answer["Records"] and shard.iterator is not None:
            shard.whole_page = not self._skip(shard, answer["Records"], behind)
            return BUSY_SECONDS if shard.whole_page else _IDLE_SECONDS
        shard.whole_page = False
        return BUSY_SECONDS if behind else _IDLE_SECONDS

    def _step(self, shard: _Shard, answer: Any) -> None:
        """Go behind what was read, which may be the end of the shard."""
        shard.iterator = answer.get("NextShardIterator")
        if shard.iterator is None:
            self._go({shard.name: (END, None)})
            self._listed -= _LOOK_SECONDS  # its children are to be found

    def _skip(self, shard: _Shard, page: Sequence[Any], behind: float) -> bool:
        """Leave what follows a page to a task; returns whether a last record for it was found.

        Parameters
        ----------
        shard : _Shard
            what is read
        page : sequence of dict
            the records read last
        behind : float
            seconds between the last of them and the newest one
        """
        last = page[-1]["SequenceNumber"]
        begin, end = (page[i]["ApproximateArrivalTimestamp"].timestamp() for i in (0, -1))
        took = max(end - begin, 0.001)
        size = sum(len(record["Data"]) for record in page) or 1
        ahead = min(behind - _TAIL_SECONDS, took * _SPAN_BYTES / size)
        for _ in range(_TRIES):
            if ahead <= took:  # the next page is as good
                break
            answer = self._first_at(shard, end + ahead)
            numbers = [record["SequenceNumber"] for record in answer["Records"]]
            if numbers and int(numbers[0]) > int(last):
                span = Span(shard.name, shard.hashes, last, numbers[0])
                self._go({shard.name: (AFTER, numbers[0])}, span=span)
                self._step(shard, answer)
                return True
            ahead /= 2
        return False

    def _first_at(self, shard: _Shard, at: float) -> Any:
        """Return a page of one record, or of none, that came at a time or later."""
        from botocore.exceptions import ClientError

        try:
            iterator, _ = self._iterator(shard.name, (AT, at))
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") not in _IN_FUTURE:
                raise
            return {"Records": []}
        return self.client.get_records(ShardIterator=iterator, Limit=1)

    def _iterator(self, name: str, position: Position) -> tuple[str, float]:
        """Return an iterator, and the time at the server."""
        kind, where = position
        extra = {AFTER: {"StartingSequenceNumber": where}, AT: {"Timestamp": where}}
        answer = self.client.get_shard_iterator(
            StreamName=self.stream, ShardId=name, ShardIteratorType=kind, **extra.get(kind, {})
        )
        date = answer["ResponseMetadata"].get("HTTPHeaders", {}).get("date")
        at = parsedate_to_datetime(date).timestamp() if date else time.time()
        return answer["ShardIterator"], at
