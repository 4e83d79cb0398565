"""Streams of consumer groups (``KafkaUtils.createStream``) against a real broker."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.exceptions import UnsupportedSourceError
from dstream_compat.kafka import KafkaUtils
from dstream_compat.settings import KAFKA_BROKERS
from dstream_compat.source.kafka.params import BROKERS_VARIABLE
from tests.support.components.kafka import Broker
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.stepwise import Run

pytestmark = pytest.mark.slow

ZOOKEEPER = "zookeeper:2181"


@pytest.fixture
def group(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(BROKERS_VARIABLE, broker.address)
    return f"g-{uuid.uuid4().hex[:8]}"


def values(stream: Any) -> Any:
    return stream.map(lambda record: record[1])


def test_starts_where_the_group_stands(
    kafka_sc: SparkContext, broker: Broker, topic: str, group: str
) -> None:
    broker.send(topic, [(None, b"before", 0)])
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createStream(run.ssc, ZOOKEEPER, group, {topic: 1})
        run.keep("values", values(stream))
        run.start()
        broker.send(topic, [(b"k", b"one", 0), (None, b"two", 1)])
        run.advance()
        assert run.batches("values") == [["one", "two"]]  # largest is the default
        run.advance()  # so the batch before is committed
    assert broker.group(group, topic) == {0: 2, 1: 1}
    broker.send(topic, [(None, b"while stopped", 1)])
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createStream(run.ssc, ZOOKEEPER, group, {topic: 3})
        run.keep("values", values(stream))
        run.start()
        run.advance()
        assert run.batches("values") == [["while stopped"]]
        run.advance()
    assert broker.group(group, topic) == {0: 2, 1: 2}


@pytest.mark.parametrize("groups", [4, 6])
def test_many_groups_read_what_came_before_their_interval_ended(
    kafka_sc: SparkContext, broker: Broker, topic: str, group: str, groups: int
) -> None:
    """Spark asks more than four sources in no order, until its first micro-batch is there."""
    with Run(kafka_sc) as run:
        for number in range(groups):
            stream = KafkaUtils.createStream(run.ssc, ZOOKEEPER, f"{group}-{number}", {topic: 1})
            run.keep(str(number), values(stream))
        run.start()
        run.advance()
        for number in range(3):
            broker.send(topic, [(None, b"%d" % number, 0)])
            run.advance()
        found = [run.batches(str(number)) for number in range(groups)]
        assert found == [[[], ["0"], ["1"], ["2"]]] * groups


def test_streams_of_one_group_share_its_partitions(
    kafka_sc: SparkContext, broker: Broker, topic: str, group: str
) -> None:
    params = {"auto.offset.reset": "smallest"}
    records = [(None, b"%d" % number, number % 2) for number in range(8)]
    broker.send(topic, records)
    with Run(kafka_sc) as run:
        streams = [
            KafkaUtils.createStream(run.ssc, ZOOKEEPER, group, {topic: 1}, params) for _ in range(3)
        ]
        other = KafkaUtils.createStream(run.ssc, ZOOKEEPER, group + "x", {topic: 1}, params)
        run.keep("union", values(run.ssc.union(*streams)))
        for number, stream in enumerate(streams):
            run.keep(str(number), values(stream))
        run.keep("other", values(other))
        run.start().advance()
        assert run.batches("union") == run.batches("other") == [list("01234567")]
        # there are two partitions for three streams
        assert [run.batches(name) for name in "012"] == [[list("0246")], [list("1357")], [[]]]


def test_decoders(kafka_sc: SparkContext, broker: Broker, topic: str, group: str) -> None:
    broker.send(topic, [(b"a", b"\xff", 0)])
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createStream(
            run.ssc,
            ZOOKEEPER,
            group,
            {topic: 1},
            {"auto.offset.reset": "smallest"},
            keyDecoder=lambda key: key.upper(),
            valueDecoder=lambda value: value.hex(),
        )
        run.keep("all", stream)
        run.start().advance()
        assert run.batches("all") == [[(b"A", "ff")]]


def test_an_offset_that_kafka_has_deleted(
    kafka_sc: SparkContext, broker: Broker, topic: str, group: str
) -> None:
    broker.send(topic, [(None, b"%d" % number, 0) for number in range(5)])
    params = {"auto.offset.reset": "smallest"}
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createStream(run.ssc, ZOOKEEPER, group, {topic: 1}, params)
        run.keep("values", values(stream))
        run.start().advance()
        run.advance()
    assert broker.group(group, topic) == {0: 5, 1: 0}
    broker.send(topic, [(None, b"%d" % number, 0) for number in range(5, 9)])
    broker.delete_before(topic, 0, 7)
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createStream(run.ssc, ZOOKEEPER, group, {topic: 1}, params)
        run.keep("values", values(stream))
        run.start().advance()
        assert run.batches("values") == [["7", "8"]]


def test_receivers_are_limited(
    kafka_sc: SparkContext, broker: Broker, topic: str, group: str
) -> None:
    broker.send(topic, [(None, b"%02d" % number, number % 2) for number in range(20)])
    conf: Any = kafka_sc._jsc.sc().conf()  # type: ignore[attr-defined]
    conf.set("spark.streaming.receiver.maxRate", "4")
    try:
        with Run(kafka_sc) as run:
            streams = [
                KafkaUtils.createStream(
                    run.ssc, ZOOKEEPER, group, {topic: 1}, {"auto.offset.reset": "smallest"}
                )
                for _ in range(2)
            ]
            run.keep("count", run.ssc.union(*streams), lambda rdd: rdd.count())
            run.start()
            for _ in range(3):
                run.advance()
            assert run.batches("count") == [8, 8, 4]
    finally:
        conf.remove("spark.streaming.receiver.maxRate")


def test_nobody_names_the_brokers(
    kafka_sc: SparkContext, broker: Broker, topic: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(BROKERS_VARIABLE, raising=False)
    with Run(kafka_sc) as run:
        with pytest.raises(UnsupportedSourceError, match=f"Set {KAFKA_BROKERS}"):
            KafkaUtils.createStream(run.ssc, ZOOKEEPER, "g", {topic: 1})
        with pytest.raises(TypeError, match="topics should be dict"):
            KafkaUtils.createStream(run.ssc, ZOOKEEPER, "g", [topic])  # type: ignore[arg-type]
        params = {"metadata.broker.list": broker.address}
        stream = KafkaUtils.createStream(run.ssc, ZOOKEEPER, "g", {topic: 1}, params)
        run.keep("values", values(stream))
        run.start()
        broker.send(topic, [(None, b"x", 0)])
        run.advance()
        assert run.batches("values") == [["x"]]
