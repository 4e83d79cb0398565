"""The example that only runs on ours: what it prints, against the same rules in plain Python."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.support.legacy.driven import drive
from tests.support.legacy.harness import blocks, command, environment
from tests.support.legacy.plans import SOCKET, job
from tests.support.legacy.rolling import SLIDE, WINDOW, expected, ticks

SCRIPT = "rolling_statistics.py"


def printed(stdout: str) -> dict[str, list[Counter[str]]]:
    """Return the same of what a job printed: three outputs, the last in every second batch."""
    found: dict[str, list[Counter[str]]] = {"statistics": [], "warnings": [], "counts": []}
    batches: dict[str, list[Any]] = {}
    for block in blocks(stdout.splitlines()):
        assert not block.cut
        batches.setdefault(block.time, []).append(Counter(block.elements))
    for outputs in batches.values():
        for name, content in zip(found, outputs, strict=False):
            found[name].append(content)
    return found


@pytest.mark.slow
@pytest.mark.full
def test_prints_what_plain_python_computes(tmp_path: Path) -> None:
    seconds = ticks()
    plan = tmp_path / "plan.json"
    plan.write_text(json.dumps([job(SCRIPT, [*SOCKET, WINDOW, SLIDE], seconds)]), encoding="utf-8")
    (ran,) = drive("compat", plan, tmp_path)
    assert ran["problems"] == []
    rules = expected(seconds)
    assert sum(map(len, rules["warnings"])) > 10, "the ticks cause warnings"
    assert rules["counts"][-1] != rules["counts"][-3], "the window moves"
    assert printed(ran["stdout"]) == rules


@pytest.mark.slow
def test_usage(tmp_path: Path) -> None:
    result = subprocess.run(
        command("compat", SCRIPT, []),
        cwd=tmp_path,
        env=environment("compat"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode not in (0, 126, 127)
    assert result.stderr.strip().splitlines()[-1].startswith(f"Usage: {SCRIPT} ")
    assert list(tmp_path.iterdir()) == []
