"""What is written, where, and what survives a failure in the middle."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

import migrator.output.journal
import migrator.output.tree
import migrator.run.migrate
from migrator import __version__
from tests.support.migrator.reports import tree_hash
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
NEW = JOB.replace("pyspark.streaming", "dstream_compat")


@pytest.fixture
def out(tree: Path) -> Path:
    return tree.with_name("legacy-migrated")


def test_the_whole_tree_is_copied(migrate: Migrate, tree: Path, out: Path) -> None:
    (tree / ".env").write_text("A=1\n")
    before = tree_hash(tree)
    assert migrate(tree).code == 0
    assert (out / "jobs" / "job.py").read_text() == NEW
    for name in ("jobs/plain.py", "data/input.csv", "run.sh", ".env"):
        assert (out / name).read_bytes() == (tree / name).read_bytes()
        assert (out / name).stat().st_mode == (tree / name).stat().st_mode
    assert tree_hash(tree) == before
    marker = json.loads((out / ".migrate-output").read_text())
    assert marker == {"tool": "migrate", "version": __version__, "source": str(tree)}


def test_metadata_environments_and_caches_stay_behind(
    migrate: Migrate, tree: Path, out: Path
) -> None:
    for name in (".git", "__pycache__", ".mypy_cache", "env"):
        (tree / name).mkdir()
        (tree / name / "file").write_text("x")
    (tree / "env" / "pyvenv.cfg").write_text("")
    assert migrate(tree).code == 0
    assert sorted(p.name for p in out.iterdir()) == [".migrate-output", "data", "jobs", "run.sh"]


def test_own_output_is_replaced(migrate: Migrate, tree: Path, out: Path) -> None:
    assert migrate(tree).code == 0
    (tree / "run.sh").unlink()
    assert migrate(tree).code == 0
    assert not (out / "run.sh").exists()
    assert sorted(p.name for p in tree.parent.iterdir()) == ["legacy", "legacy-migrated"]


@pytest.mark.parametrize("marker", [None, "", "{}", "[]", '{"tool": "other"}', "\xff"])
def test_foreign_folders_are_refused(
    migrate: Migrate, tree: Path, out: Path, marker: str | None
) -> None:
    out.mkdir()
    (out / "precious").write_text("x")
    if marker is not None:
        (out / ".migrate-output").write_text(marker, "latin-1")
    before = tree_hash(tree.parent)
    run = migrate(tree)
    assert run.code == 2
    assert "was not made by migrate" in run.err
    assert tree_hash(tree.parent) == before


def test_files_and_links_at_the_destination_are_refused(
    migrate: Migrate, tree: Path, out: Path
) -> None:
    out.write_text("a file")
    assert migrate(tree).code == 2
    out.unlink()
    assert migrate(tree).code == 0
    link = tree.with_name("link")
    link.symlink_to(out)
    assert migrate(tree, "--output", link).code == 2
    link.unlink()
    link.symlink_to("nowhere")
    assert migrate(tree, "--output", link).code == 2


def test_output_elsewhere(migrate: Migrate, tree: Path, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    run = migrate(tree, "--output", tmp_path / "deep" / "new", "--format", "json")
    assert run.code == 0
    assert run.json["summary"]["output"] == str(tmp_path / "deep" / "new")
    assert (tmp_path / "deep" / "new" / "jobs" / "job.py").read_text() == NEW


def test_path_with_dots_and_slash(
    migrate: Migrate, tree: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree / "jobs")
    assert migrate("..").code == 0
    assert out.is_dir()
    assert migrate("./").code == 0
    assert (tree / "jobs-migrated" / "job.py").read_text() == NEW


def test_earlier_output_inside_the_tree_is_left_out(
    migrate: Migrate, tree: Path, out: Path
) -> None:
    assert migrate(tree / "jobs").code == 0
    assert (tree / "jobs-migrated").is_dir()
    run = migrate(tree, "--format", "json")
    assert [f["path"] for f in run.json["files"]] == ["jobs/job.py"]
    assert not (out / "jobs-migrated").exists()


def test_links(migrate: Migrate, tree: Path, out: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.py").write_text(JOB)
    (tree / "relative.py").symlink_to("jobs/job.py")
    (tree / "absolute.py").symlink_to(tree / "jobs" / "job.py")
    (tree / "out.py").symlink_to("../outside.py")
    (tree / "folder").symlink_to(tmp_path)
    (tree / "dangling").symlink_to("nowhere")
    run = migrate(tree, "--format", "json")
    assert [f["path"] for f in run.json["files"]] == ["jobs/job.py"]
    assert (out / "relative.py").read_text() == NEW
    assert os.readlink(out / "absolute.py") == "jobs/job.py"
    assert (out / "out.py").read_text() == JOB
    assert (tmp_path / "outside.py").read_text() == JOB
    assert (out / "folder").is_symlink()
    assert os.readlink(out / "dangling") == "nowhere"


def test_special_files_are_neither_opened_nor_copied(
    migrate: Migrate, tree: Path, out: Path
) -> None:
    os.mkfifo(tree / "pipe.py")
    assert migrate(tree).code == 0
    assert not (out / "pipe.py").exists()


def test_read_only_folders(migrate: Migrate, tree: Path, out: Path) -> None:
    (tree / "data").chmod(0o555)
    assert migrate(tree).code == 0
    assert stat.S_IMODE((out / "data").stat().st_mode) == 0o555
    assert migrate(tree).code == 0
    (tree / "data").chmod(0o755)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_while_copying_leaves_the_old_tree(
    migrate: Migrate,
    tree: Path,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
) -> None:
    assert migrate(tree).code == 0
    before = tree_hash(tree.parent)

    def copy2(*_: object) -> None:
        raise error

    monkeypatch.setattr(migrator.output.tree.shutil, "copy2", copy2)
    run = migrate(tree)
    assert run.code == (2 if isinstance(error, OSError) else 130)
    assert "Traceback" not in run.err
    assert tree_hash(tree.parent) == before


def test_a_failure_while_renaming_restores_the_old_tree(
    migrate: Migrate, tree: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert migrate(tree).code == 0
    before = tree_hash(tree.parent)
    real = os.rename

    def rename(source: Path, target: Path) -> None:
        if ".migrating" in str(source):
            raise OSError(5, "Input/output error")
        real(source, target)

    monkeypatch.setattr(migrator.output.tree.os, "rename", rename)
    run = migrate(tree)
    assert run.code == 2
    assert "Input/output error" in run.err
    monkeypatch.undo()
    assert tree_hash(tree.parent) == before


def identity(path: Path) -> tuple[int, ...]:
    """Return what changes when a file is written, unlike the time when it was read last."""
    info = path.stat()
    return info.st_ino, info.st_mtime_ns, info.st_ctime_ns, info.st_mode


def test_in_place(migrate: Migrate, tree: Path, out: Path) -> None:
    job = tree / "jobs" / "job.py"
    job.chmod(0o750)
    plain = identity(tree / "jobs" / "plain.py")
    assert migrate(tree, "--in-place").code == 0
    assert job.read_text() == NEW
    assert stat.S_IMODE(job.stat().st_mode) == 0o750
    assert identity(tree / "jobs" / "plain.py") == plain
    assert not out.exists()
    assert sorted(p.name for p in job.parent.iterdir()) == ["job.py", "plain.py"]
    before = tree_hash(tree)
    assert migrate(tree, "--in-place").code == 0
    assert tree_hash(tree) == before


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_in_place_changes_all_files_or_none(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    (tree / "jobs" / "zzz.py").write_text(JOB)
    real = os.replace
    calls = []

    def replace(source: Path, target: Path) -> None:
        if tree in Path(target).parents:
            calls.append(target)
            if len(calls) == 2:
                raise error
        real(source, target)

    monkeypatch.setattr(migrator.output.journal.os, "replace", replace)
    run = migrate(tree, "--in-place")
    assert run.code == (2 if isinstance(error, OSError) else 130)
    # the first was replaced, the second was not, the first was put back
    first, second = sorted(set(calls))
    assert calls == [first, second, first]
    assert (tree / "jobs" / "job.py").read_text() == JOB
    assert (tree / "jobs" / "zzz.py").read_text() == JOB
    assert len(list((tree / "jobs").iterdir())) == 3


def test_in_place_notices_that_a_file_changed(
    migrate: Migrate, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = migrator.run.migrate.scan
    job = tree / "jobs" / "job.py"

    def scan(*arguments: object) -> object:
        report = real(*arguments)  # type: ignore[arg-type]
        job.write_text("# edited meanwhile\n")
        return report

    monkeypatch.setattr(migrator.run.migrate, "scan", scan)
    run = migrate(tree, "--in-place")
    assert run.code == 2
    assert "changed during the run" in run.err
    assert job.read_text() == "# edited meanwhile\n"


def test_in_place_through_a_link(migrate: Migrate, tree: Path) -> None:
    link = tree.parent / "link.py"
    link.symlink_to(tree / "jobs" / "job.py")
    assert migrate(link, "--in-place").code == 0
    assert link.is_symlink()
    assert (tree / "jobs" / "job.py").read_text() == NEW


def test_single_file(migrate: Migrate, tree: Path) -> None:
    job = tree / "jobs" / "job.py"
    job.chmod(0o755)
    run = migrate(job, "--format", "json")
    assert run.code == 0
    assert [f["path"] for f in run.json["files"]] == ["job.py"]
    new = job.with_name("job-migrated.py")
    assert new.read_text() == NEW
    assert stat.S_IMODE(new.stat().st_mode) == 0o755
    assert job.read_text() == JOB
    # again: it is what would be written
    assert migrate(job).code == 0
    new.write_text("mine")
    assert migrate(job).code == 2
    assert new.read_text() == "mine"
    assert sorted(p.name for p in job.parent.iterdir()) == ["job-migrated.py", "job.py", "plain.py"]


def test_single_file_to_a_file_or_folder(migrate: Migrate, tree: Path, tmp_path: Path) -> None:
    job = tree / "jobs" / "job.py"
    assert migrate(job, "--output", tmp_path / "new.py").code == 0
    assert (tmp_path / "new.py").read_text() == NEW
    assert migrate(job, "--output", tree / "data").code == 0
    assert (tree / "data" / "job.py").read_text() == NEW
    assert migrate(job, "--output", job).code == 2
    assert migrate(job, "--output", job.parent).code == 2


def test_single_file_without_edits(migrate: Migrate, tmp_path: Path) -> None:
    conf = tmp_path / "spark-defaults.conf"
    conf.write_text("spark.streaming.raw.maxBlockSizeBytes 5\n")
    run = migrate(conf)
    assert run.code == 1
    assert "D703" in run.out
    assert [p.name for p in tmp_path.iterdir()] == ["spark-defaults.conf"]


def test_source_named_like_a_marker_stays(migrate: Migrate, tree: Path, out: Path) -> None:
    """A migrated tree can be migrated again; its marker is not copied but made anew."""
    assert migrate(tree).code == 0
    (out / "jobs" / "job.py").write_text(JOB)
    assert migrate(out).code == 0
    second = out.with_name("legacy-migrated-migrated")
    assert json.loads((second / ".migrate-output").read_text())["source"] == str(out)
