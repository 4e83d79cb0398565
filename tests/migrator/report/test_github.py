"""Annotations for GitHub: one command for each finding, and no more."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from migrator.report.github_report import render
from tests.support.migrator.report_checks import commands
from tests.support.migrator.samples import CONF, hostile, mixed, reported


def test_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = commands(render(reported(mixed(tmp_path / "tree"))))
    by_code = {
        properties["title"].split()[0]: (level, properties) for level, properties, _ in found
    }
    assert by_code["D203"] == (
        "error",
        {"file": "tree/jobs/fork.py", "line": "7", "col": "21", "title": "D203 flume"},
    )
    assert by_code["D703"][0] == "warning"
    assert by_code["D704"][0] == "notice"
    assert by_code["D101"][0] == "notice"
    assert "D601" not in by_code


def test_one_command_for_each_finding_whatever_is_in_the_files(tmp_path: Path) -> None:
    report = reported(hostile(tmp_path / "tree"))
    text = render(report)
    expected = sum(f.suppression is None for _, f in report.findings())
    assert len(commands(text)) == expected
    assert not [line for line in text.splitlines() if line.startswith("##")]
    assert "\x1b" not in text
    assert len(text.splitlines()) == expected + text[: text.index("::endgroup")].count("\n") + 1


def test_a_cell_is_named_in_words(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": ["import pyspark.streaming as st\n", "st.Foo"]}
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": [cell]}))
    _, properties, message = commands(render(reported(tmp_path)))[-1]
    assert "line" not in properties
    assert message.startswith("cell 1, line 2: ")


def test_properties_are_escaped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a,b::c%0A=d.conf").write_text(CONF)
    text = render(reported(tmp_path))
    assert "file=a%2Cb%3A%3Ac%250A=d.conf,line=1" in text
