"""Direct streams: settings, limits, and what is refused."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.exceptions import QueryFailedError
from dstream_compat.kafka import KafkaUtils, TopicAndPartition
from dstream_compat.testing import ManualClock
from tests.support.components.kafka import Broker
from tests.support.components.ports import closed_port
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.kafka_params import params
from tests.support.streaming.stepwise import DEADLINE, Run

pytestmark = pytest.mark.slow


@pytest.fixture
def setting(kafka_sc: SparkContext) -> Iterator[Callable[[str, str], None]]:
    """Sets Spark's settings, until the test ends."""
    conf: Any = kafka_sc._jsc.sc().conf()
    names = []

    def choose(name: str, value: str) -> None:
        names.append(name)
        conf.set(name, value)

    yield choose
    for name in names:
        conf.remove(name)


@pytest.mark.full
def test_offsets_that_kafka_has_deleted(
    kafka_sc: SparkContext, broker: Broker, topic: str, setting: Callable[[str, str], None]
) -> None:
    broker.send(topic, [(None, b"%d" % number, 0) for number in range(6)])
    broker.delete_before(topic, 0, 4)
    given = {TopicAndPartition(topic, 0): 1, TopicAndPartition(topic, 1): 0}
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker), given)
        run.keep("values", stream.map(lambda x: x[1]))
        run.start()
        ManualClock(run.ssc).advance(1)
        with pytest.raises(QueryFailedError, match="offset"):
            run.ssc.awaitTerminationOrTimeout(DEADLINE)
    setting("spark.streaming.compat.kafka.failOnDataLoss", "false")
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker), given)
        run.keep("values", stream.map(lambda x: x[1]))
        run.start().advance()
        assert run.batches("values") == [["4", "5"]]


def counts(sc: SparkContext, broker: Broker, topic: str, batches: int) -> list[int]:
    """Return how many records each batch has when twenty were there before."""
    broker.send(topic, [(None, b"%02d" % number, number % 2) for number in range(20)])
    with Run(sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker))
        run.keep("count", stream, lambda rdd: rdd.count())
        run.start()
        for _ in range(batches):
            run.advance()
        return run.batches("count")


def test_a_batch_is_limited(
    kafka_sc: SparkContext, broker: Broker, topic: str, setting: Callable[[str, str], None]
) -> None:
    setting("spark.streaming.kafka.maxRatePerPartition", "3")
    assert counts(kafka_sc, broker, topic, 4) == [6, 6, 6, 2]


def test_backpressure_begins_with_the_initial_rate(
    kafka_sc: SparkContext, broker: Broker, topic: str, setting: Callable[[str, str], None]
) -> None:
    setting("spark.streaming.backpressure.enabled", "true")
    setting("spark.streaming.backpressure.initialRate", "5")
    found = counts(kafka_sc, broker, topic, 2)
    assert found[0] <= 5 < sum(found)


def test_wrong_arguments(
    kafka_sc: SparkContext, broker: Broker, topic: str, caplog: pytest.LogCaptureFixture
) -> None:
    create = KafkaUtils.createDirectStream
    with Run(kafka_sc) as run:
        with pytest.raises(TypeError, match="topics should be list"):
            create(run.ssc, topic, params(broker))  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="kafkaParams should be dict"):
            create(run.ssc, [topic], [("a", 1)])  # type: ignore[arg-type]
        with pytest.raises(ValueError, match=r"metadata\.broker\.list or bootstrap\.servers"):
            create(run.ssc, [topic], {"zookeeper.connect": "localhost:2181"})
        with pytest.raises(ValueError, match="no topic 'missing'"):
            create(run.ssc, ["missing"], params(broker, **{"allow.auto.create.topics": "false"}))
        with pytest.raises(ValueError, match="not 'start'"):
            create(run.ssc, [topic], params(broker, **{"auto.offset.reset": "start"}))
        with closed_port() as port:
            closed = {"metadata.broker.list": f"127.0.0.1:{port}", "default.api.timeout.ms": "1500"}
            with pytest.raises(ConnectionError, match=f"127.0.0.1:{port}"):
                create(run.ssc, [topic], closed)
        with caplog.at_level(logging.WARNING, "dstream_compat"):
            create(run.ssc, [topic], params(broker, **{"zookeeper.connect": "zk", "nonsense": "1"}))
        assert "nonsense, zookeeper.connect" in caplog.text


def test_many_late_intervals_do_not_lift_the_limit(
    kafka_sc: SparkContext, broker: Broker, topic: str, setting: Callable[[str, str], None]
) -> None:
    """A micro-batch takes 20 of them, so it reads 20 times as much, not 60 times."""
    setting("spark.streaming.kafka.maxRatePerPartition", "1")
    records: list[Any] = [(None, b"%03d" % number, number % 2) for number in range(200)]
    broker.send(topic, records)
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], params(broker))
        run.keep("count", stream, lambda rdd: rdd.count())
        run.start()
        run.advance()
        run.advance(60)
        found = run.batches("count")
    assert found[0] == 2
    chunks = [sum(found[start : start + 20]) for start in (1, 21, 41)]
    assert max(chunks) <= 40, chunks
    assert sum(chunks) > 40, chunks
