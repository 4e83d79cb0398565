"""`--format` and `--report FILE`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.report.formats import FORMATS, HEAD_BYTES, is_report, render
from tests.support.migrator.reports import tree_hash
from tests.support.migrator.runs import Run
from tests.support.migrator.samples import hostile, mixed, reported

Migrate = Callable[..., Run]
NAMES = ("r.html", "r.htm", "r.json", "r.sarif", "r.md", "r.markdown", "r.txt", "R.HTML")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_on_standard_output(migrate: Migrate, tmp_path: Path, name: str) -> None:
    run = migrate(mixed(tmp_path / "tree"), "--check", "--format", name)
    assert run.code == 1
    assert run.err == ""
    assert "D203" in run.out


def test_several_at_once(migrate: Migrate, tmp_path: Path) -> None:
    tree = mixed(tmp_path / "tree")
    before = tree_hash(tree)
    options = [part for name in NAMES for part in ("--report", tmp_path / name)]
    run = migrate(tree, "--check", "--format", "json", *options)
    assert run.code == 1
    assert json.loads((tmp_path / "r.json").read_text()) == run.json
    assert (tmp_path / "r.html").read_text() == (tmp_path / "R.HTML").read_text()
    assert json.loads((tmp_path / "r.sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "r.md").read_text().startswith("<!-- report of migrate -->")
    assert "D203 error" in (tmp_path / "r.txt").read_text()
    assert tree_hash(tree) == before
    assert (tmp_path / "r.txt").stat().st_mode & 0o777 == 0o644


def test_text_names_the_files(migrate: Migrate, tmp_path: Path) -> None:
    run = migrate(mixed(tmp_path / "tree"), "--check", "--report", tmp_path / "r.html")
    assert f"Report: {tmp_path / 'r.html'}" in run.out


@pytest.mark.slow
def test_a_report_is_replaced_by_the_next(migrate: Migrate, tmp_path: Path) -> None:
    tree = mixed(tmp_path / "tree")
    for name in NAMES:
        assert migrate(tree, "--check", "--report", tmp_path / name).code == 1
        (tmp_path / name).write_text((tmp_path / name).read_text() + "\n")
        assert migrate(tree, "--check", "--report", tmp_path / name).code == 1
        assert not (tmp_path / name).read_text().endswith("\n\n\n")
    (tmp_path / "empty.md").touch()
    assert migrate(tree, "--check", "--report", tmp_path / "empty.md").code == 1


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("README.md", "the file exists and is not a report of migrate"),
        ("job.py", "the ending decides the format; use one of .txt, .json, .html"),
        ("noending", "the ending decides the format"),
        ("missing/r.html", "does not exist"),
        ("folder.html", "not a file; choose another name"),
        ("", "--report is empty"),
        ("a\0b.html", "--report contains a null character"),
    ],
)
def test_refused_before_any_work(
    migrate: Migrate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    mixed(tmp_path / "tree")
    (tmp_path / "README.md").write_text("# Mine, about how to migrate\n")
    (tmp_path / "folder.html").mkdir()
    monkeypatch.chdir(tmp_path)
    before = tree_hash(tmp_path)
    run = migrate("tree", "--report", name)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
    assert tree_hash(tmp_path) == before


def test_a_folder_that_cannot_be_written(
    migrate: Migrate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mixed(tmp_path / "tree")

    def refuse(source: str, target: Path) -> None:
        raise PermissionError(13, "Permission denied", target)

    monkeypatch.setattr(os, "replace", refuse)
    run = migrate(tmp_path / "tree", "--check", "--report", tmp_path / "r.html")
    assert run.code == 2
    assert "cannot write the report" in run.err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["tree"]


@pytest.mark.parametrize("make", [mixed, hostile])
@pytest.mark.parametrize("name", FORMATS)
def test_reports_are_known_by_their_head(
    tmp_path: Path, make: Callable[[Path], Path], name: str
) -> None:
    text = render(reported(make(tmp_path / "tree")), name).encode()
    assert is_report(text)
    assert is_report(text[:HEAD_BYTES])
    assert not is_report(b"# about migrate\n" + b" " * HEAD_BYTES + text)


@pytest.mark.slow
def test_reports_in_the_tree_are_not_read(migrate: Migrate, tmp_path: Path) -> None:
    tree = mixed(tmp_path / "tree")
    for name in ("r.json", "r.html", "r.md", "r.txt", "r.sarif"):
        assert migrate(tree, "--check", "--report", tree / name).code == 1
    found = migrate(tree, "--check", "--format", "json").json
    assert not [f for f in found["files"] if Path(f["path"]).name.startswith("r.")]


def test_diff_goes_with_reports_in_files(migrate: Migrate, tmp_path: Path) -> None:
    tree = mixed(tmp_path / "tree")
    run = migrate(tree, "--diff", "--report", tmp_path / "r.json")
    assert run.out.startswith("--- a/")
    assert json.loads((tmp_path / "r.json").read_text())["summary"]["mode"] == "diff"


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_found(migrate: Migrate, tmp_path: Path, name: str) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    run = migrate(tmp_path, "--check", "--format", name)
    assert (run.code, run.err) == (0, "")
    assert run.out
