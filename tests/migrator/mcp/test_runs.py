"""Which verifications are kept for whoever asks for them later."""

from __future__ import annotations

from typing import Any

import anyio
import pytest
from mcp.server.mcpserver.exceptions import ToolError

from migrator.mcp import runs
from tests.support.migrator.assistant import run_apart


def test_finished_verifications_are_kept_up_to_a_number() -> None:
    async def work(progress: Any) -> str:
        return "done"

    async def start_all() -> runs.Runs:
        known = runs.Runs()
        async with anyio.create_task_group() as tasks:
            known.tasks = tasks
            for number in range(1, runs._MOST_RUNS + 2):
                run = known.start(work)
                while not run.is_finished:
                    await anyio.sleep(0)
                if number == runs._MOST_RUNS:
                    assert known.find("verify-1").is_finished
        return known

    known = run_apart(start_all)
    with pytest.raises(ToolError, match="verify-1"):
        known.find("verify-1")
    for number in range(2, runs._MOST_RUNS + 2):
        assert known.find(f"verify-{number}").is_finished
