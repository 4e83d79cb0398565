"""The definition of the pre-commit hook, used as pre-commit does."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.migrator.runs import JOB

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())


def test_definition() -> None:
    (hook,) = HOOKS
    # what pre-commit itself asks for
    assert {"id", "name", "entry", "language"} <= set(hook)
    assert hook["language"] == "python"
    # otherwise pre-commit would give the changed files as further paths
    assert hook["pass_filenames"] is False


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (hook,) = HOOKS
    script, *rest = shlex.split(hook["entry"])
    assert script == "migrate"
    return subprocess.run(
        [sys.executable, "-m", "migrator", *rest, *(arguments or hook["args"])],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_passes_and_fails(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n")
    assert run(tmp_path).returncode == 0
    (tmp_path / "job.py").write_text(JOB)
    done = run(tmp_path)
    assert done.returncode == 1
    assert "job.py" in done.stdout
    assert run(tmp_path, "--ignore", "D101", ".").returncode == 0


@pytest.mark.parametrize("path", [".", "jobs"])
def test_other_arguments(tmp_path: Path, path: str) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "jobs" / "job.py").write_text(JOB)
    assert run(tmp_path, "--fail-on", "never", path).returncode == 0
