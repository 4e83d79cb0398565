"""Flume."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FLUME = "from pyspark.streaming.flume import FlumeUtils\n"
FIRES = [
    FLUME + 'FlumeUtils.createStream(ssc, "h", 1)\n',
    FLUME + "FlumeUtils.createPollingStream(ssc, [])\n",
]
SILENT = [
    FLUME,
    "from mylib import FlumeUtils\nFlumeUtils.createStream(ssc)\n",
    "# FlumeUtils.createStream\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D203" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D203" not in [c.partition(":")[2] for c in codes(source)]
