"""What counts in a report: open findings, minutes, and the exit code."""

from __future__ import annotations

from dataclasses import replace

import pytest

from migrator.model.findings import Decision
from migrator.model.report import (
    Category,
    Confidence,
    Conversion,
    FileReport,
    Finding,
    Migration,
    Outcome,
    Report,
    Severity,
    Site,
    Spot,
    Status,
    SuppressedBy,
    Suppression,
)

WARNING = Finding("D101", "rule", Severity.WARNING, Spot(3, 1), "problem", "remedy", 15)
ERROR = replace(WARNING, severity=Severity.ERROR)
NOTE = replace(WARNING, severity=Severity.INFO)
BUG = replace(WARNING, category=Category.BUG)
FIXED = replace(WARNING, decision=Decision(fixed=True))
SUPPRESSED = replace(WARNING, decision=Decision(suppression=Suppression(SuppressedBy.BASELINE)))


def report(*findings: Finding, mode: str = "report", status: Status = Status.UNCHANGED) -> Report:
    return Report("job", mode, files=[FileReport("job.py", status, findings=[*findings])])


@pytest.mark.parametrize(
    ("finding", "open_", "person", "bug"),
    [
        (WARNING, True, True, False),
        (ERROR, True, True, False),
        (NOTE, True, False, False),
        (BUG, True, False, True),
        (FIXED, False, False, False),
        (SUPPRESSED, False, False, False),
        (replace(BUG, decision=Decision(fixed=True)), False, False, False),
    ],
)
def test_which_findings_ask_for_something(
    finding: Finding, open_: bool, person: bool, bug: bool
) -> None:
    assert (finding.is_open, finding.needs_person, finding.is_bug) == (open_, person, bug)


def test_minutes_are_those_of_manual_work() -> None:
    found = report(WARNING, ERROR, NOTE, BUG, FIXED, SUPPRESSED)
    assert (found.count_manual(), found.effort(), len(found.bugs())) == (2, 30, 1)
    assert found.count_suppressed(SuppressedBy.BASELINE) == 1
    assert found.count_suppressed(SuppressedBy.COMMENT) == 0


@pytest.mark.parametrize(
    ("finding", "least", "code"),
    [
        (WARNING, Severity.WARNING, 1),
        (WARNING, Severity.ERROR, 0),
        (ERROR, Severity.ERROR, 1),
        (NOTE, Severity.WARNING, 0),
        (NOTE, Severity.INFO, 1),
        (FIXED, Severity.INFO, 0),
        (SUPPRESSED, Severity.INFO, 0),
        (BUG, Severity.INFO, 0),
        (ERROR, None, 0),
    ],
)
def test_the_exit_code(finding: Finding, least: Severity | None, code: int) -> None:
    found = report(finding)
    found.fail_on = least
    assert found.exit_code() == code


def test_bugs_count_on_request() -> None:
    found = report(BUG)
    found.fails_on_bugs = True
    assert found.exit_code() == 1


def test_a_check_fails_if_something_is_rewritten() -> None:
    assert report(status=Status.REWRITTEN, mode="check").exit_code() == 1
    assert report(status=Status.REWRITTEN).exit_code() == 0
    assert report(mode="check").exit_code() == 0


def test_an_error_of_migrate_is_no_finding() -> None:
    found = report(ERROR)
    found.internal_errors = 1
    assert found.exit_code() == 2


def test_a_file_is_in_reading_order() -> None:
    file = FileReport("job.ipynb")
    spots = [Spot(1, 1, 2), Spot(9, 1, 1), Spot(2, 5), Spot(2, 1)]
    file.findings = [replace(WARNING, at=spot) for spot in spots]
    file.sort()
    assert [finding.at for finding in file.findings] == [*reversed(spots)]


def test_fixes_start_from_the_conversion() -> None:
    converted = FileReport("job.py", original=b"print 1", conversion=Conversion(b"print(1)"))
    assert converted.before_fixes == b"print 1", "nothing is written"
    converted.content = b"print(2)"
    assert converted.before_fixes == b"print(1)"


def test_sites_are_counted_in_all_files() -> None:
    site = Site(Spot(1, 1), "map", "call", "DStream", Confidence.PROVEN, Outcome.KEPT)
    found = report()
    found.files.append(FileReport("other.py", sites=[site]))
    found.files[0].sites = [replace(site, migration=Migration.MANUAL, outcome=Outcome.REPORTED)]
    assert found.by_migration() == {
        Migration.RUNS: 1,
        Migration.REVIEW: 0,
        Migration.MANUAL: 1,
        Migration.IMPOSSIBLE: 0,
    }
    assert found.by_outcome() == {Outcome.REWRITTEN: 0, Outcome.KEPT: 1, Outcome.REPORTED: 1}
