"""Findings stay as their rules have made them; a run decides about each beside it."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from migrator.model.findings import Decision, Finding
from migrator.model.report import Fix, Safety, Severity, Spot, StreamOrigin, SuppressedBy

FIX = Fix(Safety.SAFE, (), "solved")


def finding(fix: Fix | None = None, rewrite: Safety | None = None) -> Finding:
    return Finding(
        "D201", "rule", Severity.WARNING, Spot(3, 1), "problem", "remedy", 15, rewrite, fix=fix
    )


def test_a_finding_is_final() -> None:
    name = "problem"
    with pytest.raises(FrozenInstanceError):
        setattr(finding(), name, "another one")
    with pytest.raises(FrozenInstanceError):
        finding().decision = Decision()  # type: ignore[misc]


def test_each_finding_has_a_decision_of_its_own() -> None:
    first, second = finding(FIX), finding(FIX)
    first.decision.fix, first.decision.fixed = FIX, True
    assert (first.own_fix, second.own_fix) == (FIX, None)
    assert not second.is_fixed


def test_what_a_finding_says() -> None:
    found = finding(FIX)
    assert (found.message, found.advice, found.effort) == ("problem", "remedy", 15)
    found.decision.fix, found.decision.fixed = replace(FIX, summary="solved with b:9092"), True
    assert (found.message, found.advice, found.effort) == ("solved with b:9092", "", 0)
    found.decision.leave_open("another edit is there")
    assert found.message == "problem; not rewritten: another edit is there"
    assert found.own_fix is None
    assert found.needs_person


def test_a_rewritten_file_solves_it_without_a_fix() -> None:
    found = finding(rewrite=Safety.SAFE)
    found.decision.fixed = True
    assert (found.message, found.own_fix, found.safety) == ("problem", None, Safety.SAFE)


@pytest.mark.parametrize(
    ("count", "end"), [(0, ""), (1, "; so does another call"), (2, "; so do 2 other calls")]
)
def test_a_finding_stands_for_others(count: int, end: str) -> None:
    found = finding()
    found.decision.also = (StreamOrigin("b.py", Spot(1, 1)),) * count
    assert found.message == f"problem{end}{' of this project' * bool(count)}"


def test_a_fix_without_its_value_is_only_shown() -> None:
    found = finding(Fix(Safety.SAFE, (), "solved", asks="kafka-brokers"))
    assert found.safety is Safety.DISPLAY
    found.decision.fix = found.fix
    assert found.safety is Safety.SAFE


def test_what_suppresses_it_first_stays() -> None:
    decision = Decision()
    decision.suppress(SuppressedBy.COMMENT, "as we want it")
    decision.suppress(SuppressedBy.BASELINE)
    assert decision.suppression is not None
    assert (decision.suppression.by, decision.suppression.reason) == ("comment", "as we want it")
