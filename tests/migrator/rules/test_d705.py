"""Unknown keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.tables.misspelt import suggestion
from migrator.tables.settings import PREFIX
from tests.migrator.helpers import codes, project, report

FIRES = [
    'conf.set("spark.streaming.kafka.maxRatePerPartion", 1)\n',
    'conf.set("spark.streaming.nonsense", 1)\n',
    'conf.set("spark.streaming." + name, 1)\n',
    'conf.set(f"spark.streaming.{name}", 1)\n',
    'conf.set("spark.steaming.receiver.maxRate", 1)\n',
    'conf.set("sprak.streaming.receiver.maxRate", 1)\n',
    'a = "--conf spark.Streaming.receiver.maxRate=1"\n',
]
SILENT = [
    'conf.set("spark.streaming.compat.maxIntervals", 1)\n',
    'conf.set("spark.streaming.kafka.maxRatePerPartition", 1)\n',
    'import logging\nlogging.getLogger("org.apache.spark.streaming.scheduler")\n',
    '"The spark.streaming. prefix is old"\n',
    'x = "see spark.streaming.foo for more"\n',
    'x = "see spark.steaming.receiver.maxRate for more"\n',
    'conf.set("spark.string.separator", 1)\n',
    'conf.set("spark.storage.memoryFraction", 1)\n',
    'conf.set("spark.sql.streaming.minBatchesToRetain", 1)\n',
]


def test_the_right_key_is_suggested() -> None:
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


@pytest.mark.parametrize(
    "wrong",
    [
        *("spark.steaming.", "spark.straming.", "spark.streamming.", "spark.stream."),
        *("Spark.streaming.", "spark.Streaming.", "sprak.streaming.", "park.streaming."),
    ],
)
def test_misspelt_beginnings(wrong: str) -> None:
    found = report(f"a=b\n{wrong}receiver.maxrate  5\n".encode(), "spark-defaults.conf").findings
    assert [(f.code, f.at.line, f.at.column) for f in found] == [("D705", 2, 1)]
    assert "did you mean spark.streaming.receiver.maxRate?" in found[0].advice


def test_a_misspelt_beginning_alone_is_seen(tmp_path: Path) -> None:
    found = project(tmp_path, {"a.conf": "spark.straming.backpressure.enabled true\n"})
    assert [x.code for _, x in found.findings()] == ["D705"]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D705" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D705" not in [c.partition(":")[2] for c in codes(source)]
