"""Converted functions do under Python 3 what the originals do under Python 2.7.

`behaviour/*.json` holds what Python 2.7 has given for the calls of each module. Each run compares
these files with Python 2.7; `MIGRATE_UPDATE_GOLDEN=1` writes them anew.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from migrator.python2.convert import convert_program
from tests.support.old_python import python2

FOLDER = Path(__file__).parent / "behaviour"
CALLS = Path(__file__).parents[2] / "support" / "migrator" / "python2_calls.py"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py2"))


def results(python: str, path: Path) -> Any:
    command = [python, os.fspath(CALLS), os.fspath(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_there_are_modules() -> None:
    assert len(NAMES) == 6
    assert sum(len(json.loads((FOLDER / f"{n}.json").read_text())) for n in NAMES) >= 50


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_python_2_gives_what_is_recorded(name: str) -> None:
    found = results(python2(), FOLDER / f"{name}.py2")
    recorded = FOLDER / f"{name}.json"
    if os.environ.get("MIGRATE_UPDATE_GOLDEN"):
        recorded.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    assert found == json.loads(recorded.read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_python_3_gives_the_same(name: str, tmp_path: Path) -> None:
    source = (FOLDER / f"{name}.py2").read_text("utf-8")
    converted = tmp_path / f"{name}.py2"
    text = convert_program({None: source}).texts[None]
    converted.write_text(text, "utf-8")
    expected = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    for one, other in zip(results(sys.executable, converted), expected, strict=True):
        assert one == other
