"""What a job of Python 2 computed, it computes after its calls were rewritten."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import Run

pytestmark = pytest.mark.slow

PROJECT = Path(__file__).parents[1] / "projects" / "python2_calls"
# what Python 2.7.18 prints for visits.py
EXPECTED = """\
('a', 2)
[('a', 0), ('b', 1)]
3
[True, False, True]
q=a+b/x%20y
A-B
3
52
"""


def test_the_functions_give_what_python_2_gave(migrate: Callable[..., Run], tmp_path: Path) -> None:
    root = tmp_path / "project"
    shutil.copytree(PROJECT, root)
    before = run(root)
    assert before.returncode == 1
    assert migrate(root, "--in-place", "--no-cache").code == 1
    after = run(root)
    assert (after.stdout, after.stderr) == (EXPECTED, "")
    # one receiver is not known to be a dict
    assert migrate(root, "--in-place", "--no-cache", "--unsafe-fixes").code == 0
    job = (root / "job.py").read_text("utf-8")
    assert 'lambda record: ("user" in record)' in job
    again = migrate(root, "--check", "--no-cache")
    assert again.code == 0, again.out


def run(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "visits.py"]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
