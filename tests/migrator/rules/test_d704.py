"""Other settings."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

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
        ("concurrentJobs", "warning"),
        ("stopGracefullyOnShutdown", "info"),
        ("fileStream.minRememberDuration", "info"),
        ("compat.partitions", "info"),
        ("clock", "warning"),
        ("checkpoint.directory", "warning"),
        ("dynamicAllocation.enabled", "warning"),
    ],
)
def test_only_what_needs_a_decision_is_a_warning(key: str, severity: str) -> None:
    from tests.support.migrator.reports import report

    finding = report(f'conf.set("spark.streaming.{key}", "x")\n').findings[0]
    assert finding.severity == severity


@pytest.mark.parametrize(
    ("setting", "severity"),
    [
        ("concurrentJobs 1", "info"),
        ("concurrentJobs 4", "warning"),
        ("stopGracefullyOnShutdown True", "info"),
        ("gracefulStopTimeout 60s", "info"),
        ("gracefulStopTimeout 60000", "info"),
        ("gracefulStopTimeout ${WAIT}", "info"),
    ],
)
def test_harmless_values_ask_for_nothing(setting: str, severity: str) -> None:
    from tests.support.migrator.reports import report

    finding = report(f"spark.streaming.{setting}\n", "a.conf").findings[0]
    assert (finding.severity, bool(finding.advice)) == (severity, severity == "warning")


def test_what_counts_within_limits_is_said_so() -> None:
    from tests.support.migrator.reports import report

    finding = report("spark.streaming.concurrentJobs 4\n", "a.conf").findings[0]
    assert finding.message == (
        "spark.streaming.concurrentJobs=4: honoured by dstream_compat; lets so many outputs of a "
        "batch run at once; batches still follow each other"
    )


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D704" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D704" not in [c.partition(":")[2] for c in codes(source)]
