"""The Kafka receiver."""

from __future__ import annotations

import pytest

from migrator.model.report import Finding
from tests.support.migrator.reports import codes, report

KAFKA = "from pyspark.streaming.kafka import KafkaUtils\n"


def found(source: str) -> Finding:
    return next(f for f in report(source).findings if f.code == "D201")


FIRES = [
    KAFKA + 'KafkaUtils.createStream(ssc, "zk:2181", "g", {"t": 1})\n',
    KAFKA + "K = KafkaUtils\nK.createStream(ssc, zk, g, topics)\n",
    KAFKA + "create = KafkaUtils.createStream\ncreate(ssc, zk, g, topics)\n",
    "import pyspark.streaming.kafka as k\nk.KafkaUtils.createStream(ssc, z, g, t)\n",
    KAFKA + "from functools import partial\nopen_stream = partial(KafkaUtils.createStream, ssc)\n",
]
SILENT = [
    KAFKA + "KafkaUtils.createDirectStream(ssc, [], {})\n",
    "from kafka import KafkaUtils\nKafkaUtils.createStream(ssc, z, g, t)  # StreamingContext\n",
    "class KafkaUtils:\n    def createStream(self): pass\nKafkaUtils.createStream(1)\n",
    "from pyspark.streaming.kinesis import KinesisUtils\nKinesisUtils.createStream(ssc)\n",
    KAFKA + "# KafkaUtils.createStream(ssc)\n",
]


@pytest.mark.parametrize(
    ("call", "direct"),
    [
        (
            'createStream(ssc, "zk:2181", "g", {"clicks": 1, topic: 2})',
            """createDirectStream(ssc, ['clicks', topic], """
            """{"bootstrap.servers": "<broker:9092>"}, fromOffsets=<where to begin>)""",
        ),
        (
            "createStream(self.ssc, zkQuorum=zk, groupId=g, topics=topics)",
            "createDirectStream(self.ssc, list(topics), "
            '{"bootstrap.servers": "<broker:9092>"}, fromOffsets=<where to begin>)',
        ),
        (
            "createStream(*args)",
            'createDirectStream(ssc, [<topics>], {"bootstrap.servers": "<broker:9092>"}, '
            "fromOffsets=<where to begin>)",
        ),
    ],
)
def test_the_direct_stream_is_named(call: str, direct: str) -> None:
    finding = found(f"{KAFKA}KafkaUtils.{call}\n")
    assert finding.advice.endswith(f"; or read directly: KafkaUtils.{direct}")


def test_without_brokers_it_raises() -> None:
    finding = found(FIRES[0])
    assert finding.message == (
        "KafkaUtils.createStream asks ZooKeeper (here 'zk:2181'), which no longer exists: without "
        "the brokers it raises"
    )
    for place in (
        "kafkaParams",
        "spark.streaming.compat.kafka.bootstrap.servers",
        "DSTREAM_COMPAT_KAFKA_BOOTSTRAP_SERVERS",
    ):
        assert place in finding.advice
    assert (finding.severity, finding.safety) == ("error", "display")


def test_the_places_are_those_of_the_runtime() -> None:
    from dstream_compat.source.kafka.params import BROKERS_SETTING, BROKERS_VARIABLE

    advice = found(FIRES[0]).advice
    assert BROKERS_SETTING in advice
    assert BROKERS_VARIABLE in advice


@pytest.mark.parametrize(
    "params",
    [
        '{"bootstrap.servers": "b:9092"}',
        'kafkaParams={"metadata.broker.list": hosts, "x": 1}',
    ],
)
def test_with_brokers_the_offsets_are_left(params: str) -> None:
    finding = found(f'{KAFKA}KafkaUtils.createStream(ssc, zk, "g", {{"t": 1}}, {params})\n')
    assert "stored in ZooKeeper is not read" in finding.message
    assert finding.severity == "warning"


@pytest.mark.parametrize("params", ["{}", "params", '{"group.id": "g"}', "{**params}"])
def test_brokers_that_are_not_seen(params: str) -> None:
    finding = found(f'{KAFKA}KafkaUtils.createStream(ssc, zk, "g", {{"t": 1}}, {params})\n')
    assert finding.severity == "error"


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D201" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D201" not in [c.partition(":")[2] for c in codes(source)]
