"""What the checks of a project's owner say, before and after a migration."""

from __future__ import annotations

import pytest

from migrator.verify.owner_checks import CheckRun, _failures, why_worse

PYTEST = """\
..F.E
=== short test summary info ===
FAILED tests/test_a.py::test_x[a b] - assert 1 == 2
ERROR tests/test_b.py - ModuleNotFoundError
1 failed, 3 passed, 1 error in 0.10s
"""
UNITTEST = """\
FAIL: test_x (test_a.A.test_x)
Traceback (most recent call last):
FAILED (failures=1)
"""
JUNIT = """\
<?xml version="1.0"?><testsuites><testsuite><testcase classname="a" name="x"><failure/></testcase>
<testcase classname="a" name="y"/></testsuite></testsuites>
"""


@pytest.mark.parametrize(
    ("text", "names", "count"),
    [
        (PYTEST, {"tests/test_a.py::test_x[a b]", "tests/test_b.py"}, 2),
        (UNITTEST, {"test_x (test_a.A.test_x)"}, 1),
        (JUNIT, {"a.x"}, 1),
        ("2 failed, 3 passed in 1 s\n", set(), 2),
        ("all is well\n", set(), 0),
        ("<testsuite is no XML", set(), 0),
    ],
)
def test_what_an_output_says(text: str, names: set[str], count: int) -> None:
    assert _failures(text) == (names, count)


def run(code: int, *failed: str, count: int = 0, timed_out: bool = False) -> CheckRun:
    return CheckRun(code, 1.0, "", frozenset(failed), count or len(failed), timed_out)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (run(0), run(0), ""),
        (run(1, "a"), run(0), ""),
        (run(0), run(1), "pass on the original and fail after the migration"),
        (run(0), run(1, "a"), "1 test: a"),
        (run(1, "a"), run(1, "a"), ""),
        (run(1, "a", "b"), run(1, "a"), ""),
        (run(1, "a"), run(1, "b"), "more checks fail after the migration: 1 test: b"),
        (run(1, count=2), run(1, count=3), "3 checks fail after the migration, 2 do"),
        (run(1, count=3), run(1, count=2), ""),
        (run(1, "a"), run(139), "exit code 139 after the migration, and with 1"),
        (run(3), run(3), ""),
        (run(0), run(-9, timed_out=True), "end on the original, and run for 1 s after"),
        (run(-9, timed_out=True), run(-9, timed_out=True), ""),
        (run(-9, timed_out=True), run(0), ""),
    ],
)
def test_what_is_worse(old: CheckRun, new: CheckRun, said: str) -> None:
    found = why_worse(old, new)
    assert said in found
    assert bool(said) == bool(found)
