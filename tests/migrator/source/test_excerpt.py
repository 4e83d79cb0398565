"""Excerpts of lines, however long the line is."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from migrator.model.report import Spot
from migrator.source.excerpt import source_text
from tests.support.migrator.runs import Run

pytestmark = pytest.mark.slow

Migrate = Callable[..., Run]


@pytest.mark.parametrize("width", [20, 40, 200])
@pytest.mark.parametrize(
    "line",
    ["abX", "X", "    X", "\tif a:\tXyz\t", "a" * 500 + "X", "X" + "b" * 500,
     "a" * 500 + "X" + "b" * 500, " " * 300 + "X" + " " * 300],
)  # fmt: skip
def test_the_place_is_in_the_excerpt(line: str, width: int) -> None:
    found = source_text("a.py", f"first\n{line}\n".encode()).excerpt(
        Spot(2, line.index("X") + 1), width
    )
    assert found is not None
    assert found.text[found.column] == "X"
    assert len(found.text) <= width
    if len(line) < width:
        assert found.text == line.strip().expandtabs(4) or "\t" in line
        assert "..." not in found.text


@pytest.mark.parametrize("at", [Spot(1, 1), Spot(9, 1), Spot(1, 1, 3)])
def test_nothing_there(at: Spot) -> None:
    assert source_text("a.py", b"   \n").excerpt(at, 40) is None


def test_a_place_behind_the_end() -> None:
    found = source_text("a.py", b"abc\n").excerpt(Spot(1, 99), 40)
    assert found is not None
    assert found.text == "abc"


def test_bytes_that_are_no_text_are_replaced() -> None:
    assert source_text("a.py", b"# \xe9\n").line(Spot(1, 1)) == "# \ufffd"
    assert source_text("a.ipynb", b"not json\n").line(Spot(1, 1)) == "not json"


@pytest.mark.parametrize("name", ["text", "html", "markdown", "sarif", "github"])
def test_one_line_with_thousands_of_findings(migrate: Migrate, tmp_path: Path, name: str) -> None:
    settings = {f"spark.streaming.unknown{n}": "x" * 500 for n in range(1000)}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    run = migrate(tmp_path, "--check", "--fail-on-bugs", "--format", name)
    assert run.code == 1
    # far less than every finding with the whole line
    assert len(run.out) < 10_000_000


def test_lone_surrogates_in_a_notebook(migrate: Migrate, tmp_path: Path) -> None:
    source = 'import pyspark.streaming  # migrate: ignore[D101] \\ud800\\nx = "\\ud800"'
    (tmp_path / "n.ipynb").write_text(
        f'{{"cells": [{{"cell_type": "code", "source": "{source}"}}]}}'
    )
    for name in ("text", "html", "markdown", "sarif", "github", "json"):
        run = migrate(tmp_path, "--check", "--format", name)
        assert run.err == ""
        assert run.code in (0, 1)
