"""The Kafka receiver."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

KAFKA = "from pyspark.streaming.kafka import KafkaUtils\n"
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
            """{"bootstrap.servers": "<broker:9092>", "group.id": 'g'})""",
        ),
        (
            "createStream(self.ssc, zkQuorum=zk, groupId=g, topics=topics)",
            "createDirectStream(self.ssc, list(topics), "
            '{"bootstrap.servers": "<broker:9092>", "group.id": g})',
        ),
        (
            "createStream(*args)",
            'createDirectStream(ssc, [<topics>], {"bootstrap.servers": "<broker:9092>"})',
        ),
    ],
)
def test_advice_names_the_brokers(call: str, direct: str) -> None:
    from tests.migrator.helpers import report

    findings = [f for f in report(f"{KAFKA}KafkaUtils.{call}\n").findings if f.code == "D201"]
    assert findings[0].advice == f"name the brokers: KafkaUtils.{direct}"
    assert findings[0].safety == "display"
    assert findings[0].needs_person


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D201" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D201" not in [c.partition(":")[2] for c in codes(source)]
