"""Makes the server and runs it on standard input and output."""

from __future__ import annotations

import inspect
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import MethodType
from typing import Any

import anyio
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import ToolAnnotations
from pydantic import ValidationError

from migrator import __version__
from migrator.mcp.tools.checkpoint import checkpoint_show
from migrator.mcp.tools.explain import explain
from migrator.mcp.tools.preview import preview
from migrator.mcp.tools.record import record
from migrator.mcp.tools.remains import remains
from migrator.mcp.tools.scan import scan
from migrator.mcp.tools.verify import verify, verify_wait
from migrator.mcp.workspace import Bounds, Workspace

_INSTRUCTIONS = """\
Moves Spark DStream jobs (pyspark.streaming) to dstream_compat or to plain Structured Streaming.
scan finds the jobs; preview shows what migrate makes of one; remains lists what it leaves to a
person; explain says what a finding means. Write files yourself, or let the user run `migrate`.
Then verify runs the old and the new job over recorded batches: change the new one until they are
equal."""
_READING = ToolAnnotations(read_only_hint=True, open_world_hint=False)
# what jobs do by themselves, as to a database, they do
_RUNNING = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=True)
_RECORDING = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
_READING_TOOLS: tuple[Callable[..., Awaitable[Any]], ...] = (
    scan,
    explain,
    preview,
    remains,
    checkpoint_show,
)


def serve(folder: Path, bounds: Bounds, *, read_only: bool) -> None:
    """Serve the tools on standard input and output until the client closes them.

    Parameters
    ----------
    folder : Path
        The folder outside of which nothing is read or written.
    bounds : Bounds
        What the tools may use.
    read_only : bool
        Whether the tools are left out that write files or run jobs.

    Raises
    ------
    MigrateError
        If there is no such folder.
    """
    workspace = Workspace(folder, bounds)
    anyio.run(_serve, make_server(workspace, read_only=read_only), workspace)


async def _serve(server: MCPServer[Any], workspace: Workspace) -> None:
    async with anyio.create_task_group() as tasks:
        workspace.runs.tasks = tasks
        tasks.start_soon(_end_with_signal, workspace)
        await server.run_stdio_async()
        tasks.cancel_scope.cancel()


async def _end_with_signal(workspace: Workspace) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for number in signals:
            await workspace.commands.end_all()
            print("migrate: ended; no job runs any more", file=sys.stderr, flush=True)
            # a thread waits for standard input, which only the client can end
            os._exit(128 + number)


def make_server(workspace: Workspace, *, read_only: bool) -> MCPServer[Any]:
    """Return a server with the tools for a folder."""
    tools = [_tool(function, workspace, _READING) for function in _READING_TOOLS]
    if not read_only:
        tools += [_tool(record, workspace, _RECORDING), _tool(verify, workspace, _RUNNING)]
        tools.append(_tool(verify_wait, workspace, _READING))
    return MCPServer(
        "migrate",
        version=__version__,
        instructions=_INSTRUCTIONS,
        tools=tools,
        log_level="WARNING",
    )


class _StrictTool(Tool):
    """A tool that says which arguments it takes if it is given others."""

    async def run(self, arguments: dict[str, Any], *rest: Any, **named: Any) -> Any:
        """Run it, see `Tool.run`."""
        try:
            return await super().run(arguments, *rest, **named)
        except ToolError as error:
            wrong = error.__cause__
            if type(error) is not ToolError or not isinstance(wrong, ValidationError):
                raise
            problems = [
                f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in wrong.errors()
            ]
            names = ", ".join(self.parameters["properties"])
            raise ToolError(f"{'; '.join(problems)}; {self.name} takes {names}") from None


def _tool(
    function: Callable[..., Awaitable[Any]], workspace: Workspace, annotations: ToolAnnotations
) -> Tool:
    """Return a tool whose function has the workspace already, and which refuses other arguments."""
    tool = _StrictTool.from_function(
        MethodType(function, workspace),
        description=inspect.getdoc(function),
        annotations=annotations,
    )
    arguments = tool.fn_metadata.arg_model
    # a misspelt argument would be left out without a word
    arguments.model_config["extra"] = "forbid"
    arguments.model_rebuild(force=True)
    tool.parameters = arguments.model_json_schema(by_alias=True)
    return tool
