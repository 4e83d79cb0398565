"""Runs of lines that differ."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from migrator.source.lines import changes

LINES = st.lists(st.sampled_from("abc"), max_size=12)
untimed = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])


@untimed
@given(LINES, LINES)
def test_they_make_the_new_out_of_the_old(old: list[str], new: list[str]) -> None:
    result = list(old)
    for i1, i2, j1, j2 in reversed(changes(old, new)):
        result[i1:i2] = new[j1:j2]
    assert result == new


@untimed
@given(LINES)
def test_nothing_where_nothing_differs(lines: list[str]) -> None:
    assert changes(lines, lines) == []


def test_only_lines_that_differ_are_named() -> None:
    assert changes("abcd", "aXcY") == [(1, 2, 1, 2), (3, 4, 3, 4)]
    assert changes("abd", "abcd") == [(2, 2, 2, 3)]
    assert changes("abcd", "abd") == [(2, 3, 2, 2)]


def test_many_equal_lines() -> None:
    """Without an end if every one of them were compared with all others."""
    old = ["import a", *[""] * 200_000, "import b", *[""] * 200_000]
    new = ["import x", "import y", *[""] * 200_000, "import z", *[""] * 200_000]
    result = list(old)
    for i1, i2, j1, j2 in reversed(changes(old, new)):
        result[i1:i2] = new[j1:j2]
    assert result == new
