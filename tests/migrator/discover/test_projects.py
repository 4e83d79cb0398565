"""Which project of a tree a file belongs to."""

from __future__ import annotations

from pathlib import Path

import pytest

from migrator.discover.projects import Projects
from migrator.model.projects import concern


def tree(root: Path, *files: str) -> Projects:
    for name in files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    return Projects(root)


def test_a_tree_without_signs_is_one_project(tmp_path: Path) -> None:
    found = tree(tmp_path, "a.py", "jobs/b.py", "conf/c.conf", "docs/README.md", "lib/README.md")
    assert [found.name(p) for p in ("a.py", "jobs/b.py", "conf/c.conf")] == ["", "", ""]


def test_folders_without_signs_are_one_project(tmp_path: Path) -> None:
    found = tree(tmp_path, "jobs/b.py", "conf/c.conf", "docs/README.md")
    assert [found.name(p) for p in ("jobs/b.py", "conf/c.conf")] == ["", ""]


@pytest.mark.parametrize("marker", [".git/HEAD", "pyproject.toml", "setup.py", "setup.cfg"])
def test_a_marked_folder_is_a_project(tmp_path: Path, marker: str) -> None:
    found = tree(tmp_path, "a.py", f"inner/{marker}", "inner/src/b.py", "other/c.py")
    assert [found.name(p) for p in ("a.py", "inner/src/b.py", "other/c.py")] == ["", "inner", ""]


def test_a_folder_of_projects(tmp_path: Path) -> None:
    files = ("one/README.md", "one/src/a.py", "two/LICENSE", "two/b.py", "three/c.py", "index.json")
    found = tree(tmp_path, *files, "run.sh")
    names = [found.name(p) for p in ("one/src/a.py", "two/b.py", "three/c.py", "run.sh")]
    assert names == ["one", "two", "three", "./*"]


def test_owners_and_names(tmp_path: Path) -> None:
    found = tree(tmp_path, "x/one/README.md", "x/one/a.py", "x/two/README.md", "y/one/a.py")
    assert [found.name(p) for p in ("x/one/a.py", "x/two/b.py", "y/one/a.py")] == [
        *("x/one", "x/two", "y"),
    ]


def test_within_a_project_only_marked_folders_are_others(tmp_path: Path) -> None:
    tree(tmp_path, "setup.py", "sub/one/README.md", "sub/two/README.md", "sub/three/setup.py")
    found = Projects(tmp_path / "sub")
    names = [found.name(p) for p in ("one/a.py", "two/a.py", "three/a.py")]
    assert names == ["", "", "three"]


@pytest.mark.parametrize("beside", ["README.md", "run_all.py", "LICENSE", ".gitignore"])
def test_what_lies_beside_projects(tmp_path: Path, beside: str) -> None:
    files = ("one/README.md", "one/src/a.py", "two/README.md", "two/b.py", "docs/index.md")
    found = tree(tmp_path, beside, *files)
    names = [found.name(p) for p in ("one/src/a.py", "two/b.py", beside)]
    assert names == ["one", "two", "./*"]


@pytest.mark.parametrize("other", ["package/a.py", "package/deep/a.ipynb", ".git/HEAD", "setup.py"])
def test_what_has_folders_of_its_own_beside_is_a_project(tmp_path: Path, other: str) -> None:
    files = ("README.md", "docs/README.md", "docs/conf.py", "jobs/README.md", "jobs/a.py")
    found = tree(tmp_path, *files, other)
    assert [found.name(p) for p in ("docs/conf.py", "jobs/a.py", other)] == ["", "", ""]


def test_folders_of_a_project_are_none(tmp_path: Path) -> None:
    inner = ("one/README.md", "one/a/README.md", "one/a/a.py", "one/b/README.md", "one/b/b.py")
    found = tree(tmp_path, *inner, "two/README.md", "two/c.py")
    assert [found.name(p) for p in ("one/a/a.py", "one/b/b.py", "two/c.py")] == [
        *("one", "one", "two"),
    ]


def test_a_repository_above_says_nothing_of_the_tree(tmp_path: Path) -> None:
    tree(tmp_path, ".git/HEAD", "sub/one/README.md", "sub/two/README.md")
    found = Projects(tmp_path / "sub")
    assert [found.name(p) for p in ("one/a.py", "two/a.py")] == ["one", "two"]


def test_projects_that_share_a_job_are_one(tmp_path: Path) -> None:
    found = tree(tmp_path, "one/setup.py", "two/setup.py", "three/setup.py")
    found.join(["two/job.py", "one/lib.py"])
    found.join(["two/other.py"])
    assert [found.name(p) for p in ("one/a.py", "two/a.py", "three/a.py")] == [
        "one",
        "one",
        "three",
    ]


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("a", "a", True),
        ("a", "b", False),
        ("", "a/b", True),
        ("a/b", "a", True),
        ("a", "ab", False),
        ("./*", "a", False),
        ("./*", "./*", True),
        ("x/*", "x/y", False),
    ],
)
def test_what_counts_for_another(one: str, other: str, expected: bool) -> None:
    assert concern(one, other) is concern(other, one) is expected


def test_a_file_is_its_own_tree(tmp_path: Path) -> None:
    tree(tmp_path, "job.py")
    assert Projects(tmp_path / "job.py").name("job.py") == ""
