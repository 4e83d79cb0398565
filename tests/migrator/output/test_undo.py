"""`migrate undo` brings back what runs with --in-place rewrote."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.output.in_place import MAX_RUNS
from migrator.output.journal import JOURNAL, run_folders
from tests.support.migrator.crashes import Described, described
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
NEW = JOB.replace("pyspark.streaming", "dstream_compat")
NOTEBOOK = {
    "cells": [{"cell_type": "code", "metadata": {}, "outputs": [], "source": JOB}],
    "metadata": {"kernelspec": {"language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}


@pytest.fixture
def kinds(tree: Path) -> Path:
    """A project in which files of several kinds are rewritten."""
    (tree / "jobs" / "crlf.py").write_bytes(JOB.replace("\n", "\r\n").encode())
    (tree / "jobs" / "bom.py").write_bytes(b"\xef\xbb\xbf" + JOB.encode())
    (tree / "jobs" / "cookie.py").write_bytes(
        b"# coding: latin-1\n# caf\xe9\n" + JOB.rstrip().encode()
    )
    (tree / "requirements.txt").write_bytes(b"pyspark==2.4.8\r\nrequests")
    (tree / "Dockerfile").write_text("FROM python:2.7\nCOPY . /app\n")
    (tree / "n.ipynb").write_text(json.dumps(NOTEBOOK, indent=1))
    (tree / "submit.sh").write_text(
        "spark-submit --packages org.apache.spark:spark-streaming-kafka-0-8_2.11:2.4.8 "
        "jobs/job.py\n"
    )
    (tree / "submit.sh").chmod(0o750)
    return tree


def rewritten(before: Described, root: Path) -> set[str]:
    """Return the files with another content than before."""
    return {name for name, (data, _, _) in described(root).items() if data != before[name][0]}


def test_all_kinds_of_files_come_back(migrate: Migrate, kinds: Path) -> None:
    before = described(kinds)
    run = migrate(kinds, "--in-place")
    names = {"job", "crlf", "bom", "cookie"}
    assert rewritten(before, kinds) == {
        *(f"jobs/{name}.py" for name in names),
        *("requirements.txt", "Dockerfile", "n.ipynb", "submit.sh"),
    }
    assert f"8 files rewritten in place. To undo this: migrate undo {kinds}\n" in run.out
    new = described(kinds)
    assert {n: mode for n, (_, mode, _) in new.items()} == {n: m for n, (_, m, _) in before.items()}
    # a second run has nothing to write
    second = migrate(kinds, "--in-place")
    assert "To undo this" not in second.out
    assert described(kinds) == new
    assert len(run_folders(kinds)) == 1
    run = migrate("undo", kinds)
    assert (run.code, run.err) == (0, "")
    assert "jobs/crlf.py\n" in run.out
    assert "8 files are as before the run of 2" in run.out
    assert described(kinds) == before
    assert not (kinds / JOURNAL).exists()


def test_the_default_is_the_working_folder(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = described(tree)
    monkeypatch.chdir(tree)
    assert "To undo this: migrate undo .\n" in migrate(".", "--in-place").out
    assert migrate("undo").code == 0
    assert described(tree) == before


@pytest.mark.parametrize("edit", ["change", "remove", "link", "folder"])
def test_edited_files_are_refused(migrate: Migrate, tree: Path, tmp_path: Path, edit: str) -> None:
    (tree / "jobs" / "other.py").write_text(JOB)
    before = described(tree)
    assert migrate(tree, "--in-place").code == 0
    job = tree / "jobs" / "job.py"
    outside = tmp_path / "outside.py"
    outside.write_text("precious\n")
    if edit == "change":
        job.write_text(NEW + "# mine\n")
    else:
        job.unlink()
    if edit == "link":
        job.symlink_to(outside)
    if edit == "folder":
        job.mkdir()
    edited = described(tree)
    run = migrate("undo", tree)
    assert run.code == 2
    assert "jobs/job.py was edited since the run of" in run.err
    assert f"migrate undo --force {tree}" in run.err
    assert described(tree) == edited
    if edit != "folder":
        assert migrate("undo", tree, "--force").code == 0
        assert described(tree) == before
        assert not job.is_symlink()
    assert outside.read_text() == "precious\n"


def test_a_folder_that_is_now_a_symlink_is_not_followed(
    migrate: Migrate, tree: Path, tmp_path: Path
) -> None:
    assert migrate(tree, "--in-place").code == 0
    (tree / "jobs").rename(tmp_path / "moved")
    (tree / "jobs").symlink_to(tmp_path / "moved")
    for options in ([], ["--force"]):
        run = migrate("undo", tree, *options)
        assert run.code == 2
        assert "has become a symlink" in run.err
    assert (tmp_path / "moved" / "job.py").read_text() == NEW


def test_force_makes_removed_folders_anew(migrate: Migrate, tree: Path) -> None:
    assert migrate(tree, "--in-place").code == 0
    for path in (tree / "jobs").iterdir():
        path.unlink()
    (tree / "jobs").rmdir()
    assert migrate("undo", tree, "--force").code == 0
    assert (tree / "jobs" / "job.py").read_text() == JOB


def test_a_file_that_was_put_back_by_hand_is_no_edit(migrate: Migrate, tree: Path) -> None:
    assert migrate(tree, "--in-place").code == 0
    (tree / "jobs" / "job.py").write_text(JOB)
    assert migrate("undo", tree).code == 0
    assert (tree / "jobs" / "job.py").read_text() == JOB


@pytest.mark.slow
def test_runs_are_undone_one_by_one(migrate: Migrate, tree: Path) -> None:
    job = tree / "jobs" / "job.py"
    states = []
    for number in range(MAX_RUNS + 2):
        job.write_text(f"{JOB}# {number}\n")
        states.append(described(tree))
        assert migrate(tree, "--in-place").code == 0
    listed = migrate("undo", "--list", tree)
    assert listed.code == 0
    lines = listed.out.splitlines()
    assert len(lines) == MAX_RUNS
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S+  1 file", line) for line in lines)
    assert migrate("undo", tree).code == 0
    assert described(tree) == states[-1]
    # what was edited after the run before must be put back first
    assert migrate("undo", tree).code == 2
    for state in reversed(states[2:-1]):
        assert migrate("undo", tree, "--force").code == 0
        assert described(tree) == state
    assert migrate("undo", "--list", tree).out == f"No run over {tree} can be undone.\n"
    run = migrate("undo", tree)
    assert (run.code, run.err) == (2, f"migrate: there is no run over {tree} to undo\n")


def test_a_place_without_runs_names_those_near_it(migrate: Migrate, tree: Path) -> None:
    assert migrate(tree / "jobs", "--in-place").code == 0
    run = migrate("undo", tree)
    assert run.code == 2
    assert f"; migrate undo {tree / 'jobs'} undoes one there" in run.err
    assert migrate(tree / "jobs" / "job.py", "--check").code == 0
    (tree / "jobs" / "deep").mkdir()
    assert f"migrate undo {tree / 'jobs'} undoes" in migrate("undo", tree / "jobs" / "deep").err
    assert migrate("undo", tree / "jobs" / "job.py").code == 0
    assert (tree / "jobs" / "job.py").read_text() == JOB


def test_a_file_through_a_symlink(migrate: Migrate, tree: Path) -> None:
    link = tree.parent / "link.py"
    link.symlink_to(tree / "jobs" / "job.py")
    run = migrate(link, "--in-place")
    assert f"migrate undo {link}\n" in run.out
    assert run_folders(tree.parent) == []
    assert migrate("undo", link).code == 0
    assert link.is_symlink()
    assert (tree / "jobs" / "job.py").read_text() == JOB


def test_several_paths_and_patterns(migrate: Migrate, tree: Path) -> None:
    (tree / "more").mkdir()
    (tree / "more" / "other.py").write_text(JOB)
    before = described(tree)
    for paths in ([tree / "more", tree / "jobs" / "job.py"], [f"{tree}/*/*.py"]):
        run = migrate(*paths, "--in-place")
        assert f"To undo this: migrate undo {tree}\n" in run.out
        assert len(rewritten(before, tree)) == 2
        assert migrate("undo", tree).code == 0
        assert described(tree) == before


@pytest.mark.parametrize("name", ["a b", "-x", "$(touch x)", "a\nb", "caf\udce9"])
def test_odd_names(
    migrate: Migrate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    root = tmp_path / name
    root.mkdir()
    (root / f"{name}.py").write_text(JOB)
    monkeypatch.chdir(tmp_path)
    run = migrate("--in-place", "--", name)
    assert (root / f"{name}.py").read_text() == NEW
    if name == "-x":
        assert "To undo this: migrate undo ./-x\n" in run.out
    assert migrate("undo", f"./{name}").code == 0
    assert (root / f"{name}.py").read_text() == JOB


def test_a_long_name(migrate: Migrate, tmp_path: Path) -> None:
    job = tmp_path / ("x" * 250 + ".py")
    job.write_text(JOB)
    assert migrate(job, "--in-place").code == 0
    assert job.read_text() == NEW
    assert migrate("undo", job).code == 0
    assert job.read_text() == JOB


def test_a_hard_link_keeps_the_old_content(migrate: Migrate, tree: Path) -> None:
    copy = tree.parent / "backup.py"
    os.link(tree / "jobs" / "job.py", copy)
    assert migrate(tree, "--in-place").code == 0
    assert copy.read_text() == JOB
    assert migrate("undo", tree).code == 0
    assert copy.read_text() == JOB
    assert (tree / "jobs" / "job.py").read_text() == JOB


def test_owner_and_attributes_are_kept(migrate: Migrate, tree: Path) -> None:
    job = tree / "jobs" / "job.py"
    job.chmod(0o444)
    if os.geteuid() == 0:
        os.chown(job, 1234, 2345)
    try:
        os.setxattr(job, "user.note", b"x")
    except OSError:
        attributes = []
    else:
        attributes = ["user.note"]
    owner = (job.stat().st_uid, job.stat().st_gid)
    for arguments in ([tree, "--in-place"], ["undo", tree]):
        assert migrate(*arguments).code == 0
        assert (job.stat().st_uid, job.stat().st_gid) == owner
        assert stat.S_IMODE(job.stat().st_mode) == 0o444
        assert os.listxattr(job) == attributes


@pytest.mark.parametrize("mode", ["--check", "--diff"])
def test_modes_that_write_nothing_make_no_journal(migrate: Migrate, tree: Path, mode: str) -> None:
    migrate(tree, mode)
    assert not (tree / JOURNAL).exists()


def test_a_tree_without_streams_gets_no_journal(migrate: Migrate, tree: Path) -> None:
    (tree / "jobs" / "job.py").unlink()
    assert migrate(tree, "--in-place").code == 0
    assert not (tree / JOURNAL).exists()


def test_the_journal_is_neither_read_nor_copied_nor_committed(migrate: Migrate, tree: Path) -> None:
    assert migrate(tree, "--in-place").code == 0
    assert (tree / JOURNAL / ".gitignore").read_text() == "*\n"
    run = migrate(tree, "--format", "json")
    assert [f["path"] for f in run.json["files"]] == ["jobs/job.py"]
    assert not (tree.with_name("legacy-migrated") / JOURNAL).exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["undo", "--list", "--force"], "not allowed with argument"),
        (["undo", "a", "b"], "unrecognized arguments: b"),
        (["undo", "missing"], "missing: no such file or folder"),
    ],
)
def test_wrong_use(migrate: Migrate, arguments: list[str], message: str) -> None:
    run = migrate(*arguments)
    assert (run.code, run.out) == (2, "")
    assert message in run.err
