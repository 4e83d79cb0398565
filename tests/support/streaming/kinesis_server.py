"""A Kinesis of its own for tests: moto's server in a thread, which reshards as Kinesis does."""

from __future__ import annotations

import copy
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import boto3
from moto.core import DEFAULT_ACCOUNT_ID
from moto.kinesis import models
from moto.server import ThreadedMotoServer

from dstream_compat.worker.reading.kinesis_access import Access

REGION = "eu-central-1"
_GAP_SECONDS = 0.01
KEYS = {"aws_access_key_id": "test", "aws_secret_access_key": "secret"}


class Kinesis:
    """A server with streams."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.access = Access(url, REGION, "test", "secret")
        self.client: Any = boto3.client("kinesis", endpoint_url=url, region_name=REGION, **KEYS)

    def create(self, stream: str, shards: int) -> None:
        self.client.create_stream(StreamName=stream, ShardCount=shards)

    def put(self, stream: str, shard: int, *records: str | bytes) -> None:
        """Put records into a shard, by its number."""
        key = self._shards(stream)[shard]["HashKeyRange"]["StartingHashKey"]
        for record in records:
            data = record.encode() if isinstance(record, str) else record
            self.client.put_record(
                StreamName=stream, Data=data, PartitionKey="k", ExplicitHashKey=key
            )
        self._space_out(stream, shard, len(records))

    def _space_out(self, stream: str, shard: int, count: int) -> None:
        """Let a shard's last records have arrived at even times, however busy the machine is."""
        backend = models.kinesis_backends[DEFAULT_ACCOUNT_ID][REGION]
        found = backend.describe_stream(stream_arn=None, stream_name=stream)
        records = list(found.get_shard(shard_name(shard)).records.values())
        for previous, record in pairwise([None, *records][-count - 1 :]):
            earliest = 0.0 if previous is None else previous.created_at + _GAP_SECONDS
            if record is records[-count]:
                earliest = max(earliest, record.created_at)
            record.created_at = earliest
            record.created_at_datetime = datetime.fromtimestamp(earliest, UTC).replace(tzinfo=None)

    def split(self, stream: str, shard: int) -> None:
        hashes = self._shards(stream)[shard]["HashKeyRange"]
        middle = (int(hashes["StartingHashKey"]) + int(hashes["EndingHashKey"])) // 2
        self.client.split_shard(
            StreamName=stream, ShardToSplit=shard_name(shard), NewStartingHashKey=str(middle)
        )

    def merge(self, stream: str, first: int, second: int) -> None:
        self.client.merge_shards(
            StreamName=stream,
            ShardToMerge=shard_name(first),
            AdjacentShardToMerge=shard_name(second),
        )

    def _shards(self, stream: str) -> dict[int, Any]:
        shards = self.client.list_shards(StreamName=stream)["Shards"]
        return {int(shard["ShardId"].partition("-")[2]): shard for shard in shards}


def shard_name(number: int) -> str:
    return f"shardId-{number:012}"


@contextmanager
def kinesis_server() -> Iterator[Kinesis]:
    """Run a server on a free port."""
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    with (
        patch.object(models.Stream, "split_shard", _keeping(models.Stream.split_shard, 1)),
        patch.object(models.Stream, "merge_shards", _keeping(models.Stream.merge_shards, 2)),
        patch.object(models.Stream, "get_shard_for_key", _open_shard),
        patch.object(models.KinesisBackend, "get_records", _ending),
    ):
        server.start()
        try:
            host, port = server.get_host_and_port()
            kinesis = Kinesis(f"http://{host}:{port}")
            yield kinesis
        finally:
            server.stop()
            models.kinesis_backends.reset()  # they are this process's


def _keeping(reshard: Any, closing: int) -> Any:
    """Let closed shards keep their records: moto moves them to the children."""

    def method(stream: models.Stream, *names: str) -> None:
        with _resharding:
            closed = [stream.shards[name] for name in names[:closing]]
            kept = [shard.records for shard in closed]
            for shard in closed:
                shard.records = OrderedDict()
            reshard(stream, *names)
            for shard, records in zip(closed, kept, strict=True):
                shard.records = records

    return method


_resharding = threading.Lock()
_get_records = models.KinesisBackend.get_records
_shard_for_key = models.Stream.get_shard_for_key


def _open_shard(stream: models.Stream, *keys: str) -> Any:
    """Find the open shard of a key: moto finds closed ones, too."""
    view = copy.copy(stream)
    view.shards = {name: shard for name, shard in stream.shards.items() if shard.is_open}
    return _shard_for_key(view, *keys)


def _ending(backend: Any, stream_arn: Any, shard_iterator: str, limit: Any) -> Any:
    """Give no further iterator at the end of a closed shard: moto always gives one."""
    with _resharding:
        following, records, behind = _get_records(backend, stream_arn, shard_iterator, limit)
        stream, name, last = models.decompose_shard_iterator(following)
        shard = backend.describe_stream(stream_arn=None, stream_name=stream).get_shard(name)
        ended = not shard.is_open and int(last) >= shard.get_max_sequence_number()
        return None if ended else following, records, behind
