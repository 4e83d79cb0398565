"""Projects in Python 2, Scala and Java, with every finding written beside its cause.

A comment `expect: D101=fixed D303` lists the findings of its own line, `expect(+2): D703` those of
the second line below. Whatever is not listed must not be found.
"""

from __future__ import annotations

import ast
import io
import json
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest
from fissix.pgen2.tokenize import COMMENT, generate_tokens

from migrator.discover.filetypes import FileType, type_of
from migrator.run.analyse_file import analyse
from migrator.run.scan import scan
from migrator.source.decode import decode_python

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
        code = f"{finding.code}=fixed" if finding.is_fixed else finding.code
        found[file.path, finding.at.cell, finding.at.line].append(code)
    assert {place: sorted(codes) for place, codes in found.items()} == expected(PROJECTS / name)
    assert report.internal_errors == 0


def comments(text: str) -> Counter[str]:
    return Counter(t[1] for t in generate_tokens(io.StringIO(text).readline) if t[0] == COMMENT)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("python2")])
def test_what_is_converted(name: str) -> None:
    """Python 3 with the same comments, whose lines without a finding are the same."""
    converted = [f for f in scan(PROJECTS / name, "check").files if f.conversion is not None]
    assert len(converted) == 2
    for file in converted:
        assert file.content is not None
        assert (
            analyse(file.path, type_of(file.path) or FileType.PYTHON, file.content).content is None
        )
        if file.path.endswith(".ipynb"):
            continue
        before, after = (decode_python(data).text for data in (file.original, file.content))
        ast.parse(after)
        assert comments(before) == comments(after)
        touched = {f.at.line for f in file.findings if f.is_fixed}
        same = [line for n, line in enumerate(before.splitlines(), 1) if n not in touched]
        rest = iter(after.splitlines())
        assert all(line in rest for line in same)


def test_every_project_expects_something() -> None:
    assert len(NAMES) == 4
    assert all(len(expected(PROJECTS / name)) >= 8 for name in NAMES)
