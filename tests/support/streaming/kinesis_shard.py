"""A shard in memory, as awkward as Kinesis may be, with the client that reads it."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from botocore.exceptions import ClientError

SHARD = "shardId-000000000000"


@dataclass
class AwkwardShard:
    """Pages have any size, and may be empty in the middle; arrival times go back and forth.

    Parameters
    ----------
    arrivals : list of float
        when records came (seconds), by their sequence number from 1 on
    visible : int
        how many can be read
    closed : bool
        whether nothing follows
    trimmed : int
        how many have left the stream
    random : random.Random
        says how large pages are
    codes : list of str
        errors of the next calls
    """

    arrivals: list[float]
    visible: int = 0
    closed: bool = False
    trimmed: int = 0
    random: random.Random = field(default_factory=lambda: random.Random(0))
    codes: list[str] = field(default_factory=list)
    given: int = 0
    calls: int = 0

    def get_paginator(self, _: str) -> AwkwardShard:
        return self

    def paginate(self, StreamName: str) -> list[Any]:
        hashes = {"StartingHashKey": "0", "EndingHashKey": str(2**128 - 1)}
        shard = {"ShardId": SHARD, "HashKeyRange": hashes, "SequenceNumberRange": {}}
        return [{"Shards": [shard]}]

    def get_shard_iterator(self, **args: Any) -> Any:
        kind = args["ShardIteratorType"]
        if kind == "AFTER_SEQUENCE_NUMBER":
            last = int(args["StartingSequenceNumber"])
        elif kind == "AT_TIMESTAMP":
            at = args["Timestamp"]
            if at > self.arrivals[self.visible - 1]:
                raise ClientError({"Error": {"Code": "InvalidArgumentException"}}, kind)
            found = (n for n in range(self.visible) if self.arrivals[n] >= at)
            last = next(found, self.visible)
        else:
            last = 0
        return {"ShardIterator": str(max(last, self.trimmed)), "ResponseMetadata": {}}

    def get_records(self, ShardIterator: str, Limit: int) -> Any:
        self.calls += 1
        if self.codes:
            raise ClientError({"Error": {"Code": self.codes.pop(0)}}, "GetRecords")
        last = int(ShardIterator)
        page = range(last, min(last + self.random.randint(0, Limit), self.visible))
        behind = max(self.arrivals[: self.visible], default=0.0) - self.arrivals[last - 1]
        is_last = (page.stop if page else last) == self.visible
        self.given += len(page)
        answer: dict[str, Any] = {
            "Records": [
                {
                    "SequenceNumber": str(number + 1),
                    "Data": record(number),
                    "ApproximateArrivalTimestamp": datetime.fromtimestamp(
                        self.arrivals[number], UTC
                    ),
                }
                for number in page
            ],
            "MillisBehindLatest": 0 if is_last else max(int(behind * 1000), 1),
        }
        if not (self.closed and is_last):
            answer["NextShardIterator"] = str(page.stop if page else last)
        return answer


def record(number: int) -> bytes:
    """Return what a record is, by its place in the shard."""
    return b"record %d" % number
