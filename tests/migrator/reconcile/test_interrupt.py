"""Ctrl-C while Spark starts ends a comparison, and its JVM."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.fenced import ROOT
from tests.support.waiting import wait_for

DEADLINE_SECONDS = 120


@pytest.mark.slow
def test_ctrl_c_while_spark_starts(tmp_path: Path) -> None:
    for side in ("old", "new"):
        folder = tmp_path / side / "counts-1000"
        folder.mkdir(parents=True)
        (folder / "_SUCCESS").touch()
        (folder / "part-00000").write_text("('a', 1)\n")
    process = subprocess.Popen(
        [sys.executable, "-m", "migrator", "reconcile", "old/counts", "new/counts"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    wait_for(lambda: bool(children.read_text()), "a JVM that starts")
    os.killpg(process.pid, signal.SIGINT)
    # a JVM that is left behind would keep the pipe open
    output, _ = process.communicate(timeout=DEADLINE_SECONDS)
    assert process.returncode == 130, output
    assert "migrate: interrupted; nothing was changed\n" in output
