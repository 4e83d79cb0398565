"""`--baseline` and `--write-baseline`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.migrator.reports import tree_hash
from tests.support.migrator.runs import JOB, Run
from tests.support.migrator.samples import CONF, mixed

Migrate = Callable[..., Run]


@pytest.fixture
def known(migrate: Migrate, tmp_path: Path) -> tuple[Path, Path]:
    """A tree and its baseline."""
    tree, baseline = mixed(tmp_path / "tree"), tmp_path / "known.json"
    before = tree_hash(tree)
    run = migrate(tree, "--write-baseline", baseline)
    assert (run.code, run.err) == (0, "")
    assert "with --baseline they do not count" in run.out
    assert tree_hash(tree) == before
    return tree, baseline


def test_known_findings_do_not_count(migrate: Migrate, known: tuple[Path, Path]) -> None:
    tree, baseline = known
    assert migrate(tree, "--check").code == 1
    run = migrate(tree, "--check", "--baseline", baseline, "--format", "json")
    assert run.code == 0
    summary = run.json["summary"]
    assert summary["needs_person"] == summary["files_rewritten"] == summary["effort_minutes"] == 0
    assert summary["findings_suppressed"]["baseline"] > 5
    assert "No manual work remains." in migrate(tree, "--check", "--baseline", baseline).out


def test_new_findings_count(migrate: Migrate, known: tuple[Path, Path]) -> None:
    tree, baseline = known
    (tree / "new.conf").write_text(CONF)
    run = migrate(tree, "--check", "--baseline", baseline, "--format", "json")
    assert run.code == 1
    assert [f["path"] for f in run.json["findings"] if f["needs_person"]] == ["new.conf"]


def test_new_work_to_rewrite_counts(migrate: Migrate, known: tuple[Path, Path]) -> None:
    tree, baseline = known
    (tree / "new.py").write_text(JOB)
    run = migrate(tree, "--check", "--baseline", baseline, "--format", "json")
    assert run.code == 1
    assert [f["path"] for f in run.json["files"] if f["status"] == "rewritten"] == ["new.py"]


def test_moved_lines_stay_known(migrate: Migrate, known: tuple[Path, Path]) -> None:
    tree, baseline = known
    path = tree / "spark.conf"
    path.write_text("\n\n# moved\n" + path.read_text())
    assert migrate(tree, "--check", "--baseline", baseline).code == 0


def test_entries_that_are_gone_are_reported(migrate: Migrate, known: tuple[Path, Path]) -> None:
    tree, baseline = known
    (tree / "spark.conf").unlink()
    run = migrate(tree, "--check", "--baseline", baseline)
    assert run.code == 0
    assert "1 entry of the baseline no longer found: write it anew." in run.out


def test_entries_of_other_rules_are_not_gone(migrate: Migrate, known: tuple[Path, Path]) -> None:
    tree, baseline = known
    run = migrate(tree, "--check", "--baseline", baseline, "--select", "D7")
    assert run.code == 0
    assert "no longer found" not in run.out


def test_known_fixes_are_made_nevertheless(migrate: Migrate, known: tuple[Path, Path]) -> None:
    tree, baseline = known
    assert migrate(tree, "--in-place", "--baseline", baseline).code == 0
    assert "from dstream_compat import" in (tree / "jobs" / "fork.py").read_text()


def test_content(known: tuple[Path, Path]) -> None:
    content = json.loads(known[1].read_text())
    assert content["baseline_version"] == 1
    assert {"code": "D203", "path": "jobs/fork.py"}.items() <= next(
        f for f in content["findings"] if f["code"] == "D203"
    ).items()
    assert not [f for f in content["findings"] if f["code"] in ("D704", "D601")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file or directory; `migrate PATH --write-baseline"),
        ("", "is not a baseline of migrate"),
        ("[]", "is not a baseline of migrate"),
        ("[" * 100_000, "is not a baseline of migrate"),
        ('{"tool": "other"}', "is not a baseline of migrate"),
        ('{"tool": "migrate", "baseline_version": 2}', "of another version"),
        ('{"tool": "migrate", "baseline_version": 1}', "is damaged"),
        ('{"tool": "migrate", "baseline_version": 1, "findings": [1]}', "is damaged"),
    ],
)
def test_bad_baselines(
    migrate: Migrate, tmp_path: Path, tree: Path, content: Any, message: str
) -> None:
    baseline = tmp_path / "b.json"
    if content is not None:
        baseline.write_text(content)
    run = migrate(tree, "--baseline", baseline)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert not tree.with_name("legacy-migrated").exists()


@pytest.mark.parametrize(
    "option",
    [["--in-place"], ["--diff"], ["--check"], ["--output", "x"], ["--baseline", "x"],
     ["--diff-base", "x"]],
)  # fmt: skip
def test_writing_goes_with_nothing_else(migrate: Migrate, tree: Path, option: list[str]) -> None:
    run = migrate(tree, "--write-baseline", "b.json", *option)
    assert run.code == 2
    assert option[0] in run.err


def test_a_baseline_that_cannot_be_written(migrate: Migrate, tree: Path) -> None:
    run = migrate(tree, "--write-baseline", tree / "missing" / "b.json")
    assert run.code == 2
    assert "cannot write the baseline" in run.err
