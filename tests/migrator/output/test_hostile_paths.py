"""Nothing is written outside the output folder, whatever files are called and links point to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.reports import tree_hash
from tests.support.migrator.runs import JOB, Run
from tests.support.migrator.samples import hostile

Migrate = Callable[..., Run]
NAMES = (
    "a\\..\\..\\outside.py",
    "-rf.py",
    "--in-place.py",
    "~.py",
    "$(touch outside).py",
    "`touch outside`.py",
    "%2e%2e%2foutside.py",
    "a\nb.py",
    "file:.py",
    "con.py",
    " .py",
    "x" * 200 + ".py",
)


@pytest.fixture
def nest(tmp_path: Path) -> Path:
    """A folder for a tree with odd names, its outputs and its reports."""
    tree = tmp_path / "nest" / "tree"
    tree.mkdir(parents=True)
    for name in NAMES:
        (tree / name).write_text(JOB)
    return tree


@pytest.mark.parametrize("reports", [(), ("r.html", "r.md", "r.sarif", "r.json", "r.txt")])
def test_only_the_output_is_written(
    migrate: Migrate, tmp_path: Path, nest: Path, reports: tuple[str, ...]
) -> None:
    before = tree_hash(nest)
    options = [part for name in reports for part in ("--report", nest.parent / name)]
    assert migrate(nest, *options).code == 0
    output = nest.with_name("tree-migrated")
    assert {p.name for p in nest.parent.iterdir()} == {"tree", "tree-migrated", *reports}
    assert {p.name for p in output.iterdir()} == {*NAMES, ".migrate-output"}
    assert all("dstream_compat" in (output / name).read_text() for name in NAMES)
    assert tree_hash(nest) == before
    assert [p.name for p in tmp_path.iterdir()] == ["nest"]


def test_links_out_of_the_tree_are_neither_read_nor_written(
    migrate: Migrate, tmp_path: Path, nest: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "job.py").write_text(JOB)
    (nest / "link.py").symlink_to(outside / "job.py")
    (nest / "folder").symlink_to(outside)
    before = tree_hash(outside)
    run = migrate(nest, "--in-place", "--format", "json")
    assert {f["path"] for f in run.json["files"]} == {n.replace("\n", "\\x0a") for n in NAMES}
    assert tree_hash(outside) == before


def test_a_hostile_tree_through_every_way_out(migrate: Migrate, tmp_path: Path) -> None:
    tree = hostile(tmp_path / "nest" / "tree")
    before = tree_hash(tree)
    for arguments in (["--check"], ["--diff"], ["--check", "--group-by", "rule"], []):
        run = migrate(tree, *arguments)
        assert run.code == 1
        if "--diff" not in arguments:
            # a patch has the bytes of the files, everything else is made safe
            assert "\x1b" not in run.out
        assert "\x1b" not in run.err
    assert tree_hash(tree) == before
    assert {p.name for p in tree.parent.iterdir()} == {"tree", "tree-migrated"}
