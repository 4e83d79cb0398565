"""The tool `checkpoint_show`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.fenced import ROOT
from tests.support.migrator.assistant import Assistant, talk

pytestmark = pytest.mark.slow

FIXTURES = ROOT / "tests" / "dstream_compat" / "old_checkpoint" / "fixtures"


def test_what_a_checkpoint_holds(tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / "lagging", tmp_path / "checkpoint")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}

    async def work(assistant: Assistant) -> None:
        found = await assistant.result("checkpoint_show", folder="checkpoint")
        assert found["folder"] == "checkpoint"
        assert found["interval_ms"] == 1000
        assert found["last_batch"] >= found["saved_as_of"]
        assert found["states"][0]["bytes"] > 0
        assert found["sources"][0]["stream"]
        wrong = await assistant.call("checkpoint_show", folder="checkpoint", load_pickles=True)
        assert "load_pickles" in wrong.error

    talk(tmp_path, work)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
