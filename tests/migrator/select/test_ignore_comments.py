"""Ignore comments are written only where they are comments and nothing else changes."""

from __future__ import annotations

import ast
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.select.comments import with_ignores
from tests.support.migrator.notebooks import notebook
from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]
PROJECTS = Path(__file__).parents[1] / "projects"
D601 = frozenset({"D601"})


def ignored(name: str, text: str, line: int, codes: frozenset[str] = D601) -> str | None:
    """The text with a comment for one line, None if there is no place for one."""
    found = with_ignores(name, text.encode(), {(None, line): codes}, "known")
    assert bool(found.places) == (found.content != text.encode())
    return found.content.decode() if found.places else None


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("a = 1\nb = 2\n", 1, "a = 1  # migrate: ignore[D601] known\nb = 2\n"),
        ("a = 1", 1, "a = 1  # migrate: ignore[D601] known"),
        ("a = 1\r\n", 1, "a = 1  # migrate: ignore[D601] known\r\n"),
        ("a = 1  # why\n", 1, "a = 1  # why  # migrate: ignore[D601] known\n"),
        ("if a:\n    b(\n        c,\n    )\n", 3, None),
        # behind a backslash, and in a text of several lines, there are no comments
        ("a = 1 + \\\n    2\n", 1, "# migrate: ignore[D601] known\na = 1 + \\\n    2\n"),
        ("a = 1 + \\\n    b\n", 2, "a = 1 + \\\n    b  # migrate: ignore[D601] known\n"),
        ('a = """\nb\n"""\n', 2, None),
        ('if a:\n    b = """\n"""\n', 2, None),
        # comments that are there already
        (
            "a = 1  # migrate: ignore[D602] why\n",
            1,
            "a = 1  # migrate: ignore[D601, D602] why\n",
        ),
        (
            "# migrate: ignore[D602] why\na = 1\n",
            2,
            "# migrate: ignore[D601, D602] why\na = 1\n",
        ),
        ("#!/usr/bin/python\na = 1\n", 1, None),
        ("# coding: utf-8\nx = '''\n'''\n", 2, None),
        ("print 'x'\n", 1, "print 'x'  # migrate: ignore[D601] known\n"),
    ],
)
def test_python(text: str, line: int, expected: str | None) -> None:
    if expected is None and "c," in text:
        expected = text.replace("c,", "c,  # migrate: ignore[D601] known")
    if expected is None and text.startswith("if a:\n    b = "):
        expected = text.replace("    b", "    # migrate: ignore[D601] known\n    b")

    assert ignored("job.py", text, line) == expected


@pytest.mark.parametrize(
    ("name", "text", "line", "expected"),
    [
        ("a.conf", "x 1\ny 2\n", 2, "x 1\n# migrate: ignore[D601] known\ny 2\n"),
        ("run.sh", "set -e\n  submit\n", 2, "set -e\n  # migrate: ignore[D601] known\n  submit\n"),
        ("run.sh", "submit \\\n  --conf x\n", 2, None),
        ("run.sh", "#!/bin/sh\n", 1, None),
        ("run.sh", "cat <<EOF\nx\nEOF\n", 2, None),
        ("run.sh", 'ssh host "\n  submit\n"\n', 2, None),
        ("a.toml", 'a = """\nb\n"""\n', 2, None),
        (
            "run.sh",
            "# don't\nsubmit 'a'\nx\n",
            3,
            "# don't\nsubmit 'a'\n# migrate: ignore[D601] known\nx\n",
        ),
        ("a.conf", "it's 1\ny\n", 2, "it's 1\n# migrate: ignore[D601] known\ny\n"),
        ("A.scala", "val a = 1\n", 1, "val a = 1  // migrate: ignore[D601] known\n"),
        ("A.java", "/*\n a\n*/\n", 2, None),
        ("A.scala", 'val a = """\nb\n"""\n', 2, None),
        # what has no comments, or where a line may be a piece of text
        ("a.json", '{\n"a": 1}\n', 2, None),
        ("pom.xml", "<a>\n<b/>\n</a>\n", 2, None),
        ("a.yaml", "a: |\n  submit\n", 2, None),
        ("README.md", "text\n", 1, None),
    ],
)
def test_other_files(name: str, text: str, line: int, expected: str | None) -> None:
    assert ignored(name, text, line) == expected


def test_several_places_and_codes() -> None:
    wanted = {(None, 1): frozenset({"D602", "D601"}), (None, 3): D601}

    found = with_ignores("job.py", b"a = 1\nb = 2\nc = 3 + \\\n  4\n", wanted, "")

    assert found.content.decode() == (
        "a = 1  # migrate: ignore[D601, D602]\nb = 2\n# migrate: ignore[D601]\nc = 3 + \\\n  4\n"
    )
    assert found.places == set(wanted)


def test_lines_that_are_not_there() -> None:
    assert ignored("job.py", "a = 1\n", 5) is None
    assert ignored("job.py", "", 1) is None


def test_notebook() -> None:
    data = notebook("%%time\na = 1", "!pip install x\nb = 2").encode()

    # the first cell is text, the second one begins with a magic of its whole cell
    places = {(cell, line) for cell in (1, 2, 3) for line in (1, 2)}
    found = with_ignores("a.ipynb", data, dict.fromkeys(places, D601), "known")

    cells = ["".join(cell["source"]) for cell in json.loads(found.content)["cells"]]
    comment = "# migrate: ignore[D601] known"
    assert cells == [
        "# pyspark.streaming\n",
        f"%%time\na = 1  {comment}",
        f"{comment}\n!pip install x\nb = 2  {comment}",
    ]
    assert found.places == {(2, 2), (3, 1), (3, 2)}


@pytest.mark.slow
def test_all_findings_of_the_golden_projects_are_ignored(migrate: Migrate, tmp_path: Path) -> None:
    root = tmp_path / "projects"
    shutil.copytree(PROJECTS, root, ignore=shutil.ignore_patterns("__pycache__"))
    before = {path: path.read_bytes() for path in root.rglob("*.py")}

    run = migrate(root, "--add-ignores")

    # every project that is added has some more
    ignored = re.match(r"Comments ignore (\d+) ", run.out)
    assert ignored is not None and int(ignored[1]) > 50
    left = [line for line in run.out.splitlines() if line.startswith("  ")]
    # in commands of several lines
    assert {line.split(",")[0].strip() for line in left} == {"airflow_submit/submit.sh"}
    assert run.code == 1
    for path, data in before.items():
        assert ast.dump(ast.parse(path.read_bytes())) == ast.dump(ast.parse(data)), path
    found = migrate(root, "--check", "--format", "json").json
    open_findings = [f for f in found["findings"] if f["severity"] != "info" and not f["fixed"]]
    assert {f["path"] for f in open_findings if f["suppression"] is None} == {
        "airflow_submit/submit.sh"
    }
    assert "D009" not in {f["code"] for f in found["findings"]}
    # nothing is left for a second run, and the first one can be undone
    assert migrate(root, "--add-ignores").out.startswith("Comments ignore 0")
    migrate("undo", root)
    assert {path: path.read_bytes() for path in root.rglob("*.py")} == before
