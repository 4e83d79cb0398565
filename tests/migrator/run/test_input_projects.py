"""Projects in Python 2, Scala and Java, with every finding written beside its cause.

A comment `expect: D101=fixed D303` lists the findings of its own line, `expect(+2): D703` those of
the second line below. Whatever is not listed must not be found.
"""

from __future__ import annotations

import ast
import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

from migrator.run.scan import scan
from migrator.source.python2 import convert

PROJECTS = Path(__file__).parents[1] / "input_projects"
NAMES = sorted(p.name for p in PROJECTS.iterdir())
_EXPECT = re.compile(r"expect(?:\(([+-]\d+)\))?: ((?:D\d{3}(?:=fixed)? ?)+)")
Places = dict[tuple[str, int | None, int], list[str]]


def parts(path: Path) -> list[tuple[int | None, str]]:
    """The text of a file, or of each cell of a notebook."""
    text = path.read_bytes().decode("utf-8", "replace")
    if path.suffix != ".ipynb":
        return [(None, text)]
    return [(n, "".join(cell["source"])) for n, cell in enumerate(json.loads(text)["cells"], 1)]


def expected(root: Path) -> Places:
    found: Places = defaultdict(list)
    for path in root.rglob("*"):
        for cell, text in parts(path) if path.is_file() else ():
            for number, line in enumerate(text.splitlines(), 1):
                for offset, codes in _EXPECT.findall(line):
                    place = (path.relative_to(root).as_posix(), cell, number + int(offset or 0))
                    found[place] += codes.split()
    return {place: sorted(codes) for place, codes in found.items()}


@pytest.mark.parametrize("name", NAMES)
def test_findings(name: str) -> None:
    found: Places = defaultdict(list)
    report = scan(PROJECTS / name, "check")
    for file, finding in report.findings():
        code = f"{finding.code}=fixed" if finding.fixed else finding.code
        found[file.path, finding.at.cell, finding.at.line].append(code)
    assert {place: sorted(codes) for place, codes in found.items()} == expected(PROJECTS / name)
    assert report.internal_errors == 0


@pytest.mark.parametrize("name", NAMES)
def test_what_is_written(name: str) -> None:
    """Imports move, everything else stays: Python 2 as Python 2."""
    for file in scan(PROJECTS / name, "check").files:
        if file.content is None:
            continue
        assert file.content == file.original.replace(
            b"from pyspark.streaming", b"from dstream_compat"
        )
        if file.path.endswith(".py"):
            ast.parse(convert(file.content.decode()).converted)


def test_every_project_expects_something() -> None:
    assert len(NAMES) == 4
    assert all(len(expected(PROJECTS / name)) >= 8 for name in NAMES)
