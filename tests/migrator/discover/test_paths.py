"""Files, folders and patterns on the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.discover.paths import Selection, select
from migrator.discover.walk import walk
from tests.support.migrator.runs import JOB, Run

Migrate = Callable[..., Run]
OLD, NEW = "from pyspark.streaming", "from dstream_compat"


@pytest.fixture
def jobs(tmp_path: Path) -> Path:
    root = tmp_path / "jobs"
    for name in ("a/x.py", "a/y.py", "a/deep/z.py", "b/x.py", "c.py", "notes.txt"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(JOB)
    return root


def names(selection: Selection) -> list[str]:
    return [s.relative for s in walk(selection.root, selection.chosen)]


def test_one_path(jobs: Path) -> None:
    assert select([jobs]) == Selection(jobs)
    assert select([jobs / "c.py"]) == Selection(jobs / "c.py")
    assert select([jobs, jobs / "c.py", jobs / "a"]) == Selection(jobs)


def test_several_paths(jobs: Path) -> None:
    assert select([jobs / "c.py", jobs / "a"]) == Selection(jobs, ("a", "c.py"))
    assert names(select([jobs / "c.py", jobs / "a"])) == ["a/x.py", "a/y.py", "a/deep/z.py", "c.py"]
    assert select([jobs / "a" / "x.py", jobs / "a" / "y.py"]) == Selection(
        jobs / "a", ("x.py", "y.py")
    )


def test_patterns(jobs: Path) -> None:
    assert names(select([f"{jobs}/**/x.py"])) == ["a/x.py", "b/x.py"]
    assert select([f"{jobs}/[c].py"]) == Selection(jobs / "c.py")
    assert names(select([f"{jobs}/?"])) == ["a/x.py", "a/y.py", "a/deep/z.py", "b/x.py"]


def test_a_name_that_looks_like_a_pattern(jobs: Path) -> None:
    (jobs / "[c].py").write_text(JOB)
    assert select([jobs / "[c].py"]) == Selection(jobs / "[c].py")


def test_patterns_find_no_links(jobs: Path) -> None:
    (jobs / "link.py").symlink_to("c.py")
    assert select([f"{jobs}/*.py"]) == Selection(jobs / "c.py")


def test_named_links_stand_for_what_they_point_to(migrate: Migrate, jobs: Path) -> None:
    outside = jobs.parent / "outside.py"
    outside.write_text(JOB)
    (jobs / "link.py").symlink_to(outside)
    (jobs / "folder").symlink_to("a")
    assert select([jobs / "link.py"]) == Selection(jobs / "link.py")
    out = jobs.parent / "out"
    assert migrate(jobs / "link.py", jobs / "folder", jobs / "b", "--output", out).code == 0
    assert OLD not in (out / "outside.py").read_text()
    assert OLD not in (out / "jobs" / "a" / "x.py").read_text()


def test_patterns_that_match_nothing(migrate: Migrate, jobs: Path) -> None:
    run = migrate(f"{jobs}/*.scala", "--check")
    assert (run.code, run.out) == (2, "")
    assert "*.scala: no such file or folder, and as a pattern it matches nothing" in run.err


def test_only_what_was_named_is_rewritten(migrate: Migrate, jobs: Path) -> None:
    assert migrate(jobs / "a" / "x.py", jobs / "b", "--in-place").code == 0
    changed = {p.relative_to(jobs).as_posix() for p in jobs.rglob("*.py") if NEW in p.read_text()}
    assert changed == {"a/x.py", "b/x.py"}


def test_only_what_was_named_is_copied(migrate: Migrate, jobs: Path) -> None:
    out = jobs.parent / "out"
    assert migrate(jobs / "a" / "deep", jobs / "c.py", "--output", out).code == 0
    written = {p.relative_to(out).as_posix() for p in out.rglob("*.*") if p.is_file()}
    assert written == {"a/deep/z.py", "c.py", ".migrate-output"}
    assert all(OLD not in p.read_text() for p in out.rglob("*.py"))
    assert migrate(out, "--check").code == 0


def test_several_paths_need_a_place(migrate: Migrate, jobs: Path) -> None:
    run = migrate(jobs / "a", jobs / "b")
    assert run.code == 2
    assert "name a folder to write to with --output" in run.err


def test_the_output_must_not_be_in_what_is_read(migrate: Migrate, jobs: Path) -> None:
    assert migrate(jobs / "a", jobs / "b", "--output", jobs / "a" / "out").code == 2
    run = migrate(jobs / "a", jobs / "b", "--output", jobs / "out")
    assert run.code == 0
    assert OLD not in (jobs / "out" / "a" / "x.py").read_text()


def test_json_names_files_from_their_common_folder(migrate: Migrate, jobs: Path) -> None:
    found = migrate(jobs / "a" / "x.py", jobs / "c.py", "--check", "--format", "json").json
    assert [f["path"] for f in found["files"]] == ["a/x.py", "c.py"]
    assert found["summary"]["path"] == f"{jobs}/a/x.py {jobs}/c.py"
