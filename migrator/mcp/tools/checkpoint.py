"""The tool `checkpoint_show`: what a checkpoint of Spark's DStreams holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from migrator.mcp.analysis import ResultPart
from migrator.mcp.commands import DSTREAM_COMPAT
from migrator.mcp.pages import clip, first
from migrator.mcp.workspace import Workspace

_MOST = 100


class CheckpointState(ResultPart):
    """A state of a checkpoint."""

    number: int
    operator: str
    saved_batches: list[int]
    """Milliseconds since the epoch, the last ones."""
    bytes: int | None


class CheckpointSource(ResultPart):
    """A source of a checkpoint."""

    number: int
    stream: str
    files: int
    """How many files it knows."""
    position: list[str]
    """Of Kafka: topic, partition, and the offset at which the job goes on."""


class Checkpoint(ResultPart):
    """What a checkpoint holds; times in milliseconds since the epoch."""

    folder: str
    application: str
    interval_ms: int
    last_batch: int
    saved_as_of: int | None
    """The batch as of which states are saved."""
    not_saved: str | None
    """Why none are."""
    pending_batches: list[int]
    states: list[CheckpointState]
    sources: list[CheckpointSource]
    unread: list[str]
    """What could not be read."""


async def checkpoint_show(
    workspace: Workspace,
    folder: Annotated[
        str, Field(description="the checkpoint folder of the old job, in the server's folder")
    ],
) -> Checkpoint:
    """Show what a checkpoint folder of Spark's own DStreams holds: batches, states, positions.

    It is only read, and no pickle in it is loaded, so nothing of it runs.
    """
    place = workspace.folder(folder)
    result = await workspace.commands.run(
        ["checkpoint", "show", "--format", "json", os.fspath(place)],
        workspace.bounds.seconds,
        module=DSTREAM_COMPAT,
        # it looks for modules of the job in its working folder, which are not to run
        folder=Path("/"),
    )
    if result.code:
        raise ToolError("\n".join(result.messages[-20:]) or f"exit code {result.code}")
    values = result.values()
    return Checkpoint(
        folder=workspace.relative_path(place),
        application=clip(values["application"]),
        interval_ms=values["interval_ms"],
        last_batch=values["last_batch"],
        saved_as_of=values["saved_as_of"],
        not_saved=values["not_saved"],
        pending_batches=values["pending_batches"][-_MOST:],
        states=[_state(state) for state in first(values["states"], _MOST)],
        sources=[_source(source) for source in first(values["sources"], _MOST)],
        unread=[clip(text) for text in first(values["unread"], _MOST)],
    )


def _state(values: dict[str, Any]) -> CheckpointState:
    return CheckpointState(
        number=values["number"],
        operator=values["operator"],
        saved_batches=values["saved_batches"][-_MOST:],
        bytes=values["bytes"],
    )


def _source(values: dict[str, Any]) -> CheckpointSource:
    positions = [f"{topic} {part} {at}" for topic, part, at in values["position"]]
    return CheckpointSource(
        number=values["number"],
        stream=clip(values["stream"]),
        files=sum(map(len, values["files"].values())),
        position=first(positions, _MOST),
    )
