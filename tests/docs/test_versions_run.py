"""The tests of other versions run where they can, and say where they cannot."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts import test_versions as versions
from tests.support.fenced import ROOT

PAGE = (ROOT / "docs" / "versions.md").read_text(encoding="utf-8")


def test_every_python_that_is_claimed_is_run() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    claimed = re.findall(r"Python :: (3\.\d+)", project)
    run = {c.python for name, c in versions.COMBINATIONS.items() if name.startswith("python-")}
    assert run == set(claimed)
    assert f"| Python | {', '.join(claimed)} |" in PAGE


def test_every_pyspark_that_is_claimed_is_run() -> None:
    run = {re.findall(r"4\.\d+", c.pyspark)[0] for c in versions.COMBINATIONS.values()}
    assert f"| PySpark | {', '.join(sorted(run))} |" in PAGE
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f'"pyspark>={min(run)},<5"' in project


def test_the_page_names_combinations_that_there_are() -> None:
    named = re.findall(r"(?:pyspark|python)-\d\.\d+", PAGE)
    assert named and set(named) <= set(versions.COMBINATIONS)


@pytest.mark.parametrize("run", [*versions.RUNS.values(), *versions.SMOKE.values()])
def test_files_of_runs_are_there(run: list[str]) -> None:
    for argument in run:
        if argument.startswith("tests/"):
            path, *name = argument.split("::")
            assert (ROOT / path).is_file()
            assert not name or f"def {name[0].partition('[')[0]}(" in (ROOT / path).read_text()


def test_own_python_is_found() -> None:
    assert Path(versions.find_python(versions.OWN)).exists()


def test_missing_python_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stub = tmp_path / "python3.13"
    stub.write_text("#!/bin/sh\nexit 127\n")
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setattr(versions, "OWN", "3.0")
    assert versions.main(["python-3.13"]) == 0
    told = "skipped: there is no Python 3.13 here, on the PATH or of pyenv"
    assert capsys.readouterr().out.count(told) == 2, "when it is skipped, and in the table"


def test_unknown_names_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        versions.main(["pyspark-3.5"])
    assert ended.value.code == 2
    assert "pyspark-3.5 is none of pyspark-4.1, " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("printed", "code", "said", "passed"),
    [
        ("==== 3 passed, 1 skipped in 12.30s ====", 0, "3 passed, 1 skipped in 12.30s", True),
        ("== 1 failed, 2 passed in 75.00s (0:01:15) ==", 1, "1 failed, 2 passed in 75.00s", False),
        ("Fatal Python error", 3, "no summary (exit code 3)", False),
    ],
)
def test_table(
    printed: str,
    code: int,
    said: str,
    passed: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = [sys.executable, "-c", f"print({printed!r}); raise SystemExit({code})"]
    run = versions.pytest
    monkeypatch.setattr(versions, "environment", lambda *_: Path(sys.executable))
    monkeypatch.setattr(versions, "pytest", lambda _: run(command))
    assert versions.main(["--smoke", "pyspark-4.1"]) == (0 if passed else 1)
    (line,) = [row for row in lines(capsys) if row.startswith("pyspark-4.1  smoke  ")]
    assert said in line
    assert line.endswith("FAILED") is not passed


def lines(capsys: Any) -> list[str]:
    return str(capsys.readouterr().out).splitlines()
