"""Other settings."""

from __future__ import annotations

import pytest

from tests.migrator.helpers import codes

FIRES = [
    'conf.set("spark.streaming.blockInterval", "100ms")\n',
    'conf.set("spark.streaming.concurrentJobs", "2")\n',
    'conf.set("spark.streaming.stopGracefullyOnShutdown", "true")\n',
]
SILENT = [
    'conf.set("spark.sql.streaming.checkpointLocation", "x")  # StreamingContext\n',
    'conf.set("spark.streaming.receiver.maxRate", 1)\n',
    'conf.set("spark.streaming.no.such.key", 1)\n',
]


@pytest.mark.parametrize(
    ("key", "severity"),
    [
        ("blockInterval", "info"),
        ("concurrentJobs", "info"),
        ("checkpoint.directory", "warning"),
        ("dynamicAllocation.enabled", "warning"),
    ],
)
def test_only_what_needs_a_decision_is_a_warning(key: str, severity: str) -> None:
    from tests.migrator.helpers import report

    finding = report(f'conf.set("spark.streaming.{key}", "x")\n').findings[0]
    assert finding.severity == severity


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D704" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D704" not in [c.partition(":")[2] for c in codes(source)]
