"""The tool `record`: batches of live sources, for `verify`."""

from __future__ import annotations

import os
import re
from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from migrator.mcp.pages import ResultPart, ShortText
from migrator.mcp.workspace import Workspace

_MOST_BATCHES = 10_000
_MOST_MESSAGES = 20
_WRITTEN = re.compile(r": (\d+) batch(?:es)?, (\d+) records?$")


class Recorded(ResultPart):
    """A recording that was written."""

    recording: str
    """The folder to give to `verify`."""
    batches: int
    records: int
    complete: bool
    """Whether it has all batches that were asked for; if not, its time was up."""
    messages: list[ShortText]
    """What was left out, and which source gave nothing for a time."""


async def record(
    workspace: Workspace,
    out: Annotated[str, Field(description="the folder for the recording, which has none yet")],
    batches: Annotated[int, Field(ge=1, le=_MOST_BATCHES, description="how many batches")],
    job: Annotated[
        str | None, Field(description="record the sources of this job, as its code names them")
    ] = None,
    arguments: Annotated[list[str] | None, Field(description="the arguments of the job")] = None,
    sources: Annotated[
        list[str] | None,
        Field(description="in place of job: socket:HOST:PORT, file:FOLDER, kafka:BROKERS/TOPIC"),
    ] = None,
    interval: Annotated[
        float | None, Field(gt=0, le=3600, description="seconds of a batch (that of the job, or 1)")
    ] = None,
    mask: Annotated[
        list[str] | None,
        Field(description="fields to mask: positions from 0, or names of JSON such as user.id"),
    ] = None,
) -> Recorded:
    """Record batches from the live sources of a job: sockets, folders, topics of Kafka.

    Only when the user asks for it: it connects to these sources, and writes what they give into
    the folder `out`, masked where `mask` says so. The job does not run.
    """
    if (job is None) == (not sources):
        raise ToolError("name either a job or sources")
    folder = workspace.place(out)
    command = ["record", f"--out={os.fspath(folder)}", f"--batches={batches}"]
    command += [f"--source={source}" for source in sources or ()]
    command += [f"--mask={field}" for field in mask or ()]
    command += [] if interval is None else [f"--interval={interval:g}"]
    if job is not None:
        command += [os.fspath(workspace.file(job)), "--", *(arguments or ())]
    result = await workspace.commands.run(command, workspace.bounds.run_seconds, may_time_out=True)
    result.refuse_failure()
    counts = _WRITTEN.search(result.output.decode("utf-8").strip())
    if counts is None:
        raise ToolError("the recording could not be finished in time; see what is in its folder")
    count = int(counts[1])
    return Recorded(
        recording=workspace.relative_path(folder),
        batches=count,
        records=int(counts[2]),
        complete=count >= batches,
        messages=result.messages[-_MOST_MESSAGES:],
    )
