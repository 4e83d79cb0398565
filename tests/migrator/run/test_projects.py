"""Golden projects: every finding is announced by a comment in the sources, and none is missing.

`# expect: D301 D802?` names the findings of its line, with `?` where the receiver is only probably
a streaming object. Where a line has no room for a comment, `# expect 4: D701` names those of line
4.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from migrator.model.report import Confidence
from migrator.run.scan import scan

ROOT = Path(__file__).parents[1] / "projects"
PROJECTS = sorted(p.name for p in ROOT.iterdir() if p.is_dir())
EXPECT = re.compile(r"# expect(?: (?P<line>\d+))?: (?P<codes>[D\d? ]+)")


def announced(project: Path) -> Iterator[str]:
    for path in sorted(project.rglob("*")):
        name = path.relative_to(project).as_posix()
        if path.suffix == ".ipynb":
            cells = json.loads(path.read_text("utf-8"))["cells"]
            for number, cell in enumerate(cells, 1):
                yield from in_text("".join(cell["source"]), f"{name}:cell {number}")
        elif path.is_file() and path.suffix != ".pyc":
            yield from in_text(path.read_text("utf-8"), name)


def in_text(text: str, name: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), 1):
        for match in EXPECT.finditer(line):
            for code in match["codes"].split():
                yield f"{name}:{match['line'] or number} {code}"


def found(project: Path) -> Iterator[str]:
    report = scan(project, "check")
    assert report.internal_errors == 0
    for file in report.files:
        for finding in file.findings:
            name = file.path
            if finding.at.cell is not None:
                name += f":cell {finding.at.cell}"
            mark = "?" if finding.confidence is Confidence.PROBABLE else ""
            yield f"{name}:{finding.at.line} {finding.code}{mark}"


def test_there_are_enough() -> None:
    assert len(PROJECTS) >= 15


@pytest.mark.parametrize("name", PROJECTS)
def test_project(name: str) -> None:
    assert sorted(found(ROOT / name)) == sorted(announced(ROOT / name))
