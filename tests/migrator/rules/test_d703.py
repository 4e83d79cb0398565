"""Rate limits."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    'conf.set("spark.streaming.receiver.maxRate", 1)\n',
    'conf.set("spark.streaming.kafka.maxRatePerPartition", n)\n',
    'x = f"spark.streaming.kafka.maxRatePerPartition={n}"\n',
]
SILENT = [
    'conf.set("spark.streaming.blockInterval", 1)\n',
    'conf.get("spark.streaming.receiver.maxRate")\n',
    'df.option("maxOffsetsPerTrigger", 1)  # StreamingContext\n',
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D703" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D703" not in [c.partition(":")[2] for c in codes(source)]
