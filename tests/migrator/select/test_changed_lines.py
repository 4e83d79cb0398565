"""`--diff-base`: only changed lines count, and git runs nothing that a repository configures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.select.apply import changed_places
from tests.support.migrator.git import commit, forget_settings, git, watch_commands
from tests.support.migrator.runs import JOB, Run
from tests.support.migrator.samples import CONF

Migrate = Callable[..., Run]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a job and settings, committed on main."""
    forget_settings(monkeypatch, tmp_path)
    root = tmp_path / "repo"
    (root / "jobs").mkdir(parents=True)
    (root / "jobs" / "job.py").write_text(JOB)
    (root / "jobs" / "spark.conf").write_text(CONF)
    git(root, "init", "-q", "-b", "main")
    commit(root)
    return root


def open_places(run: Run) -> list[tuple[str, int]]:
    return [(f["path"], f["line"]) for f in run.json["findings"] if f["suppression"] is None]


def check(migrate: Migrate, root: Path, ref: str = "main") -> Run:
    return migrate(root, "--check", "--notes", "--diff-base", ref, "--format", "json")


def test_nothing_changed(migrate: Migrate, repository: Path) -> None:
    assert migrate(repository, "--check").code == 1
    run = check(migrate, repository)
    assert run.code == 0
    assert open_places(run) == []
    assert run.json["summary"]["findings_suppressed"]["unchanged-line"] == 3
    assert run.json["summary"]["files_rewritten"] == 0


def test_changed_added_and_new(migrate: Migrate, repository: Path) -> None:
    conf = repository / "jobs" / "spark.conf"
    conf.write_text(f"# moved\n{CONF}spark.streaming.raw.maxBlockSizeBytes 6\n")
    (repository / "new.conf").write_text(CONF)
    run = check(migrate, repository)
    assert run.code == 1
    assert open_places(run) == [("jobs/spark.conf", 4), ("new.conf", 1), ("new.conf", 2)]


def test_a_folder_and_a_file_of_the_repository(migrate: Migrate, repository: Path) -> None:
    conf = repository / "jobs" / "spark.conf"
    conf.write_text(CONF + "spark.streaming.raw.maxBlockSizeBytes 6\n")
    assert open_places(check(migrate, repository / "jobs")) == [("spark.conf", 3)]
    assert open_places(check(migrate, conf)) == [("spark.conf", 3)]


def test_what_others_changed_on_the_base_does_not_count(migrate: Migrate, repository: Path) -> None:
    git(repository, "switch", "-q", "-c", "work")
    (repository / "mine.conf").write_text(CONF)
    commit(repository)
    git(repository, "switch", "-q", "main")
    (repository / "jobs" / "spark.conf").write_text("# others removed it\n")
    commit(repository)
    git(repository, "switch", "-q", "work")
    assert open_places(check(migrate, repository)) == [("mine.conf", 1), ("mine.conf", 2)]


def test_only_files_with_a_changed_import_are_rewritten(migrate: Migrate, repository: Path) -> None:
    old = repository / "jobs" / "job.py"
    old.write_text(JOB + "# more\n")
    (repository / "new.py").write_text(JOB)
    before = old.read_text()
    assert migrate(repository, "--in-place", "--allow-dirty", "--diff-base", "main").code == 0
    assert old.read_text() == before
    assert "dstream_compat" in (repository / "new.py").read_text()


def test_a_broken_file_counts_if_anything_in_it_changed(migrate: Migrate, repository: Path) -> None:
    (repository / "old.py").write_text("import pyspark.streaming\nx = [\n")
    commit(repository)
    assert check(migrate, repository).code == 0
    (repository / "old.py").write_text("import pyspark.streaming\nx = [\n# y\n")
    assert open_places(check(migrate, repository)) == [("old.py", 2)]


def test_odd_names(migrate: Migrate, repository: Path) -> None:
    names = ["a b.conf", "-x.conf", "new\nline.conf", "é.conf", "q'\".conf", "a:b.conf"]
    for name in names:
        (repository / name).write_text(CONF)
    commit(repository)
    run = check(migrate, repository)
    # git is asked by lines, so a name with a line end counts as new
    assert {path for path, _ in open_places(run)} == {"new\\x0aline.conf"}


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("nowhere", "git knows no commit nowhere"),
        ("--output=/tmp/x", "git knows no commit --output=/tmp/x"),
        ("main:jobs", "git knows no commit"),
        ("", "--diff-base is empty"),
        ("a\0b", "null character"),
    ],
)
def test_bad_refs(migrate: Migrate, repository: Path, ref: str, message: str) -> None:
    run = migrate(repository, "--check", f"--diff-base={ref}")
    assert (run.code, run.out) == (2, "")
    assert message in run.err


def test_no_repository(
    migrate: Migrate, tmp_path: Path, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    run = migrate(tree, "--check", "--diff-base", "main")
    assert run.code == 2
    assert "--diff-base: git finds no repository at" in run.err
    assert "not a git repository" in run.err


def test_in_a_hook_of_git(
    migrate: Migrate, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository / "new.conf").write_text(CONF)
    monkeypatch.setenv("GIT_DIR", str(repository / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository / ".git" / "index"))
    assert open_places(check(migrate, repository / "jobs")) == []
    assert open_places(check(migrate, repository)) == [("new.conf", 1), ("new.conf", 2)]


def test_no_git(migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    run = migrate(tree, "--check", "--diff-base", "main")
    assert run.code == 2
    assert "--diff-base needs git" in run.err


def test_nothing_that_a_repository_configures_runs(
    migrate: Migrate, repository: Path, tmp_path: Path
) -> None:
    touched = watch_commands(repository, tmp_path / "evil.sh")
    (repository / "jobs" / "spark.conf").write_text(
        CONF + "spark.streaming.raw.maxBlockSizeBytes 6\n"
    )
    run = check(migrate, repository, "HEAD")
    assert open_places(run) == [("jobs/spark.conf", 3)]
    assert not touched.exists()


def test_ends_of_lines_do_not_matter() -> None:
    assert changed_places("a.py", b"a\nb\n", b"a\r\nb\r\n") == set()
    assert changed_places("a.py", b"a\nb\n", b"a\r\nc\r\nb\r\n") == {(None, 2)}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("abc", "abc", ""),
        ("abc", "axc", "2"),
        ("abc", "abxc", "3"),
        ("abc", "ac", ""),
        ("abc", "xabc", "1"),
        ("abc", "abcx", "4"),
        ("", "ab", "12"),
        ("ab", "", ""),
        ("aaa", "aaaa", "4"),
        ("abab", "ab", ""),
        ("abcdef", "aXcdYf", "25"),
    ],
)
def test_lines(old: str, new: str, expected: str) -> None:
    texts = ["".join(f"{letter}\n" for letter in word).encode() for word in (old, new)]
    found = {line for _, line in changed_places("a.py", *texts)}
    # the empty line behind the last end is none of these
    assert found - {len(new) + 1} == {int(number) for number in expected}


def test_cells_of_notebooks() -> None:
    def notebook(*sources: str) -> bytes:
        cells = ",".join(f'{{"cell_type": "code", "source": ["{s}"]}}' for s in sources)
        return f'{{"cells": [{cells}]}}'.encode()

    assert changed_places("n.ipynb", notebook("a", "b"), notebook("a", "b")) == set()
    assert changed_places("n.ipynb", notebook("a", "b"), notebook("a", "c", "b")) == {(2, 1)}
