"""Unknown keys."""

from __future__ import annotations

import pytest

from migrator.rules.d705_unknown_settings import suggestion
from migrator.tables.settings import PREFIX
from tests.migrator.helpers import codes

FIRES = [
    'conf.set("spark.streaming.kafka.maxRatePerPartion", 1)\n',
    'conf.set("spark.streaming.nonsense", 1)\n',
    'conf.set("spark.streaming." + name, 1)\n',
    'conf.set(f"spark.streaming.{name}", 1)\n',
]
SILENT = [
    'conf.set("spark.streaming.compat.maxIntervals", 1)\n',
    'conf.set("spark.streaming.kafka.maxRatePerPartition", 1)\n',
    'import logging\nlogging.getLogger("org.apache.spark.streaming.scheduler")\n',
    '"The spark.streaming. prefix is old"\n',
    'x = "see spark.streaming.foo for more"\n',
]


def test_the_right_key_is_suggested() -> None:
    from tests.migrator.helpers import report

    finding = report(FIRES[0]).findings[0]
    assert "spark.streaming.kafka.maxRatePerPartition?" in finding.advice


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("receiver.maxrateperpartition", "kafka.maxRatePerPartition"),
        ("kafka.maxRatePerPartion", "kafka.maxRatePerPartition"),
        ("backpressure.enable", "backpressure.enabled"),
        ("Backpressure.Enabled", "backpressure.enabled"),
        ("backpresure.initialRate", "backpressure.initialRate"),
        ("stopGracefulyOnShutdown", "stopGracefullyOnShutdown"),
        ("receiver.writeAheadLogs.enable", "receiver.writeAheadLog.enable"),
        ("blockinterval", "blockInterval"),
        ("nonsense", None),
        ("foo.enable", None),
    ],
)
def test_suggestion(wrong: str, right: str | None) -> None:
    assert suggestion(PREFIX + wrong) == (None if right is None else PREFIX + right)


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D705" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D705" not in [c.partition(":")[2] for c in codes(source)]
