"""The tool `verify_wait`: the result of a verification that took longer than a call."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver import Context
from pydantic import Field

from migrator.mcp.tools.verify import VerifyAnswer, WaitSeconds, answer
from migrator.mcp.workspace import Workspace


async def verify_wait(
    workspace: Workspace,
    context: Context,
    run: Annotated[str, Field(description="the run that `verify` has named")],
    wait_seconds: WaitSeconds = 40.0,
) -> VerifyAnswer:
    """Wait for a verification that has not ended when `verify` answered, and give its result.

    Call it again for as long as the status is running. A cancelled call ends the verification.
    """
    return await answer(workspace, context, workspace.runs.find(run), wait_seconds)
