"""The direct Kafka API."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

KAFKA = "from pyspark.streaming.kafka import KafkaUtils\n"
FIRES = [
    KAFKA + "KafkaUtils.createDirectStream(ssc, [], {})\n",
    KAFKA + "KafkaUtils.createRDD(sc, {}, [])\n",
]
SILENT = [
    KAFKA,
    KAFKA + "KafkaUtils.createStream(ssc, z, g, t)\n",
    "from kafka import KafkaUtils\nKafkaUtils.createDirectStream(1)  # StreamingContext\n",
]


def test_it_needs_nobody() -> None:
    from tests.migrator.helpers import report

    found = report(FIRES[0])
    assert not any(f.needs_person for f in found.findings)
    assert {s.outcome for s in found.sites if s.name == "createDirectStream"} == {"kept"}


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D202" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D202" not in [c.partition(":")[2] for c in codes(source)]
