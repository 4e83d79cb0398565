"""What migrate writes of each golden project parses, keeps every comment, and has one result.

That a second run makes no edit is in `test_second_run`.
"""

from __future__ import annotations

import ast
import io
import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml
from fissix.pgen2.tokenize import COMMENT, generate_tokens

import migrator.run.scan
from migrator.model.report import Report
from migrator.report.json_report import as_dict
from migrator.run.cache import Cache
from migrator.run.scan import scan
from tests.support.migrator.golden_jobs import copy_of
from tests.support.migrator.goldens import ALL_FIXES, GOLDEN
from tests.support.migrator.runs import Run

pytestmark = pytest.mark.slow

Migrate = Callable[..., Run]
LOADERS: dict[str, Callable[[str], object]] = {
    ".json": json.loads,
    ".toml": tomllib.loads,
    ".yaml": yaml.safe_load,
    ".yml": yaml.safe_load,
}


def programs(path: Path) -> Iterator[str]:
    """Yield the Python programs of a file, its cells."""
    if path.suffix == ".py":
        yield path.read_text("utf-8", "replace")
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text("utf-8"))["cells"]
        yield from ("".join(c["source"]) for c in cells if c["cell_type"] == "code")


def parses(text: str) -> bool:
    """Whether this is Python 3, and neither Python 2 nor a cell with a magic."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def comments(text: str) -> list[str]:
    """Return the comments of a program, Python 2 or 3, in order."""
    tokens = generate_tokens(io.StringIO(text + "\n").readline)
    return [str(token[1]) for token in tokens if token[0] == COMMENT]


@pytest.mark.parametrize("project", GOLDEN, ids=lambda path: path.name)
def test_parses_and_keeps_comments(migrate: Migrate, tmp_path: Path, project: Path) -> None:
    root = copy_of(project, tmp_path / "project")
    before = {path: list(programs(path)) for path in root.rglob("*") if path.is_file()}

    assert migrate(root, "--in-place", *ALL_FIXES).code in (0, 1)

    for path, old in before.items():
        for was, now in zip(old, programs(path), strict=True):
            if parses(was):
                kept = iter(comments(now))
                assert all(comment in kept for comment in comments(was)), path
            elif parses(now):  # Python 2, whose converter may add and drop none
                assert Counter(comments(was)) == Counter(comments(now)), path
            else:
                assert path.suffix == ".ipynb", path  # a magic
            assert parses(now) or not parses(was), path
        if load := LOADERS.get(path.suffix):
            load(path.read_text("utf-8"))


@pytest.mark.parametrize("project", GOLDEN, ids=lambda path: path.name)
def test_order_of_files_and_cache_change_nothing(
    tmp_path: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = copy_of(project, tmp_path / "project")
    found = rows(scan(root, "check"))
    walk = migrator.run.scan.walk
    for number in range(2):  # the second run has all results of the first one
        assert rows(scan(root, "check", cache=Cache(root))) == found, number
    monkeypatch.setattr(migrator.run.scan, "walk", lambda *args: reversed(list(walk(*args))))
    assert rows(scan(root, "check")) == found


def rows(report: Report) -> object:
    """Return what a report says, and what its files become."""
    return as_dict(report), [(file.path, file.content) for file in report.files]
