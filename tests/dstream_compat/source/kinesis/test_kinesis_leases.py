"""Positions of Kinesis's client library, in a table of moto's DynamoDB."""

from __future__ import annotations

from typing import Any

import boto3
import pytest

from dstream_compat.settings import KINESIS_FROM_DYNAMODB
from dstream_compat.source.kinesis.positions import AFTER, AT, END, LATEST, START
from dstream_compat.source.kinesis.source import KinesisSource
from tests.support.streaming.kinesis_fixtures import *  # noqa: F403
from tests.support.streaming.kinesis_server import KEYS, REGION, Kinesis, shard_name
from tests.support.streaming.receiving import receiving
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

ZERO, ONE, TWO, THREE = map(shard_name, range(4))
TAKEN = {KINESIS_FROM_DYNAMODB.name.removeprefix("spark.streaming."): "true"}


class Table:
    """The table that the client library has for an application."""

    def __init__(self, client: Any, app: str) -> None:
        self._client, self.app = client, app
        client.create_table(
            TableName=app,
            KeySchema=[{"AttributeName": "leaseKey", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "leaseKey", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )

    def lease(self, shard: str, checkpoint: str) -> None:
        """Store a position, with what else the library has in an item."""
        item = {
            "leaseKey": {"S": shard},
            "checkpoint": {"S": checkpoint},
            "checkpointSubSequenceNumber": {"N": "0"},
            "leaseCounter": {"N": "17"},
            "leaseOwner": {"S": "host:1"},
            "ownerSwitchesSinceCheckpoint": {"N": "0"},
        }
        self._client.put_item(TableName=self.app, Item=item)

    def delete(self) -> None:
        self._client.delete_table(TableName=self.app)


@pytest.fixture
def table(kinesis: Kinesis, stream: str, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("AWS_ENDPOINT_URL_DYNAMODB", kinesis.url)
    client = boto3.client("dynamodb", endpoint_url=kinesis.url, region_name=REGION, **KEYS)
    return Table(client, f"app-of-{stream}")


def source(kinesis: Kinesis, stream: str, table: Table, initial: str = START) -> KinesisSource:
    return KinesisSource("kinesis", stream, kinesis.access, initial, table.app)


def sequence_number(kinesis: Kinesis, stream: str, shard: str) -> str:
    """Return that of a shard's first record."""
    client = kinesis.client
    at = client.get_shard_iterator(
        StreamName=stream, ShardId=shard, ShardIteratorType="TRIM_HORIZON"
    )
    records = client.get_records(ShardIterator=at["ShardIterator"], Limit=1)["Records"]
    return str(records[0]["SequenceNumber"])


def test_only_what_is_behind_the_positions_is_read(
    kinesis: Kinesis, stream: str, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    kinesis.put(stream, 0, "read", "new")
    kinesis.put(stream, 1, "not read", "newer")
    table.lease(ZERO, sequence_number(kinesis, stream, ZERO))
    table.lease(ONE, "TRIM_HORIZON")
    with receiving(source(kinesis, stream, table, LATEST), TAKEN) as job:
        job.received(3)
        assert job.batch() == [[b"new"], [b"not read", b"newer"]]
        memory = job.receiver.memory()
    assert f"continuing from the positions in DynamoDB: {ZERO} {AFTER}" in caplog.text

    table.delete()  # it is read once: a restart has the checkpoint
    kinesis.put(stream, 0, "newest")
    with receiving(source(kinesis, stream, table), TAKEN, memory=memory) as job:
        job.received(1)
        assert job.batch() == [[b"newest"]]


def test_without_the_setting_the_initial_position_counts(
    kinesis: Kinesis, stream: str, table: Table
) -> None:
    kinesis.put(stream, 0, "read")
    table.lease(ZERO, "SHARD_END")
    with receiving(source(kinesis, stream, table)) as job:
        job.received(1)
        assert job.batch() == [[b"read"]]


def test_shards_without_a_position_after_a_split(
    kinesis: Kinesis, stream: str, table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """The library deletes the position of a parent that was read, and may not know a child yet."""
    kinesis.put(stream, 0, "parent, read")
    kinesis.split(stream, 0)
    kinesis.put(stream, 2, "read", "new")
    kinesis.put(stream, 3, "child without a position")
    kinesis.put(stream, 1, "before the tip")
    table.lease(TWO, sequence_number(kinesis, stream, TWO))
    table.lease(shard_name(9), "SHARD_END")
    with receiving(source(kinesis, stream, table, LATEST), TAKEN) as job:
        job.received(2)
        assert job.batch() == [[b"new"], [b"child without a position"]]
        kinds = {shard: kind for shard, (kind, _) in job.receiver.memory().items()}
    assert kinds == {ZERO: END, ONE: AT, TWO: AFTER, THREE: AFTER}
    assert f"for shards that no longer exist: ['{shard_name(9)}']" in caplog.text


def test_the_child_of_a_shard_that_was_read(kinesis: Kinesis, stream: str, table: Table) -> None:
    kinesis.put(stream, 0, "read")
    kinesis.split(stream, 0)
    kinesis.split(stream, 2)  # into 4 and 5
    kinesis.put(stream, 4, "grandchild")
    table.lease(ZERO, "SHARD_END")
    table.lease(ONE, "LATEST")
    with receiving(source(kinesis, stream, table, LATEST), TAKEN) as job:
        job.received(1)
        assert job.batch() == [[b"grandchild"]]
        wait_for(lambda: job.receiver._filed[TWO][0] == END, "the end of the child")
        job.batch()
        kinds = {shard: kind for shard, (kind, _) in job.receiver.memory().items()}
    assert (kinds[ZERO], kinds[ONE], kinds[TWO]) == (END, AT, END)


@pytest.mark.parametrize(
    ("checkpoint", "message"),
    [
        (None, "has no positions"),
        ("AT_TIMESTAMP", "has no position of Spark's in the item"),
        ("gone", r"cannot be read: .*ResourceNotFoundException.*kinesisAppName and region"),
    ],
)
def test_what_is_no_table_of_positions_ends_the_start(
    kinesis: Kinesis, stream: str, table: Table, checkpoint: str | None, message: str
) -> None:
    if checkpoint == "gone":
        table.delete()
    elif checkpoint is not None:
        table.lease(ZERO, checkpoint)
    with (
        pytest.raises(ValueError, match=message),
        receiving(source(kinesis, stream, table), TAKEN),
    ):
        pass
