"""The shards of a Kinesis stream: which are read, from where, and when."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Final

from .aggregation import HashRange, user_records

_LOG = logging.getLogger("dstream_compat")
_READ_MOST: Final = 10_000
_IDLE_SECONDS: Final = 1.0
"""Between two reads of a shard that has nothing more, as in Kinesis's client library."""
_BUSY_SECONDS: Final = 0.2
"""Between two reads of one that has: Kinesis allows five a second."""
_LOOK_SECONDS: Final = 30.0
_LEAST_BACKOFF: Final = 1.0
_MOST_BACKOFF: Final = 30.0
_EXPIRED: Final = ("ExpiredIteratorException",)
_THROTTLED: Final = (
    *("ProvisionedThroughputExceededException", "LimitExceededException"),
    *("KMSThrottlingException", "ThrottlingException", "Throttling", "RequestLimitExceeded"),
)

LATEST: Final = "LATEST"
START: Final = "TRIM_HORIZON"
AFTER: Final = "AFTER_SEQUENCE_NUMBER"
AT: Final = "AT_TIMESTAMP"
END: Final = "END"

Position = tuple[str, Any]
"""Where to go on in a shard: a kind of iterator, and a sequence number or a time."""
Take = Callable[[dict[str, Position], list[bytes]], None]
"""Is given records of a shard and the position behind them, or the positions of new shards."""


@dataclass
class _Shard:
    name: str
    parents: tuple[str, ...]
    hashes: HashRange
    closed: bool
    iterator: str | None = None
    due: float = 0.0
    backoff: float = 0.0


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
    """

    def __init__(
        self,
        client: Any,
        stream: str,
        initial: str,
        positions: dict[str, Position],
        take: Take,
        most: Callable[[], int | None],
    ) -> None:
        self._client = client
        self._stream = stream
        self._initial = initial
        self._positions = positions
        self._give = take
        self._most = most
        self._shards: dict[str, _Shard] = {}
        self._listed = -_LOOK_SECONDS

    def use(self, client: Any) -> None:
        """Go on with another client."""
        self._client = client

    def look(self) -> None:
        """Find out which shards there are."""
        self._listed = time.monotonic()
        fresh = not self._positions
        found = {shard.name: shard for shard in self._list()}
        for name, known in self._shards.items():
            if name in found:
                now = found[name]
                now.iterator, now.due, now.backoff = known.iterator, known.due, known.backoff
        new = [shard for shard in found.values() if shard.name not in self._positions]
        if new:  # all of them together: a shard that is found later is the child of another one
            self._go({shard.name: self._begin(shard, fresh) for shard in new})
        for name in [name for name in self._positions if name not in found]:
            kind, _ = self._positions.pop(name)
            if kind != END:
                _LOG.warning(
                    "shard %s of stream %s is gone: records that were not read in time are lost",
                    name,
                    self._stream,
                )
        self._shards = found

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
        for page in self._client.get_paginator("list_shards").paginate(StreamName=self._stream):
            for entry in page["Shards"]:
                hashes, numbers = entry["HashKeyRange"], entry["SequenceNumberRange"]
                names = entry.get("ParentShardId"), entry.get("AdjacentParentShardId")
                yield _Shard(
                    entry["ShardId"],
                    tuple(name for name in names if name),
                    (int(hashes["StartingHashKey"]), int(hashes["EndingHashKey"])),
                    "EndingSequenceNumber" in numbers,
                )

    def _begin(self, shard: _Shard, fresh: bool) -> Position:
        """Return where a shard begins of which no position is known."""
        if not fresh or self._initial == START:
            return START, None
        if shard.closed:
            return END, None
        # Where the tip is now is remembered as a time: a restart goes on there, even if nothing was
        # read until then.
        shard.iterator, at = self._iterator(shard.name, (LATEST, None))
        return AT, at

    def _open(self) -> Iterator[_Shard]:
        for shard in self._shards.values():
            kind, _ = self._positions[shard.name]
            if kind != END and all(map(self._finished, shard.parents)):
                yield shard

    def _finished(self, name: str) -> bool:
        """Return whether a parent was read to its end, or is gone."""
        return name not in self._shards or self._positions[name][0] == END

    def _go(self, positions: dict[str, Position], records: list[bytes] | None = None) -> None:
        if records:  # what could not be given is read again
            self._give(positions, records)
        # Before a new shard is given, it is known: one that is not counts as gone.
        self._positions.update(positions)
        if not records:
            self._give(positions, [])

    def _read(self, shard: _Shard) -> None:
        from botocore.exceptions import ClientError

        try:
            if shard.iterator is None:
                shard.iterator, _ = self._iterator(shard.name, self._positions[shard.name])
            most = min(self._most() or _READ_MOST, _READ_MOST)
            answer = self._client.get_records(ShardIterator=shard.iterator, Limit=most)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code")
            if code in _EXPIRED:
                shard.iterator = None  # the next one is made from the position
            elif code in _THROTTLED:
                shard.backoff = min(max(2 * shard.backoff, _LEAST_BACKOFF), _MOST_BACKOFF)
                shard.due = time.monotonic() + shard.backoff
                _LOG.info("%s: %s; waiting %g s", shard.name, code, shard.backoff)
            else:
                raise
            return
        shard.backoff = 0.0
        for record in answer["Records"]:
            records = user_records(record["Data"], shard.hashes)
            self._go({shard.name: (AFTER, record["SequenceNumber"])}, records)
        shard.iterator = answer.get("NextShardIterator")
        if shard.iterator is None:
            self._go({shard.name: (END, None)})
            self._listed -= _LOOK_SECONDS  # its children are to be found
        behind = answer.get("MillisBehindLatest", 0) > 0
        shard.due = time.monotonic() + (_BUSY_SECONDS if behind else _IDLE_SECONDS)

    def _iterator(self, name: str, position: Position) -> tuple[str, float]:
        """Return an iterator, and the time at the server."""
        kind, where = position
        extra = {AFTER: {"StartingSequenceNumber": where}, AT: {"Timestamp": where}}
        answer = self._client.get_shard_iterator(
            StreamName=self._stream, ShardId=name, ShardIteratorType=kind, **extra.get(kind, {})
        )
        date = answer["ResponseMetadata"].get("HTTPHeaders", {}).get("date")
        at = parsedate_to_datetime(date).timestamp() if date else time.time()
        return answer["ShardIterator"], at
