"""`.gitignore`, as git reads it."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest

from migrator.discover.walk import is_ignored, parse, walk
from tests.support.programs import program


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("import pyspark.streaming\n")


def seen(root: Path) -> list[str]:
    return [source.relative for source in walk(root)]


def git(root: Path, *arguments: str) -> str:
    """What git says, in a world without anybody's own settings."""
    env = {
        **os.environ,
        "HOME": str(root),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }
    command = [program("git"), "-c", "core.quotePath=false", *arguments]
    return subprocess.run(
        command, cwd=root, env=env, capture_output=True, text=True, check=True
    ).stdout


def test_gitignore(tmp_path: Path) -> None:
    make(
        tmp_path, "a.py", "gen_a.py", "build/x.py", "sub/gen_b.py", "sub/keep/gen_c.py", "sub/d.py"
    )
    (tmp_path / ".gitignore").write_text("# c\n\ngen_*.py\n/build/\n")
    (tmp_path / "sub" / "keep").joinpath(".gitignore").write_text("!gen_c.py\n")
    assert seen(tmp_path) == ["a.py", "sub/d.py", "sub/keep/gen_c.py"]


def test_ignore_files_of_the_repository_around(tmp_path: Path) -> None:
    make(tmp_path, "part/a.py", "part/gen.py", "part/local.py", "part/deep/c.py")
    (tmp_path / ".gitignore").write_text("gen.py\ndeep/\n")
    assert seen(tmp_path / "part") == ["a.py", "gen.py", "local.py", "deep/c.py"]
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("local.py\n")
    assert seen(tmp_path / "part") == ["a.py"]
    assert seen(tmp_path) == ["part/a.py"]


def test_an_ignored_folder_that_is_named_is_looked_at(tmp_path: Path) -> None:
    make(tmp_path, "build/a.py", "build/gen.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("build/\n")
    assert seen(tmp_path) == []
    assert seen(tmp_path / "build") == ["a.py", "gen.py"]
    assert seen(tmp_path / "build" / "gen.py") == ["gen.py"]


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbfgen.py\r\n",
        b"gen.py",
        b"a[\n!\n\\\ngen.py\n",
        b"[z-a]\ngen.py\n",
        b"\xff\ngen.py",
    ],
)
def test_odd_ignore_files(tmp_path: Path, content: bytes) -> None:
    make(tmp_path, "a.py", "gen.py")
    (tmp_path / ".gitignore").write_bytes(content)
    assert seen(tmp_path) == ["a.py"]


def test_linked_and_unreadable_ignore_files_are_none(tmp_path: Path) -> None:
    make(tmp_path, "root/a.py", "root/sub/b.py")
    (tmp_path / "patterns").write_text("*.py\n")
    (tmp_path / "root" / ".gitignore").symlink_to(tmp_path / "patterns")
    (tmp_path / "root" / "sub" / ".gitignore").mkdir()
    assert seen(tmp_path / "root") == ["a.py", "sub/b.py"]


@pytest.mark.parametrize(
    ("pattern", "path", "folder", "ignored"),
    [
        ("*.py", "a/b/c.py", False, True),
        ("*.py", "a/b/c.pyc", False, False),
        ("/a.py", "a.py", False, True),
        ("/a.py", "b/a.py", False, False),
        ("b/a.py", "b/a.py", False, True),
        ("b/a.py", "x/b/a.py", False, False),
        ("build/", "build", False, False),
        ("build/", "x/build", True, True),
        ("a/**/z", "a/z", False, True),
        ("a/**/z", "a/b/c/z", False, True),
        ("**/z", "a/b/z", False, True),
        ("a/**", "a/b/c", False, True),
        ("a/*", "a/b", False, True),
        ("a/*", "a/b/c", False, False),
        ("?.py", "a.py", False, True),
        ("?.py", "ab.py", False, False),
        ("[ab].py", "b.py", False, True),
        ("[!ab].py", "b.py", False, False),
        ("[z-a].py", "b.py", False, False),
        ("a[", "a[", False, False),
        (r"\#x", "#x", False, True),
        (r"\!x", "!x", False, True),
        ("x  ", "x", False, True),
        ("#x", "#x", False, False),
        ("a+b", "a+b", False, True),
        ("[[]x", "[x", False, True),
        ("[a&&b]", "&", False, True),
    ],
)
def test_patterns(pattern: str, path: str, folder: bool, ignored: bool) -> None:
    assert is_ignored([parse(pattern, "/r")], f"/r/{path}", folder) is ignored


PATTERNS = (
    *("*.py", "!*.py", "/a.py", "a/", "!a/", "/a/", "b/a.py", "!b/a.py", "a/**", "**/b", "!**/b"),
    *("a/*/b.py", "*", "!*/", "!b.py", "?.py", "[ab].py", "[!a].py", "b", "/b/*", "!/b/a"),
    *("a\\.py", "[z-a].py", "a[", "!", "**", "/**/", "a//b.py", " ", "a.py  "),
)
FOLDERS = ("", "a/", "b/", "a/b/", "b/a/", "a/b/a/")


@pytest.mark.parametrize("seed", range(8))
def test_the_same_files_as_git(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    git(tmp_path, "init", "-q")
    make(tmp_path, *(f"{folder}{name}.py" for folder in FOLDERS for name in "ab"))
    for folder in chance.sample(FOLDERS, 3):
        lines = chance.choices(PATTERNS, k=3)
        (tmp_path / folder / ".gitignore").write_text("\n".join(lines) + "\n")
    shown = git(tmp_path, "ls-files", "--others", "--exclude-standard").splitlines()
    assert sorted(seen(tmp_path)) == sorted(n for n in shown if not n.endswith(".gitignore"))
