"""The Kafka receiver."""

from __future__ import annotations

import pytest

from migrator.model import Finding
from migrator.tables.pending import SOURCES
from tests.migrator.helpers import codes, report

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
def test_advice_names_the_brokers(call: str, direct: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once dstream_compat reads Kafka."""
    monkeypatch.delitem(SOURCES, "KafkaUtils.createDirectStream")
    finding = found(f"{KAFKA}KafkaUtils.{call}\n")
    assert finding.advice == f"name the brokers: KafkaUtils.{direct}"
    assert "raises" not in finding.message


@pytest.mark.parametrize(
    ("call", "topics"),
    [
        ('createStream(ssc, "zk:2181", "g", {"clicks": 1, "views": 2})', "clicks,views"),
        ('createStream(ssc, "zk:2181", "g", topics={"clicks": 1})', "clicks"),
        ('createStream(ssc, "zk:2181", "g", {"clicks": 1, topic: 2})', "<topics>"),
        ('createStream(ssc, "zk:2181", "g", {})', "<topics>"),
        ("createStream(*args)", "<topics>"),
    ],
)
def test_until_then_it_raises(call: str, topics: str) -> None:
    finding = found(f"{KAFKA}KafkaUtils.{call}\n")
    assert finding.message.endswith("in this version the call raises")
    assert "createDirectStream" not in finding.advice
    assert "keep the job on its old Spark" in finding.advice
    assert finding.advice.endswith(f'.option("subscribe", "{topics}")')
    assert finding.safety == "display"
    assert finding.needs_person


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D201" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D201" not in [c.partition(":")[2] for c in codes(source)]
