"""Kinesis, with moto's server; without Spark where none is needed."""

from __future__ import annotations

import pickle
import sys
import time
from typing import Any, cast

import pytest
from pyspark import SparkContext, StorageLevel

from dstream_compat import StreamingContext
from dstream_compat.exceptions import MissingDependencyError
from dstream_compat.kinesis import KinesisUtils, MetricsLevel
from dstream_compat.source.kinesis.positions import AFTER, AT, END, LATEST, START
from dstream_compat.source.kinesis.source import KinesisSource
from dstream_compat.testing import ManualClock
from dstream_compat.worker.reading.kinesis_access import Access
from tests.support.components.ports import closed_port
from tests.support.streaming.differential import Recorder
from tests.support.streaming.kinesis_fixtures import *  # noqa: F403
from tests.support.streaming.kinesis_server import REGION, Kinesis, shard_name
from tests.support.streaming.kinesis_streams import (
    create,
)
from tests.support.streaming.receiving import receiving
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

ONE, TWO, THREE = map(shard_name, (0, 1, 2))


def source(kinesis: Kinesis, stream: str, initial: str = START) -> KinesisSource:
    return KinesisSource("kinesis", stream, kinesis.access, initial)


def test_shards_are_partitions_and_positions_go_with_intervals(
    kinesis: Kinesis, stream: str
) -> None:
    kinesis.put(stream, 0, "a", "b")
    kinesis.put(stream, 1, b"\xff")
    with receiving(source(kinesis, stream)) as job:
        job.received(3)
        assert job.receiver.memory() == {}, "nothing was taken yet"
        assert job.batch() == [[b"a", b"b"], [b"\xff"]]
        memory = job.receiver.memory()
        assert {shard: kind for shard, (kind, _) in memory.items()} == {ONE: AFTER, TWO: AFTER}
        kinesis.put(stream, 1, "c")
        job.received(1)
        assert job.receiver.memory() == memory, "positions are those of what intervals took"
        assert job.batches(3) == [[[b"c"]], [], []]
    assert job.told.messages() == ["Stopped by driver"]


def test_restart_goes_on_behind_what_was_planned(kinesis: Kinesis, stream: str) -> None:
    kinesis.put(stream, 0, "a")
    with receiving(source(kinesis, stream)) as job:
        job.received(1)
        job.batch()
        memory = pickle.loads(pickle.dumps(job.receiver.memory()))
        kinesis.put(stream, 0, "received, but not planned")
        job.received(1)
    kinesis.put(stream, 1, "while nothing ran")
    saved = pickle.loads(pickle.dumps(source(kinesis, stream)))
    with receiving(saved, memory=memory) as job:
        job.received(2)
        assert job.batch() == [[b"received, but not planned"], [b"while nothing ran"]]


def test_latest_begins_at_the_tip_and_remembers_it(kinesis: Kinesis, stream: str) -> None:
    kinesis.put(stream, 0, "before")
    with receiving(source(kinesis, stream, LATEST)) as job:
        wait_for(lambda: job.receiver._received, "the shards")
        assert job.batch() == []
        memory = job.receiver.memory()
        assert {kind for kind, _ in memory.values()} == {AT}
    # the time is one of whole seconds, and "before" may share its second with the start
    memory = {shard: (kind, at + 1) for shard, (kind, at) in memory.items()}
    past = memory[ONE][1]
    wait_for(lambda: time.time() > past, "the next second")
    kinesis.put(stream, 0, "while nothing ran")
    with receiving(source(kinesis, stream, LATEST), memory=memory) as job:
        job.received(1)
        kinesis.put(stream, 1, "new")
        job.received(2)
        assert job.batch() == [[b"while nothing ran"], [b"new"]]


def test_children_after_their_parents(kinesis: Kinesis, stream: str) -> None:
    kinesis.put(stream, 0, "0a")
    with receiving(source(kinesis, stream)) as job:
        job.received(1)
        kinesis.split(stream, 0)  # into 2 and 3
        kinesis.put(stream, 3, "3a")
        job.received(2)
        kinesis.merge(stream, 3, 1)  # into 4
        kinesis.put(stream, 4, "4a")
        kinesis.put(stream, 2, "2a")
        job.received(4)
        assert job.batch() == [[b"0a"], [b"2a"], [b"3a"], [b"4a"]]
        wait_for(lambda: job.receiver._filed[shard_name(3)][0] == END, "the end of the parent")
        job.batch()
        memory = job.receiver.memory()
    ended = [shard for shard, (kind, _) in memory.items() if kind == END]
    assert ended == [ONE, TWO, shard_name(3)]
    with receiving(source(kinesis, stream), memory=memory) as job:
        kinesis.put(stream, 4, "4b")
        job.received(1)
        assert job.batch() == [[b"4b"]]


def test_stream_that_is_not_there_and_server_that_is_not(
    kinesis: Kinesis, caplog: pytest.LogCaptureFixture
) -> None:
    with receiving(source(kinesis, "later")) as job:
        wait_for(lambda: job.told.messages(), "an error")
        kinesis.create("later", 1)
        kinesis.put("later", 0, "a")
        job.received(1)
    assert job.told.messages()[0] == "Error starting receiver 0"
    assert "ResourceNotFoundException" in job.told.events[1][2]
    with closed_port() as port:
        url = f"http://127.0.0.1:{port}"
        nobody = KinesisSource("kinesis", "words", Access(url, REGION, "k", "s"), START)
        with receiving(nobody) as job:
            wait_for(lambda: job.told.messages(), "an error")
    assert f'Could not connect to the endpoint URL: "{url}/"' in caplog.text
    assert f"(stream words at {url})" in caplog.text


def test_role(kinesis: Kinesis, stream: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", kinesis.url)
    monkeypatch.setattr("dstream_compat.worker.reading.kinesis_access._RENEW_SECONDS", 10**6)
    role = "arn:aws:iam::123456789012:role/reader"
    access = kinesis.access._replace(role=role, session="job", external="partner")
    made = []
    client = Access.client
    monkeypatch.setattr(Access, "client", lambda self: made.append(client(self)) or made[-1])
    with receiving(KinesisSource("kinesis", stream, access, START)) as job:
        kinesis.put(stream, 0, "a")
        job.received(1)
        wait_for(lambda: len(made) > 2, "credentials are renewed in time")
    signer = made[0][0]._request_signer._credentials
    assert signer.token is not None
    assert signer.access_key != "test"


def test_rate_limits_what_is_asked_for(kinesis: Kinesis, stream: str) -> None:
    kinesis.put(stream, 0, *map(str, range(30)))
    with receiving(source(kinesis, stream), {"receiver.maxRate": "10"}) as job:
        wait_for(lambda: job.receiver.count_received() >= 2, "some records")
        assert job.receiver.count_received() <= 29, "the rest waits"
        wait_for(lambda: job.receiver.count_received() == 30, "all of them")


def test_streams(sc: SparkContext, kinesis: Kinesis, stream: str) -> None:
    kinesis.put(stream, 0, "a b", "a")
    kinesis.put(stream, 1, "b")
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    words = create(ssc, kinesis, stream)
    words.foreachRDD(recorder.output("records"))
    words.flatMap(str.split).countByValue().foreachRDD(recorder.output("counts"))
    create(ssc, kinesis, stream, decoder=len).foreachRDD(recorder.output("lengths"))
    words.foreachRDD(recorder.last())
    ssc.start()
    assert ssc._job is not None
    sources: Any = ssc._job.inputs
    clock = ManualClock(ssc)
    try:
        wait_for(lambda: all(s.count_received() == 3 for s in sources), "the records")
        clock.advance(1)
        recorder.wait(1)
        kinesis.put(stream, 1, b"\xff")
        wait_for(lambda: all(s.count_received() == 1 for s in sources), "the record")
        clock.advance(1)
        recorder.wait(2)
        clock.advance(1)
        recorder.wait(3)
    finally:
        ssc.stop(stopSparkContext=False)
    records, counts, lengths = (recorder.outcomes[n].batches for n in recorder.outcomes)
    assert records[1.0] == [["a b", "a"], ["b"]]
    assert sorted(c for part in counts[1.0] for c in part) == [("a", 2), ("b", 2)]
    assert lengths == {1.0: [[3, 1], [1]], 2.0: [[1]], 3.0: []}
    assert "UnicodeDecodeError" in records[2.0], "what cannot be decoded fails its batch"
    assert records[3.0] == []


def test_what_is_wrong_is_said_at_once(
    sc: SparkContext, kinesis: Kinesis, monkeypatch: pytest.MonkeyPatch
) -> None:
    ssc = StreamingContext(sc, 1)

    def refused(message: str, position: int = 0, **more: Any) -> None:
        with pytest.raises(ValueError, match=message):
            KinesisUtils.createStream(ssc, "app", "s", "http://x", REGION, position, 2, **more)

    refused("must all be defined or all be null", stsAssumeRoleArn="arn")
    refused("awsSecretKey is set but awsAccessKeyId is null", awsSecretKey="s")
    refused("awsAccessKeyId is set but awsSecretKey is null", awsAccessKeyId="k")
    refused("Illegal InitialPositionInStream", 2)
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(MissingDependencyError, match=r"dstream-compat\[kinesis\]"):
        create(ssc, kinesis, "words")


def test_positional_arguments_of_spark_2(sc: SparkContext) -> None:
    """They had no metricsLevel in front of the storageLevel."""
    ssc, decoder = StreamingContext(sc, 1), bytes.hex
    place: Any = (ssc, "app", "s", "http://x", REGION, 0, 10)
    storage = StorageLevel.MEMORY_AND_DISK_2
    for given in cast(
        Any,
        (
            (storage, "key", "secret", decoder, "arn", "session", "external"),
            (MetricsLevel.NONE, storage, "key", "secret", decoder, "arn", "session", "external"),
        ),
    ):
        made = KinesisUtils.createStream(*place, *given)
        access = cast(Any, made)._node.parents[0].source.access
        assert access[2:] == ("key", "secret", "arn", "session", "external")
    with pytest.raises(ValueError, match="awsAccessKeyId is set but awsSecretKey is null"):
        KinesisUtils.createStream(*place, storage, "key")
    KinesisUtils.createStream(*place, storage, decoder=decoder)
