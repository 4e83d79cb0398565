"""With --in-place, changes that git has not committed or staged are not mixed with others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.output.journal import JOURNAL
from tests.support.migrator.git import commit, forget_settings, git, watch_commands
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
NEW = JOB.replace("pyspark.streaming", "dstream_compat")


@pytest.fixture
def repository(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of a repository, all of it committed."""
    forget_settings(monkeypatch, tmp_path)
    git(tree, "init", "-q", "-b", "main")
    commit(tree)
    return tree


def is_refused(run: Run, root: Path, *said: str) -> bool:
    return (
        run.code == 2
        and all(text in run.err for text in (*said, "--allow-dirty"))
        and "dstream_compat" not in (root / "jobs" / "job.py").read_text()
        and not (root / JOURNAL).exists()
    )


def test_a_clean_tree_is_rewritten(migrate: Migrate, repository: Path) -> None:
    assert migrate(repository, "--in-place").code == 0
    assert (repository / "jobs" / "job.py").read_text() == NEW
    # a run that would rewrite nothing more has nothing to mix
    assert migrate(repository, "--in-place").code == 0
    assert migrate("undo", repository).code == 0
    assert git(repository, "status", "--porcelain") == ""


def test_a_changed_file_is_named(migrate: Migrate, repository: Path) -> None:
    (repository / "jobs" / "plain.py").write_text("print('changed')\n")
    run = migrate(repository, "--in-place")
    assert is_refused(run, repository, "changes are not committed: jobs/plain.py")
    assert migrate(repository, "--in-place", "--allow-dirty").code == 0
    assert (repository / "jobs" / "job.py").read_text() == NEW


def test_many_files_are_counted(migrate: Migrate, repository: Path) -> None:
    for number in range(8):
        (repository / f"{number}.py").write_text(JOB)
    run = migrate(repository, "--in-place")
    assert is_refused(run, repository, "files are not in git: 0.py,", "4.py and 3 more")


def test_other_changes_do_not_count(migrate: Migrate, repository: Path) -> None:
    (repository / "jobs" / "plain.py").write_text("print('staged')\n")
    git(repository, "add", "-A")
    (repository / "report.html").write_text("a file that is not rewritten")
    (repository / "run.sh").write_text("outside of PATH\n")
    assert migrate(repository / "jobs", "--in-place").code == 0
    assert (repository / "jobs" / "job.py").read_text() == NEW


@pytest.mark.slow
@pytest.mark.parametrize("name", ["job.py", "plain.py"])
def test_a_file_that_is_named_itself(migrate: Migrate, repository: Path, name: str) -> None:
    (repository / "jobs" / name).write_text(f"{JOB}# changed\n")
    run = migrate(repository / "jobs" / "job.py", "--in-place")
    if name == "job.py":
        assert is_refused(run, repository, "not committed: job.py")
    else:
        assert run.code == 0


@pytest.mark.slow
def test_a_repository_below_another_one(migrate: Migrate, repository: Path) -> None:
    inner = repository / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    (inner / "own.py").write_text(JOB)
    assert is_refused(migrate(repository, "--in-place"), repository, "not in git: inner/own.py")
    commit(inner)
    assert migrate(repository, "--in-place").code == 0


def test_without_git_there_is_a_way(
    migrate: Migrate, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert is_refused(migrate(repository, "--in-place"), repository, "--in-place needs git")
    assert migrate(repository, "--in-place", "--allow-dirty").code == 0


def test_outside_git_nothing_is_asked(migrate: Migrate, tree: Path) -> None:
    assert migrate(tree, "--in-place").code == 0


def test_nothing_that_a_repository_configures_runs(
    migrate: Migrate, repository: Path, tmp_path: Path
) -> None:
    touched = watch_commands(repository, tmp_path / "evil.sh")
    (repository / "jobs" / "plain.py").write_text("print('no streamz')\n")
    assert is_refused(migrate(repository, "--in-place"), repository, "jobs/plain.py")
    assert not touched.exists()


def test_the_option_is_for_rewriting_in_place(migrate: Migrate, tree: Path) -> None:
    run = migrate(tree, "--check", "--allow-dirty")
    assert run.code == 2
    assert "--in-place only" in run.err
