"""A direct stream begins at the offsets behind the state, whatever ``fromOffsets`` says.

The checkpoint is none of a real job: PySpark 3.5 has no Kafka DStreams in Python.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.exceptions import CheckpointError
from dstream_compat.kafka import KafkaUtils, TopicAndPartition
from dstream_compat.old_checkpoint import content, taking_over
from dstream_compat.old_checkpoint.content import Content, OldSource, OldState
from dstream_compat.old_checkpoint.folder import OldCheckpoint
from dstream_compat.source.kafka.client import KafkaClient
from dstream_compat.storage.files import LocalStorage
from dstream_compat.testing import ManualClock
from tests.support.components.kafka import Broker
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.kafka_params import params
from tests.support.streaming.settings import setting
from tests.support.streaming.stepwise import DEADLINE

pytestmark = [pytest.mark.slow, pytest.mark.full]

STATE = [("a", 10), ("b", 1)]
seen: list[tuple[int, list[Any]]] = []


class Written(OldCheckpoint):
    """A checkpoint whose state is not in a file."""

    def pickles(self, state: OldState, at: int) -> Iterator[bytes]:
        yield pickle.dumps(STATE)


def checkpoint_of(topic: str, zero: int) -> OldCheckpoint:
    """State as of the third second; then two batches, of which the second did not complete."""
    ranges = {
        zero + 3000: [(topic, 0, 0, 2), (topic, 1, 0, 1)],
        zero + 4000: [(topic, 0, 2, 3), (topic, 1, 1, 1)],
        zero + 5000: [(topic, 0, 3, 4), (topic, 1, 1, 1)],
    }
    source = OldSource(1, content.KAFKA, "kafka", ranges=ranges, position={(topic, 0): 4})
    state = OldState(1, content.UPDATE, {zero + 3000: "/nowhere"})
    pending = [zero + 5000]
    said = Content("", "", "", 1000, zero, zero + 5000, pending, {}, [source], [state])
    return Written("/old", "checkpoint-5000", 0, said, LocalStorage())


def note(at: Any, rdd: Any) -> None:
    """Keep a batch; not a local function, of which a checkpoint would hold a copy of the list."""
    seen.append((round(at.timestamp() * 1000), sorted(rdd.collect())))


def started(
    sc: SparkContext, broker: Broker, topic: str, folder: Path, window: bool = False
) -> StreamingContext:
    def create() -> StreamingContext:
        ssc = StreamingContext(sc, 1)
        begin = {TopicAndPartition(topic, part): 0 for part in (0, 1)}
        stream = KafkaUtils.createDirectStream(ssc, [topic], params(broker), begin)
        pairs = stream.map(lambda record: (record[1], 1))
        (pairs.window(2) if window else pairs).updateStateByKey(
            lambda new, old: sum(new) + (old or 0)
        ).foreachRDD(note)
        return ssc

    with setting(sc, "spark.streaming.compat.importFrom", "/old"):
        ssc = StreamingContext.getOrCreate(str(folder), create)
        ssc.start()
    return ssc


@pytest.mark.parametrize("interrupted", [False, True])
def test_only_records_behind_the_state_are_read(
    interrupted: bool,
    kafka_sc: SparkContext,
    broker: Broker,
    topic: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    zero = round(ManualClock(StreamingContext(kafka_sc, 1)).now() * 1000)
    monkeypatch.setattr(taking_over, "read_checkpoint", lambda *_: checkpoint_of(topic, zero))
    values = [(b"before", 0), (b"before", 0), (b"a", 0), (b"c", 0), (b"before", 1), (b"b", 1)]
    broker.send(topic, [(None, value, part) for value, part in values])
    seen.clear()
    ssc = started(kafka_sc, broker, topic, tmp_path)
    if interrupted:  # before the first batch: what was taken over is in the new checkpoint
        ssc.stop(stopSparkContext=False)
        monkeypatch.delattr(taking_over, "read_checkpoint")
        ssc = started(kafka_sc, broker, topic, tmp_path)
    try:
        ManualClock(ssc).advance_to(zero / 1000 + 6)
        until = time.monotonic() + DEADLINE
        while not any(at == zero + 6000 for at, _ in seen) and time.monotonic() < until:
            ssc.awaitTerminationOrTimeout(0.05)
    finally:
        ssc.stop(stopSparkContext=False)
    assert [at for at, _ in seen] == [zero + 4000, zero + 5000, zero + 6000]
    assert seen[-1][1] == [("a", 11), ("b", 2), ("c", 1)]


def test_a_window_over_kafka_is_refused(
    kafka_sc: SparkContext,
    broker: Broker,
    topic: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(taking_over, "read_checkpoint", lambda *_: checkpoint_of(topic, 0))
    with pytest.raises(CheckpointError, match="a window reads what is before the state"):
        started(kafka_sc, broker, topic, tmp_path, window=True)


def test_a_stream_begins_where_a_group_stands(
    kafka_sc: SparkContext, broker: Broker, topic: str
) -> None:
    broker.send(topic, [(None, value, 0) for value in (b"read", b"new", b"newer")])
    group = {**params(broker), "group.id": f"group-of-{topic}"}
    consumer = {"bootstrap.servers": broker.address, "group.id": group["group.id"]}
    with KafkaClient(kafka_sc, consumer) as client:
        client.commit({(topic, 0): 1})
    ssc = StreamingContext(kafka_sc, 1)
    with pytest.raises(ValueError, match=r"needs group\.id in kafkaParams"):
        KafkaUtils.createDirectStream(ssc, [topic], params(broker), "group")
    with pytest.raises(ValueError, match="neither a dict nor"):
        KafkaUtils.createDirectStream(ssc, [topic], group, "groups")
    stream = KafkaUtils.createDirectStream(ssc, [topic], group, "group")
    start = stream._node.source.table.start  # type: ignore[attr-defined]
    assert start == {(topic, 0): 1, (topic, 1): 0}, "the group has no offset in the second"
    seen.clear()
    stream.map(lambda record: record[1]).foreachRDD(note)
    ssc.start()
    try:
        ManualClock(ssc).advance(1)
        until = time.monotonic() + DEADLINE
        while not seen and time.monotonic() < until:
            ssc.awaitTerminationOrTimeout(0.05)
    finally:
        ssc.stop(stopSparkContext=False)
    assert seen[0][1] == ["new", "newer"]
