"""The long run of all tests can be done in parts, and its page says which parts were run."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.support.migrator.git import commit, forget_settings, git
from tests.support.parts import longest_first, parse, part_of, unit_of
from tests.support.streaming.processes import ROOT

pytestmark = pytest.mark.slow

COMMIT = "0123456789ab"
PASSED = ["...", "==== 3 passed, 1 skipped in 12.30s ===="]
FAILED = ["FAILED tests/a.py::test_b[x] - assert 1 == 2", "==== 1 failed, 2 passed in 5.00s ===="]


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location("test_full", ROOT / "scripts" / "test_full.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rows(page: str) -> list[str]:
    return re.findall(r"^\| (\d+ of \d+ \| [^|]*?) \|", page, re.M)


def test_parts_are_collected_in_one_page(script: Any) -> None:
    page = script.report("", 2, 3, PASSED, 0, 61.4, COMMIT)
    assert rows(page) == [
        "1 of 3 | not run yet",
        "2 of 3 | **3 passed, 1 skipped in 12.30s**",
        "3 of 3 | not run yet",
    ]
    assert f"| 61 | {COMMIT} |" in page
    page = script.report(page, 1, 3, FAILED, 1, 2.0, COMMIT)
    assert rows(page)[0] == "1 of 3 | **1 failed, 2 passed in 5.00s** (exit code 1)"
    assert rows(page)[1] == "2 of 3 | **3 passed, 1 skipped in 12.30s**"
    assert "## Not passed in part 1 of 3\n\n```\nFAILED tests/a.py::test_b[x]" in page
    again = script.report(page, 3, 3, PASSED, 0, 1.0, COMMIT)
    assert "Not passed in part 1" in again and "not run yet" not in again
    mended = script.report(again, 1, 3, PASSED, 0, 1.0, COMMIT)
    assert "Not passed" not in mended and "failed" not in mended
    assert all(
        len(re.findall(r"(?<!\\)\|", line)) == 7 for line in mended.splitlines() if "|" in line
    )


def test_a_run_of_other_parts_begins_anew(script: Any) -> None:
    page = script.report("", 1, 2, FAILED, 1, 1.0, COMMIT)
    whole = script.report(page, 1, 1, PASSED, 0, 1.0, COMMIT)
    assert rows(whole) == ["1 of 1 | **3 passed, 1 skipped in 12.30s**"]
    assert "Not passed" not in whole


def test_a_run_without_summary_says_so(script: Any) -> None:
    assert "**no summary** (exit code 4)" in script.report(
        "", 1, 1, ["usage: pytest"], 4, 0.1, COMMIT
    )


def test_parts_are_disjoint_and_whole() -> None:
    units = [f"tests/test_{number}.py" for number in range(23)]
    parts = [part_of(units, number, 5) for number in range(1, 6)]
    assert sorted(unit for part in parts for unit in part) == sorted(units)
    assert min(len(part) for part in parts) > 0
    more = [*units, "tests/new.py", "tests/z.py::test_random_pipelines[999]"]
    assert all(part_of(more, n, 5) >= part for n, part in enumerate(parts, 1))


@pytest.mark.parametrize(
    ("nodeid", "unit"),
    [
        ("tests/a/test_b.py::test_c[d]", "tests/a/test_b.py"),
        ("tests/a/test_b.py::TestX::test_random_pipelines", "tests/a/test_b.py"),
        ("tests/test_p.py::test_random_pipelines[7]", "tests/test_p.py::test_random_pipelines[7]"),
        ("tests/test_j.py::test_random_job[03-17]", "tests/test_j.py::test_random_job[03"),
    ],
)
def test_units_share_what_is_dear(nodeid: str, unit: str) -> None:
    assert unit_of(nodeid) == unit


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "-1/3", "a/b", "1/", "1/2/3", "1.5/3"])
def test_wrong_parts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no part such as 2/10"):
        parse(text)


def test_right_parts() -> None:
    assert parse("2/10") == (2, 10)


def test_a_unit_stays_on_one_process() -> None:
    options = ("--numprocesses", "3", "--dist", "loadgroup", "-v", "-p", "no:cacheprovider")
    files = ("tests/migrator/edit/test_bytes.py", "tests/docs/test_full_run.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--color=no", *options, *files, "-k", "not one_process"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "DSTREAM_COMPAT_PART"},
        capture_output=True,
        text=True,
    )
    found = re.findall(r"^\[(gw\d)\] .*PASSED (\S+?)::", done.stdout, re.M)
    assert len(found) > 10, done.stdout + done.stderr
    assert len(set(found)) == len({file for _, file in found}) > 1, set(found)


def test_files_that_take_longest_come_first() -> None:
    """As whole files: a process keeps what is dear to make."""

    def item(file: str, slow: bool) -> Any:
        return SimpleNamespace(nodeid=f"{file}::test", get_closest_marker=lambda name: slow or None)

    items = [item("many", False) for _ in range(30)]
    items += [item("slow", True), item("mixed", True), item("mixed", False), item("slow", True)]
    longest_first(items)
    files = [unit_of(each.nodeid) for each in items]
    assert files == [*["slow"] * 2, *["mixed"] * 2, *["many"] * 30]


def test_the_commit_is_that_of_what_is_tested(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_settings(monkeypatch, tmp_path)
    monkeypatch.setattr(script, "ROOT", tmp_path)
    page = tmp_path / "tests" / "full-run.md"
    page.parent.mkdir()
    git(tmp_path, "init")
    for number, file in enumerate([tmp_path / "code.py", page, page]):
        file.write_text(str(number))
        commit(tmp_path)
    tested = git(tmp_path, "rev-parse", "HEAD~2")[:12]
    assert script.commit() == tested
    page.write_text("a part more")
    assert script.commit() == tested
    (tmp_path / "code.py").write_text("")
    assert script.commit().endswith(", with local changes")
