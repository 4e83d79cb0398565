"""The SARIF report: valid, stable, complete."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from migrator.report.sarif_report import render
from migrator.rules.registry import rules
from tests.support.migrator.report_checks import CHECKER
from tests.support.migrator.samples import CONF, hostile, mixed, reported


def log_of(root: Path) -> Any:
    return json.loads(render(reported(root)))


def results(root: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = log_of(root)["runs"][0]["results"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("make", [mixed, hostile])
def test_valid(tmp_path: Path, make: Any) -> None:
    log = log_of(make(tmp_path / "tree"))
    assert [error.message for error in CHECKER.iter_errors(log)] == []
    assert len(log["runs"][0]["results"]) > 5


def test_valid_without_findings(tmp_path: Path) -> None:
    log = log_of(tmp_path)
    assert [error.message for error in CHECKER.iter_errors(log)] == []
    assert log["runs"][0]["results"] == []


def test_the_checker_itself_notices(tmp_path: Path) -> None:
    log = log_of(mixed(tmp_path / "tree"))
    log["runs"][0]["results"][0]["level"] = "bad"
    del log["version"]
    assert len(list(CHECKER.iter_errors(log))) == 2


def test_rules_and_their_indexes(tmp_path: Path) -> None:
    run = log_of(mixed(tmp_path / "tree"))["runs"][0]
    described = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in described] == sorted(rules())
    for result in run["results"]:
        assert described[result["ruleIndex"]]["id"] == result["ruleId"]


def test_levels_places_and_suppressions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = {
        (r["ruleId"], r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]): r
        for r in results(mixed(tmp_path / "tree"))
    }
    flume = found["D203", "tree/jobs/fork.py"]
    assert flume["level"] == "error"
    assert flume["locations"][0]["physicalLocation"]["region"] == {
        "startLine": 7,
        "startColumn": 21,
    }
    assert found["D101", "tree/jobs/fork.py"]["level"] == "note"
    ignored = found["D601", "tree/ignored.py"]["suppressions"]
    assert ignored == [{"kind": "inSource", "justification": "<checked> by [us](http://x)"}]
    assert "suppressions" not in flume


def test_cells_of_notebooks(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": ["import pyspark.streaming as st\n", "st.Foo"]}
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": [cell]}))
    (location,) = results(tmp_path)[-1]["locations"]
    assert "region" not in location["physicalLocation"]
    assert location["logicalLocations"][0]["name"] == "cell 1, line 2"


def test_files_elsewhere_have_whole_uris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    mixed(tmp_path / "a b")
    artifact = results(tmp_path / "a b")[0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert artifact["uri"].startswith("file:///")
    assert "/a%20b/" in artifact["uri"]
    assert "uriBaseId" not in artifact


def test_names_are_quoted_in_uris(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a?b#c%41:é.conf").write_text(CONF)
    (result, _) = results(tmp_path)
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri == "a%3Fb%23c%2541%3A%C3%A9.conf"


def prints(root: Path) -> dict[tuple[str, str], str]:
    return {
        (r["ruleId"], r["message"]["text"]): r["partialFingerprints"]["migrate/v1"]
        for r in results(root)
    }


def test_fingerprints_are_stable(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    before = prints(mixed(root))
    assert len(set(before.values())) == len(before)
    assert prints(root) == before
    path = root / "jobs" / "fork.py"
    path.write_text(path.read_text().replace("ssc = ", "\n# a remark\nssc = ").replace("5)", "6)"))
    assert prints(root) == before


def test_fingerprints_follow_the_code(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text(CONF)
    before = prints(tmp_path)
    (tmp_path / "a.conf").write_text(CONF.replace("Bytes 5", "Bytes 7"))
    after = prints(tmp_path)
    assert len(set(before.values()) - set(after.values())) == 1


def test_equal_lines_have_different_fingerprints(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("spark.streaming.raw.maxBlockSizeBytes 5\n" * 3)
    (tmp_path / "b.conf").write_text("spark.streaming.raw.maxBlockSizeBytes 5\n" * 3)
    found = [r["partialFingerprints"]["migrate/v1"] for r in results(tmp_path)]
    assert len(set(found)) == 6


def test_brackets_and_braces_of_messages_are_text(tmp_path: Path) -> None:
    (tmp_path / "a.conf").write_text("spark.streaming.raw.maxBlockSizeBytes [a](http://b){0}\n")
    (result,) = results(tmp_path)
    assert "[a](http" not in result["message"]["text"].replace("\\[", "")
    assert "{0}" not in result["message"]["text"].replace("{{0}}", "")
