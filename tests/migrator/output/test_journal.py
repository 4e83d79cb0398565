"""The journal of runs with --in-place: interrupted runs, runs at once, journals of someone else."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

import migrator.run.migrate
from migrator.output.journal import JOURNAL, run_folders
from tests.support.migrator.crashes import described, killed_at
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
NEW = JOB.replace("pyspark.streaming", "dstream_compat")


def killed_run(migrate: Migrate, tree: Path) -> None:
    """Leave a tree of which one of two files is rewritten."""
    (tree / "jobs" / "other.py").write_text(JOB)
    assert killed_at(2, lambda: migrate(tree, "--in-place", "--no-cache"), names=("replace",))
    both = {(tree / "jobs" / name).read_text() for name in ("job.py", "other.py")}
    assert both == {JOB, NEW}


@pytest.mark.slow
@pytest.mark.parametrize("option", [["--in-place"], ["--output", "copy"]])
def test_a_run_that_writes_puts_files_back_first(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch, option: list[str]
) -> None:
    monkeypatch.chdir(tree.parent)
    killed_run(migrate, tree)
    run = migrate(tree, *option)
    assert run.code == 0
    assert (
        f"migrate: note: a run over {tree} was interrupted; its files are as they were before it\n"
        in run.err
    )
    result = Path("copy") if option[0] == "--output" else tree
    for name in ("job.py", "other.py"):
        assert (result / "jobs" / name).read_text() == NEW
        assert result == tree or (tree / "jobs" / name).read_text() == JOB


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--check", "--diff"])
def test_a_run_that_writes_nothing_tells(migrate: Migrate, tree: Path, option: str) -> None:
    killed_run(migrate, tree)
    before = described(tree)
    run = migrate(tree, option)
    assert f"a run over {tree} has not ended; some of its files may be rewritten" in run.err
    assert described(tree) == before


def test_undo_puts_an_interrupted_run_back(migrate: Migrate, tree: Path) -> None:
    killed_run(migrate, tree)
    assert migrate("undo", "--list", tree).out.endswith("  2 files, interrupted\n")
    assert migrate("undo", tree).code == 0
    assert {path.read_text() for path in (tree / "jobs").glob("*o*.py")} == {JOB}
    assert sorted(p.name for p in (tree / "jobs").iterdir()) == ["job.py", "other.py", "plain.py"]


@pytest.mark.parametrize("holder", ["", "jobs", ".."])
def test_two_runs_at_once(migrate: Migrate, tree: Path, holder: str) -> None:
    folder = (tree / holder).resolve() / JOURNAL
    folder.mkdir()
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        run = migrate(tree, "--in-place")
        assert run.code == 2
        assert f"another run of migrate is writing in {folder.parent}; nothing was wri" in run.err
        assert (tree / "jobs" / "job.py").read_text() == JOB
    assert migrate(tree, "--in-place").code == 0
    assert (tree / "jobs" / "job.py").read_text() == NEW


def test_a_run_elsewhere_is_no_obstacle(migrate: Migrate, tree: Path) -> None:
    folder = tree / "data" / JOURNAL
    folder.mkdir()
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert migrate(tree, "--in-place").code == 0


def test_a_place_for_the_originals_is_needed(migrate: Migrate, tree: Path) -> None:
    (tree / JOURNAL).write_text("a file")
    run = migrate(tree, "--in-place")
    assert run.code == 2
    assert f"cannot keep the originals in {tree / JOURNAL}" in run.err
    assert (tree / "jobs" / "job.py").read_text() == JOB


def test_a_symlink_in_place_of_the_journal_is_refused(
    migrate: Migrate, tree: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tree / JOURNAL).symlink_to(outside)
    run = migrate(tree, "--in-place")
    assert run.code == 2
    assert "is a symlink" in run.err
    assert list(outside.iterdir()) == []
    assert (tree / "jobs" / "job.py").read_text() == JOB


@pytest.mark.parametrize("name", ["lock", ".gitignore"])
def test_symlinks_in_the_journal_are_not_followed(
    migrate: Migrate, tree: Path, tmp_path: Path, name: str
) -> None:
    outside = tmp_path / "outside"
    outside.write_text("precious\n")
    (tree / JOURNAL).mkdir()
    (tree / JOURNAL / name).symlink_to(outside)
    migrate(tree, "--in-place")
    assert outside.read_text() == "precious\n"


def naming(path: str) -> str:
    """Return a manifest of one file."""
    files = [{"path": path, "old": "", "new": ""}]
    return json.dumps({"format": 1, "date": "x", "files": files})


OUTSIDE = ["../outside", "jobs/../../outside", "/etc/x", "", ".", "a\0b"]
PRIVATE = [".git/config", "sub/.GIT/hooks/post-merge", ".hg/hgrc", f"{JOURNAL}/lock"]
NOT_OURS = "was not written by this version"
FORGED = [
    ("", NOT_OURS),
    ("[]", NOT_OURS),
    ("[" * 100_000, NOT_OURS),
    ('{"format": 99, "date": "x", "files": []}', NOT_OURS),
    ('{"format": 1, "date": "x", "files": [{"path": "a"}]}', NOT_OURS),
    *((naming(path), "which no run rewrites") for path in OUTSIDE + PRIVATE),
]


@pytest.mark.parametrize(("manifest", "message"), FORGED)
@pytest.mark.parametrize("state", ["pending", "done"])
def test_forged_manifests_are_refused(
    migrate: Migrate, tree: Path, manifest: str, message: str, state: str
) -> None:
    before = described(tree.parent)
    folder = tree / JOURNAL / "0001-0123abcd"
    folder.mkdir(parents=True)
    (folder / f"{state}.json").write_text(manifest)
    (folder / "0").write_text("forged")
    run = migrate("undo", tree, "--force")
    assert run.code == 2
    assert message in run.err
    assert "Traceback" not in run.err
    if state == "pending":
        assert migrate(tree, "--in-place").code == 2
    assert described(tree.parent) == before


def test_damaged_originals_are_not_put_back(migrate: Migrate, tree: Path) -> None:
    (tree / "jobs" / "other.py").write_text(JOB)
    assert migrate(tree, "--in-place").code == 0
    new = described(tree)
    (folder,) = run_folders(tree)
    (folder / "1").write_bytes(b"damaged")
    for options in ([], ["--force"]):
        run = migrate("undo", tree, *options)
        assert run.code == 2
        assert f"{folder / '1'}, the original of jobs/other.py, is damaged" in run.err
        assert described(tree) == new


def test_a_file_edited_between_the_replacements_stays(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tree / "jobs" / "other.py"
    other.write_text(JOB)
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        real(source, target)
        other.write_text("# mine\n")

    monkeypatch.setattr(os, "replace", replace)
    run = migrate(tree, "--in-place")
    assert run.code == 2
    assert "other.py changed during the run" in run.err
    assert (tree / "jobs" / "job.py").read_text() == JOB
    assert other.read_text() == "# mine\n"
    assert not (tree / JOURNAL).exists()


def test_an_edit_between_reading_and_writing_is_refused(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = migrator.run.migrate.scan

    def scan(*arguments: object) -> object:
        report = real(*arguments)  # type: ignore[arg-type]
        (tree / "jobs" / "job.py").unlink()
        return report

    monkeypatch.setattr(migrator.run.migrate, "scan", scan)
    run = migrate(tree, "--in-place")
    assert run.code == 2
    assert "job.py changed during the run" in run.err
    assert not (tree / JOURNAL).exists()
