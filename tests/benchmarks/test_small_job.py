"""A small job on two engines, from the command line to the results."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.fenced import ROOT

DEADLINE = 600


@pytest.mark.slow
@pytest.mark.full
def test_first_output(tmp_path: Path) -> None:
    results = tmp_path / "results.json"
    command = [sys.executable, "-m", "benchmarks", "--quick", "first-output", "--minutes", "0"]
    engines = ["--engine", "dstreams", "--engine", "ours"]

    done = subprocess.run(
        [*command, *engines, "--results", str(results)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    found = json.loads(results.read_text())["jobs"]["first-output"]["measures"]["first"]
    assert found["compared_batches"] == 1
    for engine in ("dstreams", "ours"):
        figures = found["engines"][engine]
        assert figures["rows"] == 10
        assert 0 < figures["wall"]["median"] < figures["first"]["median"] < DEADLINE
        assert figures["cpu"]["median"] > 0
        assert figures["memory"]["median"] > 0
    assert found["ratios"]["dstreams"]["first"]["median"] > 0
