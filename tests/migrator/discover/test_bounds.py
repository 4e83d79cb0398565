"""How far from a file others are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.discover.neighbours import neighbours
from migrator.discover.paths import WITHIN, is_within, with_parents
from migrator.select.config import read_config


def test_without_a_bound_all_parents_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(WITHIN, raising=False)
    assert list(with_parents(tmp_path)) == [tmp_path, *tmp_path.parents]
    assert is_within(Path("/"))


def test_parents_end_at_the_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(WITHIN, str(tmp_path / "a"))
    inner = tmp_path / "a" / "b" / "c"
    assert list(with_parents(inner)) == [inner, inner.parent, tmp_path / "a"]
    assert list(with_parents(tmp_path / "a")) == [tmp_path / "a"]
    assert list(with_parents(tmp_path)) == []


def test_symlinks_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "out").symlink_to(tmp_path / "b")
    (tmp_path / "b" / "in").symlink_to(tmp_path / "a")
    monkeypatch.setenv(WITHIN, str(tmp_path / "a"))
    assert not is_within(tmp_path / "a" / "out")
    assert not is_within(tmp_path / "a" / ".." / "b")
    assert is_within(tmp_path / "b" / "in" / "x")
    assert not is_within(tmp_path / "ab")


def test_modules_above_the_bound_are_no_neighbours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".git").mkdir()
    jobs = tmp_path / "jobs"
    jobs.mkdir()
    for folder in (tmp_path, jobs):
        (folder / "__init__.py").touch()
    (tmp_path / "streams.py").touch()
    (jobs / "job.py").touch()
    monkeypatch.delenv(WITHIN, raising=False)
    assert "../streams.py" in neighbours(jobs).sources
    monkeypatch.setenv(WITHIN, str(jobs))
    assert set(neighbours(jobs).sources) == {"job.py", "__init__.py"}


def test_settings_above_the_bound_are_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.migrate]\nignore = ['D1']\n")
    jobs = tmp_path / "jobs"
    jobs.mkdir()
    monkeypatch.delenv(WITHIN, raising=False)
    assert read_config(jobs).ignore == ("D1",)
    monkeypatch.setenv(WITHIN, str(jobs))
    assert read_config(jobs).ignore == ()
    (jobs / "pyproject.toml").symlink_to(tmp_path / "pyproject.toml")
    assert read_config(jobs).ignore == ()
