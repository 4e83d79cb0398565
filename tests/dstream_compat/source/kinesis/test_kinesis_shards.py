"""The shards of a stream and its aggregated records, with moto's server and without a receiver."""

from __future__ import annotations

import hashlib
import threading
import time
from typing import Any

import pytest
from botocore.exceptions import ClientError

from dstream_compat.source.kinesis import shards as shards_module
from dstream_compat.source.kinesis.positions import START
from dstream_compat.source.kinesis.shards import Shards
from dstream_compat.source.kinesis.source import KinesisSource
from dstream_compat.worker.reading.kinesis_aggregation import user_records
from tests.support.streaming.kinesis_fixtures import *  # noqa: F403
from tests.support.streaming.kinesis_records import packed
from tests.support.streaming.kinesis_server import Kinesis, shard_name
from tests.support.streaming.receiving import receiving

ONE, THREE = map(shard_name, (0, 2))


def test_order_across_a_reshard_after_a_restart(kinesis: Kinesis) -> None:
    stream = "resharded"
    kinesis.create(stream, 2)
    kinesis.put(stream, 0, "parent")
    kinesis.split(stream, 0)
    kinesis.put(stream, 2, "child")
    taken: list[tuple[str, bytes]] = []
    known: dict[str, Any] = {}

    def take(positions: dict[str, Any], records: list[bytes], _: Any) -> None:
        assert positions.keys() <= known.keys(), "else they would be forgotten"
        taken.extend((shard, record) for shard in positions for record in records)

    reader = Shards(kinesis.client, stream, START, known, take, lambda: None)
    reader.look()
    while len(taken) < 2:
        reader.read(threading.Event())
    assert taken == [(ONE, b"parent"), (THREE, b"child")]


class Faulty:
    """A client that raises some errors first."""

    def __init__(self, client: Any, *codes: str) -> None:
        self._client = client
        self.codes = list(codes)
        self.iterators = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def get_shard_iterator(self, **args: Any) -> Any:
        self.iterators += 1
        return self._client.get_shard_iterator(**args)

    def get_records(self, **args: Any) -> Any:
        if self.codes:
            raise ClientError({"Error": {"Code": self.codes.pop(0)}}, "GetRecords")
        return self._client.get_records(**args)


@pytest.mark.slow
def test_expired_iterators_and_throttling(
    kinesis: Kinesis, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = "faults"
    kinesis.create(stream, 1)
    kinesis.put(stream, 0, "a")
    monkeypatch.setattr(shards_module, "LEAST_BACKOFF", 0.5)
    throttled = "ProvisionedThroughputExceededException"
    client = Faulty(kinesis.client, "ExpiredIteratorException", throttled, throttled)
    taken: list[bytes] = []
    reader = Shards(
        client, stream, START, {}, lambda _, records, __: taken.extend(records), lambda: 1
    )
    stopped = threading.Event()
    backoffs: list[float] = []
    while not taken:
        before = time.monotonic()
        pause = reader.read(stopped)
        [shard] = reader._shards.values()
        if [shard.backoff] != backoffs[-1:]:
            backoffs.append(shard.backoff)
            assert not shard.backoff or shard.due >= before + shard.backoff
        stopped.wait(pause)
    assert taken == [b"a"]
    assert client.iterators == 2, "a new one for the expired one"
    assert backoffs == [0.0, 0.5, 1.0, 0.0], "longer and longer"
    client.codes.append("AccessDeniedException")
    with pytest.raises(ClientError, match="AccessDenied"):
        while True:
            stopped.wait(reader.read(stopped))


def test_aggregated_records(kinesis: Kinesis) -> None:
    stream = "aggregated"
    kinesis.create(stream, 2)
    low, high = "5", str(2**128 - 5)
    data = packed(("k", low, b"a"), ("k", high, b"of the other shard"), ("k", low, b""))
    kinesis.put(stream, 0, "plain", data)
    with receiving(KinesisSource("kinesis", stream, kinesis.access, START)) as job:
        job.received(3)
        assert job.batch() == [[b"plain", b"a", b""]]


@pytest.mark.slow
def test_aggregation_format() -> None:
    # of Amazon's own library: two records under one key
    body = b"\n\x01k\x1a\t\x08\x00\x1a\x05hello\x1a\x05\x08\x00\x1a\x01x"
    data = b"\xf3\x89\x9a\xc2" + body + b"\xbd\x13\xedx5Cr}j\xa1s.\xbbb\x04\xbe"
    assert user_records(data) == [b"hello", b"x"]
    key = int.from_bytes(hashlib.md5(b"k").digest(), "big")
    assert user_records(data, (key, key)) == [b"hello", b"x"]
    assert user_records(data, (key + 1, key + 2)) == []
    damaged = [data[:-1] + b"?", data[:20], b"\xf3\x89\x9a\xc2", b"", b"text"]
    nonsense = b"\xf3\x89\x9a\xc2" + b"\xff" + hashlib.md5(b"\xff").digest()
    for plain in (*damaged, nonsense):
        assert user_records(plain) == [plain]
