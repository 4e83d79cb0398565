"""Records of Kinesis that tasks read: exactly those of the plan, whoever reads when."""

from __future__ import annotations

import pickle
import random
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.exceptions import MissingDependencyError
from dstream_compat.source.kinesis import shards as shards_module
from dstream_compat.source.kinesis.positions import AFTER, END, START
from dstream_compat.source.kinesis.shards import Shards
from dstream_compat.source.kinesis.source import KinesisSource
from dstream_compat.testing import ManualClock
from dstream_compat.wire import errors
from dstream_compat.wire.frames import COUNT_OF, ERROR, decode, unpack
from dstream_compat.worker.reading import kinesis_access, kinesis_range
from dstream_compat.worker.reading.entries import Chunk, Partition, read_entries
from dstream_compat.worker.reading.kinesis_access import Access, Place, access_to, place_of
from dstream_compat.worker.reading.kinesis_range import (
    KinesisRange,
    RangeReadError,
    Span,
    read_range,
)
from tests.support.streaming.differential import Recorder
from tests.support.streaming.kinesis_fixtures import *  # noqa: F403
from tests.support.streaming.kinesis_records import packed
from tests.support.streaming.kinesis_server import Kinesis, shard_name
from tests.support.streaming.kinesis_shard import SHARD, AwkwardShard, record
from tests.support.streaming.kinesis_streams import create
from tests.support.streaming.receiving import SPARK, receiving
from tests.support.waiting import wait_for

ACCESS = Access("http://kinesis", "eu-central-1", "key", "a secret")
EVERYTHING = (0, 2**128 - 1)


def read(items: Any) -> tuple[list[bytes], int]:
    """Read planned items as a task does; returns the records and how many tasks have counted."""
    task = pickle.loads(pickle.dumps([Partition(1, 1000, 0, items)], 5))
    records: list[bytes] = []
    counted = 0
    for frame in map(unpack, read_entries(task)):
        assert frame.kind != ERROR, errors.load(frame.payload).text
        if frame.node & COUNT_OF:
            counted += frame.count
        else:
            records += decode(frame)
    return records, counted


def at_end(job: Any, shard: str, number: int) -> Callable[[], bool]:
    return lambda: job.receiver._filed.get(shard) == (AFTER, str(number))


def next_plan(job: Any) -> Any:
    job.clock.advance(1000)
    tick = job.clock.now()
    return job.receiver.plan(SPARK, [tick])[tick]


def test_replay_is_identical_whatever_came_since(
    kinesis: Kinesis, small_samples: None, request: pytest.FixtureRequest
) -> None:
    stream = "replayed"
    kinesis.create(stream, 2)
    texts = [str(number).encode() for number in range(20)]
    kinesis.put(stream, 0, *texts)
    kinesis.put(stream, 1, "alone")
    with receiving(KinesisSource("kinesis", stream, kinesis.access, START)) as job:
        wait_for(at_end(job, shard_name(0), 20), "the end of the shard")
        wait_for(at_end(job, shard_name(1), 1), "the end of the shard")
        many, one = next_plan(job)
        kinds = {type(item) for item in many}
        assert kinds == {Chunk, KinesisRange}
        assert sum(item.count for item in many if isinstance(item, Chunk)) < 10
        kept = pickle.dumps((many, one), 5)
        assert b"secret" not in kept
        assert job.receiver.memory()[shard_name(0)] == (AFTER, "20")
        first = read(many)
        kinesis.put(stream, 0, "later")
        assert first[0] == texts
        assert first[1] == 20 - sum(item.count for item in many if isinstance(item, Chunk))
        assert [read(items) for items in pickle.loads(kept)] == [first, read(one)]
        assert read(one) == ([b"alone"], 0)
        wait_for(at_end(job, shard_name(0), 21), "the later record")
        assert [read(items)[0] for items in next_plan(job)] == [[b"later"]]


@pytest.mark.slow
def test_children_follow_the_range_of_their_parent(kinesis: Kinesis, small_samples: None) -> None:
    stream = "resharded-ranges"
    kinesis.create(stream, 1)
    parent = [b"parent %d" % number for number in range(12)]
    kinesis.put(stream, 0, *parent)
    kinesis.split(stream, 0)
    kinesis.put(stream, 1, "child")
    with receiving(KinesisSource("kinesis", stream, kinesis.access, START)) as job:
        wait_for(lambda: job.receiver._filed.get(shard_name(1)) == (AFTER, "1"), "the child")
        assert job.receiver._filed[shard_name(0)] == (END, None)
        planned = next_plan(job)
        assert [read(items)[0] for items in planned] == [parent, [b"child"]]
        assert any(isinstance(item, KinesisRange) for item in planned[0])


def test_aggregated_records_of_a_range(kinesis: Kinesis, small_samples: None) -> None:
    stream = "aggregated-ranges"
    kinesis.create(stream, 2)
    low, high = "5", str(2**128 - 5)
    data = packed(("k", low, b"a"), ("k", high, b"of the other shard"), ("k", low, b"b"))
    kinesis.put(stream, 0, *["plain"] * 5, *[data] * 5)
    with receiving(KinesisSource("kinesis", stream, kinesis.access, START)) as job:
        wait_for(at_end(job, shard_name(0), 10), "the end of the shard")
        (items,) = next_plan(job)
        assert any(isinstance(item, KinesisRange) for item in items)
        records, counted = read(items)
        assert records == [b"plain"] * 5 + [b"a", b"b"] * 5
        assert 0 < counted < 15


@pytest.mark.parametrize(
    "settings",
    [
        {"receiver.maxRate": "1000"},
        {"backpressure.enabled": "true"},
        {"compat.kinesis.readInTasks": "false"},
    ],
    ids=lambda settings: next(iter(settings)),
)
def test_driver_reads_where_it_has_to_count(
    kinesis: Kinesis, small_samples: None, settings: dict[str, str]
) -> None:
    stream = "counted-" + next(iter(settings))
    kinesis.create(stream, 1)
    kinesis.put(stream, 0, *map(str, range(12)))
    with receiving(KinesisSource("kinesis", stream, kinesis.access, START), settings) as job:
        job.received(12)
        assert job.batch() == [[str(number).encode() for number in range(12)]]


def shapes(seed: int) -> list[float]:
    """Arrival times of 400 records: in bursts, with gaps, and out of order."""
    chance = random.Random(seed)
    steps, inaccuracies = [0.0, 0.0, 0.01, 0.1], [0.0, 0.0, -0.03, 0.02, -0.2]
    if seed % 2:
        steps, inaccuracies = [*steps, 0.5, 5.0], [0.0, -0.3, 0.2, -5.0]
    now, found = 1_000_000.0, []
    for _ in range(400):
        now += chance.choice(steps)
        found.append(now + chance.choice(inaccuracies))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_spans_are_exact_whatever_arrival_times_are(
    seed: int, small_samples: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Records appear while the shard is followed, late and in any order of their times."""
    monkeypatch.setattr(shards_module, "_IDLE_SECONDS", 0.0)
    monkeypatch.setattr(shards_module, "BUSY_SECONDS", 0.0)
    chance = random.Random(seed)
    shard = AwkwardShard(shapes(seed), random=chance)
    taken: list[bytes | Span] = []

    def take(_: Any, records: list[bytes], span: Span | None) -> None:
        taken.extend([span] if span else records)

    positions: dict[str, Any] = {}
    follower = Shards(shard, "words", START, positions, take, lambda: None, spans=True)
    follower.look()
    early: list[list[bytes]] = []
    while positions[SHARD] != (END, None):
        shard.visible = min(shard.visible + chance.choice([0, 1, 5, 60]), 400)
        shard.closed = shard.visible == 400
        follower.read(threading.Event())
        spans = [one for one in taken if isinstance(one, Span)]
        for span in spans[len(early) :]:
            early.append(list(read_span(shard, span, monkeypatch)))
    spans = [one for one in taken if isinstance(one, Span)]
    assert spans, "nothing was left to tasks"
    again = [list(read_span(shard, span, monkeypatch)) for span in spans]
    assert early == again, "records that appeared later belong to later spans"
    everything: list[bytes] = []
    for one in taken:
        everything += again.pop(0) if isinstance(one, Span) else [one]
    assert everything == [record(number) for number in range(400)]


def read_span(
    client: Any, span: Span, monkeypatch: pytest.MonkeyPatch, stream: str = "words"
) -> Iterator[bytes]:
    monkeypatch.setattr(kinesis_range, "task_client", lambda _: client)
    place = Place(stream, ACCESS.region, ACCESS.endpoint, "")
    return read_range(KinesisRange(place, span, ACCESS))


@pytest.fixture
def shard(monkeypatch: pytest.MonkeyPatch) -> AwkwardShard:
    monkeypatch.setattr(kinesis_range, "LEAST_BACKOFF", 0.0)
    monkeypatch.setattr(kinesis_range, "MOST_BACKOFF", 0.0)
    monkeypatch.setattr(kinesis_range, "BUSY_SECONDS", 0.0)
    return AwkwardShard([1_000_000.0 + number for number in range(50)], visible=50)


def test_a_task_waits_out_what_passes(shard: AwkwardShard, monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[Access] = []
    monkeypatch.setattr(kinesis_range, "forget_client", forgotten.append)
    shard.codes = [
        "ProvisionedThroughputExceededException",
        "ExpiredIteratorException",
        "ExpiredTokenException",
        "InternalFailure",
        "ProvisionedThroughputExceededException",
    ]
    span = Span(SHARD, EVERYTHING, "10", "40")
    found = list(read_span(shard, span, monkeypatch))
    assert found == [record(number) for number in range(10, 40)]
    assert forgotten == [ACCESS]
    assert not shard.codes


def test_what_is_gone_fails_its_batch_and_what_cannot_be_read_its_task(
    shard: AwkwardShard, monkeypatch: pytest.MonkeyPatch
) -> None:
    span = Span(SHARD, EVERYTHING, "10", "40")
    shard.trimmed = 45
    with pytest.raises(LookupError, match="have left it before they were read"):
        list(read_span(shard, span, monkeypatch))
    shard.trimmed, shard.visible, shard.closed = 0, 20, True
    with pytest.raises(LookupError, match="behind 10, until 40"):
        list(read_span(shard, span, monkeypatch))
    shard.closed = False
    monkeypatch.setattr(kinesis_range, "_PATIENCE", 0.0)
    with pytest.raises(RangeReadError, match="no records come"):
        list(read_span(shard, span, monkeypatch))
    shard.codes = ["ProvisionedThroughputExceededException"]
    with pytest.raises(RangeReadError, match="ProvisionedThroughputExceeded"):
        list(read_span(shard, span, monkeypatch))
    monkeypatch.setattr(kinesis_range, "_PATIENCE", 300.0)
    denied = {"Error": {"Code": "AccessDeniedException"}}
    denied["ResponseMetadata"] = {"HTTPStatusCode": 400}  # type: ignore[dict-item]
    monkeypatch.setattr(shard, "get_records", raising(kinesis_error(denied)))
    with pytest.raises(RangeReadError, match="AccessDenied"):
        list(read_span(shard, span, monkeypatch))
    assert issubclass(RangeReadError, errors.NOT_OF_USERS)


def kinesis_error(response: Any) -> Exception:
    from botocore.exceptions import ClientError

    return ClientError(response, "GetRecords")


def raising(error: Exception) -> Callable[..., Any]:
    def call(**_: Any) -> Any:
        raise error

    return call


def test_a_task_without_boto3_says_what_to_do(
    shard: AwkwardShard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(RangeReadError, match="readInTasks=false") as caught:
        list(read_span(shard, Span(SHARD, EVERYTHING, "1", "2"), monkeypatch))
    assert isinstance(caught.value.__cause__, MissingDependencyError)


def test_keys_are_found_by_what_a_plan_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kinesis_access, "_known", {})
    planned = place_of("app", "words", ACCESS)
    assert "key" not in repr(planned)
    assert access_to(planned) is ACCESS
    kinesis_access._known.clear()  # another process
    today = ACCESS._replace(key="new", secret="new", endpoint="http://elsewhere")
    place_of("app", "words", today)
    assert access_to(planned) is today
    place_of("another account", "words", ACCESS._replace(role="arn"))
    with pytest.raises(LookupError, match="2 streams of the current code have that name"):
        access_to(planned)
    with pytest.raises(LookupError, match="0 streams of the current code"):
        access_to(planned._replace(stream="others"))


@pytest.mark.slow
def test_job(sc: SparkContext, kinesis: Kinesis, small_samples: None) -> None:
    stream = "job-ranges"
    kinesis.create(stream, 1)
    kinesis.put(stream, 0, *map(str, range(15)))
    ssc, recorder = StreamingContext(sc, 1), Recorder()
    told: list[int] = []
    ssc.addStreamingListener(Counts(told))
    numbers = create(ssc, kinesis, stream, decoder=int)
    numbers.foreachRDD(recorder.output("numbers"))
    numbers.foreachRDD(recorder.last())
    ssc.start()
    assert ssc._job is not None
    (source,) = ssc._job.inputs
    clock = ManualClock(ssc)
    try:
        end = {shard_name(0): (AFTER, "15")}
        wait_for(lambda: source._filed == end, "the records")  # type: ignore[attr-defined]
        clock.advance(1)
        recorder.wait(1)
    finally:
        ssc.stop(stopSparkContext=False)
    assert recorder.outcomes["numbers"].batches[1.0] == [list(range(15))]
    assert told == [15]


class Counts:
    """Listens to the number of records of completed batches."""

    def __init__(self, told: list[int]) -> None:
        self._told = told

    def onBatchCompleted(self, event: Any) -> None:
        self._told.append(event.batchInfo().numRecords())
