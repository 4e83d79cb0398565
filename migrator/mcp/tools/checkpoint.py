"""The tool `checkpoint_show`: what a checkpoint of Spark's DStreams holds."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import AfterValidator, BeforeValidator, Field

from migrator.mcp.commands import DSTREAM_COMPAT
from migrator.mcp.pages import ResultPart, ShortText, first
from migrator.mcp.workspace import Workspace

_MOST = 100
_LastBatches = Annotated[list[int], AfterValidator(lambda batches: batches[-_MOST:])]


def _count(files: dict[str, list[Any]]) -> int:
    return sum(map(len, files.values()))


def _texts(position: list[Any]) -> list[str]:
    return [f"{topic} {partition} {at}" for topic, partition, at in position]


class CheckpointState(ResultPart):
    """A state of a checkpoint."""

    number: int
    operator: str
    saved_batches: _LastBatches
    """Milliseconds since the epoch, the last ones."""
    bytes: int | None


class CheckpointSource(ResultPart):
    """A source of a checkpoint."""

    number: int
    stream: ShortText
    files: Annotated[int, BeforeValidator(_count)]
    """How many files it knows."""
    position: Annotated[list[str], BeforeValidator(_texts), first(_MOST)]
    """Of Kafka: topic, partition, and the offset at which the job goes on."""


class Checkpoint(ResultPart):
    """What a checkpoint holds; times in milliseconds since the epoch."""

    folder: str
    application: ShortText
    interval_ms: int
    last_batch: int
    saved_as_of: int | None
    """The batch as of which states are saved."""
    not_saved: str | None
    """Why none are."""
    pending_batches: _LastBatches
    states: Annotated[list[CheckpointState], first(_MOST)]
    sources: Annotated[list[CheckpointSource], first(_MOST)]
    unread: Annotated[list[ShortText], first(_MOST)]
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
    return Checkpoint.model_validate({**result.values(), "folder": workspace.relative_path(place)})
