"""Python 2 as Python 3: what each fixer changes, and what it leaves."""

from __future__ import annotations

import ast

import pytest

from tests.support.migrator.python2 import HEAD, after, converted
from tests.support.migrator.python2_cases import CHANGED, UNCHANGED
from tests.support.migrator.reports import report


@pytest.mark.parametrize(("source", "expected"), CHANGED)
def test_changed(source: str, expected: str) -> None:
    assert after(source) == expected
    found = converted(source)
    fixed = [f for f in found.findings if f.code == "D010" and f.at.line > 2]
    assert fixed and all(f.is_fixed and f.effort == 0 for f in fixed)
    assert found.content is not None
    ast.parse(found.content)
    again = report(found.content)
    assert again.content is None and again.conversion is None


@pytest.mark.parametrize("source", UNCHANGED)
def test_unchanged(source: str) -> None:
    if source.startswith("from __future__"):
        future, _, rest = source.partition("\n")
        found = report(f"{future}\n{HEAD}{rest}")
    else:
        found = converted(source)
        assert after(source) == source
    lines = {f.at.line for f in found.findings if f.code == "D010"}
    assert len(lines) == 1


@pytest.mark.slow
def test_there_are_twice_as_many_things_left_alone() -> None:
    kinds = {f.problem for s, _ in CHANGED for f in converted(s).findings if f.code == "D010"}
    assert len(UNCHANGED) >= 2 * len(kinds)
