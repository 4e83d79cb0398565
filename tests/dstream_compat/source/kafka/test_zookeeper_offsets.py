"""Where old consumers stood by ZooKeeper, against a real one and a real broker."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.kafka import KafkaUtils
from dstream_compat.settings import KAFKA_FROM_ZOOKEEPER
from dstream_compat.source.kafka import zookeeper as module
from dstream_compat.source.kafka.params import BROKERS_VARIABLE, ZOOKEEPER
from dstream_compat.source.kafka.zookeeper import zookeeper_offsets
from tests.support.components.kafka import Broker
from tests.support.components.ports import closed_port
from tests.support.components.zookeeper import writing, zookeeper
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.kafka_params import params
from tests.support.streaming.settings import setting
from tests.support.streaming.stepwise import Run

pytestmark = [pytest.mark.slow, pytest.mark.full]


class Keeper:
    """A ZooKeeper, with the offsets that consumers of Kafka 0.8 write."""

    def __init__(self, address: str, client: Any) -> None:
        self.address = address
        self._client = client

    def stands(self, group: str, topic: str, offsets: dict[int, int], root: str = "") -> None:
        for part, offset in offsets.items():
            path = f"{root}/consumers/{group}/offsets/{topic}/{part}"
            self._client.create().creatingParentsIfNeeded().forPath(path, str(offset).encode())


@pytest.fixture(scope="module")
def keeper(kafka_sc: SparkContext, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keeper]:
    with (
        zookeeper(tmp_path_factory.mktemp("zookeeper")) as address,
        writing(kafka_sc, address) as client,
    ):
        yield Keeper(address, client)


@pytest.fixture
def group(broker: Broker, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv(BROKERS_VARIABLE, broker.address)
    return f"g-{uuid.uuid4().hex[:8]}"


def test_a_direct_stream_begins_there(
    kafka_sc: SparkContext, broker: Broker, topic: str, group: str, keeper: Keeper
) -> None:
    broker.send(topic, [(None, value, 0) for value in (b"read", b"new", b"newer")])
    broker.send(topic, [(None, b"without an offset", 1)])
    keeper.stands(group, topic, {0: 1}, root="/kafka")
    given = params(broker, **{"group.id": group, ZOOKEEPER: f"{keeper.address}/kafka"})
    with Run(kafka_sc) as run:
        stream = KafkaUtils.createDirectStream(run.ssc, [topic], given, "zookeeper")
        run.keep("values", stream.map(lambda record: record[1]))
        run.start()
        run.advance()
        assert run.batches("values") == [["new", "newer", "without an offset"]]
        for name in ("group.id", ZOOKEEPER):
            without = {key: value for key, value in given.items() if key != name}
            with pytest.raises(ValueError, match=f'fromOffsets="zookeeper" needs {name} in'):
                KafkaUtils.createDirectStream(run.ssc, [topic], without, "zookeeper")


def test_a_group_goes_on_there_once(
    kafka_sc: SparkContext,
    broker: Broker,
    topic: str,
    group: str,
    keeper: Keeper,
    caplog: pytest.LogCaptureFixture,
) -> None:
    broker.send(topic, [(None, value, 0) for value in (b"read", b"new")])
    keeper.stands(group, topic, {0: 1, 1: 0})
    with setting(kafka_sc, KAFKA_FROM_ZOOKEEPER.name, "true"):
        for expected in ("new", "newer"):
            with Run(kafka_sc) as run:
                stream = KafkaUtils.createStream(run.ssc, keeper.address, group, {topic: 1})
                run.keep("values", stream.map(lambda record: record[1]))
                run.start()
                run.advance()
                assert run.batches("values") == [[expected]]
                run.advance()  # so the batch before is committed
            broker.send(topic, [(None, b"newer", 0)])
    said = f"starting at the offsets stored in ZooKeeper: {topic}-0: 1, {topic}-1: 0"
    assert caplog.text.count(said) == 1


def test_nothing_is_assumed_where_nothing_is_found(
    kafka_sc: SparkContext,
    topic: str,
    group: str,
    keeper: Keeper,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keeper.stands(group, "another", {0: 1})
    with pytest.raises(ValueError, match=rf"no offsets of the group '{group}' in {topic} "):
        zookeeper_offsets(kafka_sc, keeper.address, group, [topic])
    with (
        setting(kafka_sc, KAFKA_FROM_ZOOKEEPER.name, "true"),
        Run(kafka_sc) as run,
        pytest.raises(ValueError, match="correct the address, its path, or the group"),
    ):
        KafkaUtils.createStream(run.ssc, keeper.address, group, {topic: 1})
    monkeypatch.setattr(module, "_SECONDS", 1)
    with (
        closed_port() as port,
        pytest.raises(ConnectionError, match="did not answer within 1 s"),
    ):
        zookeeper_offsets(kafka_sc, f"127.0.0.1:{port}", group, [topic])
