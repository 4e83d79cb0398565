"""Backpressure."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    'conf.set("spark.streaming.backpressure.enabled", "true")\n',
    'conf.set("spark.streaming.backpressure.pid.minRate", 10)\n',
    'import os\nos.environ["X"] = "--conf spark.streaming.backpressure.enabled=true"\n',
]
SILENT = [
    'conf.set("spark.streaming.receiver.maxRate", 1)\n',
    'conf.set("backpressure.enabled", 1)  # StreamingContext\n',
    'log.info("spark.streaming.backpressure.enabled is on")\n',
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D702" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D702" not in [c.partition(":")[2] for c in codes(source)]
