"""The tools `verify` and `verify_wait`: whether a migrated job does the same as the original."""

from __future__ import annotations

import json
import os
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import AfterValidator, BeforeValidator, Field

from migrator.mcp.analysis import JsonShape
from migrator.mcp.commands import Progress
from migrator.mcp.pages import ResultPart, ShortText, clip, first
from migrator.mcp.runs import BackgroundRun
from migrator.mcp.workspace import Workspace
from migrator.model.printable import visible
from migrator.verify.process import Limits

_MOST_ROWS = 20
_MOST_OUTPUTS = 50
_LONGEST_NAME = 200
_LONGEST_ROW = 500
_MOST_NOTES = 20
_LONGEST_FILE = 8_000
# runs of both jobs that a verification may need, with those that Spark starved
_RUNS = 8
_START_SECONDS = 120.0
_MIB = 2**20
_Row = Annotated[str, BeforeValidator(lambda row: clip(json.dumps(row), _LONGEST_ROW))]
_Rows = Annotated[list[_Row], first(_MOST_ROWS)]


class VerifiedSide(ResultPart):
    """One of the two jobs."""

    job: str
    engine: str
    seconds: float


class FirstDifference(ResultPart):
    """The first batch in which an output differs, with some of its rows as JSON."""

    batch: int
    output: ShortText
    what: ShortText
    only_original: _Rows
    only_migrated: _Rows
    only_original_count: int
    only_migrated_count: int
    both_count: int


class ComparedOutput(ResultPart):
    """An output that was compared."""

    name: Annotated[str, AfterValidator(partial(clip, most=_LONGEST_NAME))]
    kind: str
    operator: ShortText | None
    different_batches: Annotated[list[int], first(_MOST_ROWS)]


class WrittenFile(ResultPart):
    """A file that the verification has written, and how it begins."""

    path: str
    text: str


class Verification(ResultPart):
    """Whether a migrated job does the same."""

    result: Literal["equal", "different", "not comparable"]
    original: VerifiedSide
    migrated: VerifiedSide
    batches: int
    equal_batches: int | None
    rows_original: int | None
    rows_migrated: int | None
    failure: ShortText | None
    """How the errors of the jobs differ, if they do."""
    obstacle: ShortText | None
    """Why they cannot be compared."""
    advice: ShortText | None
    """What to do about that."""
    operator: ShortText | None
    """The operator, or the line, at which the jobs begin to differ."""
    first_difference: FirstDifference | None
    outputs: Annotated[list[ComparedOutput], first(_MOST_OUTPUTS)]
    notes: Annotated[list[ShortText], first(_MOST_NOTES)]
    smallest_input: WrittenFile | None
    """The smallest input found over which the jobs differ, as JSON lines."""
    test: WrittenFile | None
    """A test of pytest that fails as long as they do."""
    folder: str
    """The folder with all results; verdict.json has the whole report."""


class VerifyAnswer(ResultPart):
    """A verification that has ended, or runs."""

    status: Literal["finished", "running"]
    run: str
    """The name that `verify_wait` takes."""
    step: str
    """What it does now, or did last."""
    verification: Verification | None
    """The result, once it has ended."""


WaitSeconds = Annotated[
    float,
    Field(gt=0, le=3600, description="seconds until the answer, if it takes longer than that"),
]


async def verify(
    workspace: Workspace,
    context: Context,
    job: Annotated[str, Field(description="the original job, a file")],
    recording: Annotated[str, Field(description="recorded batches, a file or folder of `record`")],
    migrated: Annotated[
        str | None, Field(description="the migrated job; a copy is migrated if it is missing")
    ] = None,
    target: Annotated[
        Literal["compat", "structured"], Field(description="what a copy is migrated to")
    ] = "compat",
    arguments: Annotated[list[str] | None, Field(description="the arguments of the jobs")] = None,
    expected: Annotated[
        str | None,
        Field(description="old.jsonl of an earlier verification, where the original cannot run"),
    ] = None,
    working_folder: Annotated[
        str, Field(description="where the job is started, for files that it reads")
    ] = ".",
    out: Annotated[str | None, Field(description="the folder for all results (verify-JOB)")] = None,
    ignore: Annotated[
        list[str] | None,
        Field(description="fields of rows that do not count: positions from 0, or names"),
    ] = None,
    tolerance: Annotated[float, Field(ge=0, lt=1, description="how far floats may differ")] = 1e-9,
    order: Annotated[bool, Field(description="the order of rows counts in every output")] = False,
    json_shape: JsonShape = None,
    real: Annotated[
        list[str] | None,
        Field(
            description="clients that the jobs use themselves, such as sqlite3; only those that "
            "the server was started with (migrate mcp --real CLIENT)"
        ),
    ] = None,
    timeout: Annotated[
        float, Field(gt=0, description="seconds of each run, up to the limit of the server")
    ] = 600.0,
    memory_mib: Annotated[
        int | None, Field(ge=1, description="of each run, up to the limit of the server")
    ] = None,
    shrink_seconds: Annotated[
        float, Field(ge=0, le=3600, description="to look for the smallest input that differs")
    ] = 300.0,
    wait_seconds: WaitSeconds = 40.0,
) -> VerifyAnswer:
    """Run a job and its migrated form over the same recorded batches, and compare all outputs.

    This runs the code of both jobs, the original on Spark's DStreams. Their sources are replaced by
    the recording, and clients such as those of databases by something that notes their calls. What
    they write by other means, or by the clients in `real`, they write. It takes from
    half a minute to several minutes: if the status is running, go on with verify_wait.
    """
    bounds = workspace.bounds
    if refused := sorted({*(real or ())} - {*bounds.real}):
        names = ", ".join(visible(name) for name in refused)
        raise ToolError(
            f"jobs may not use {names} themselves here; the owner allows it with "
            f"`migrate mcp --real {visible(refused[0])}`, and a test database"
        )
    original = workspace.file(job)
    results = workspace.place(out or os.path.join(working_folder, f"verify-{original.stem}"))
    seconds = min(timeout, bounds.run_seconds)
    command = ["verify", os.fspath(original), f"--input={_recording(workspace, recording)}"]
    command += [f"--out={results}", f"--timeout={seconds:g}", f"--tolerance={tolerance!r}"]
    for option, name in (("--migrated", migrated), ("--expected", expected)):
        command += [] if name is None else [f"{option}={workspace.file(name)}"]
    command += [] if migrated is not None else [f"--target={target}"]
    command += [] if json_shape is None else [f"--json-shape={json_shape}"]
    command += [f"--ignore={field}" for field in ignore or ()]
    command += ["--order"] if order else []
    command += [f"--real={client}" for client in real or ()]
    memory = _memory(memory_mib, bounds.memory)
    command += [] if memory is None else [f"--memory={memory}m"]
    command += [f"--shrink-time={shrink_seconds:g}"] if shrink_seconds else ["--no-shrink"]
    command += ["--format=json", "--", *(arguments or ())]
    start = workspace.folder(working_folder)
    most = _RUNS * seconds + shrink_seconds + _START_SECONDS

    async def work(progress: Progress) -> Verification:
        result = await workspace.commands.run(
            command, most, folder=start, progress=progress, runs_jobs=True
        )
        return _verification(workspace, result.values(), results)

    return await _answer(workspace, context, workspace.runs.start(work), wait_seconds)


async def _answer(
    workspace: Workspace, context: Context, run: BackgroundRun, seconds: float
) -> VerifyAnswer:
    """Return the result of a verification, or what it does when the time is up."""
    await workspace.runs.wait(run, seconds, context)
    return VerifyAnswer(
        status="finished" if run.is_finished else "running",
        run=run.name,
        step=clip(run.step),
        verification=run.result,
    )


async def verify_wait(
    workspace: Workspace,
    context: Context,
    run: Annotated[str, Field(description="the run that `verify` has named")],
    wait_seconds: WaitSeconds = 40.0,
) -> VerifyAnswer:
    """Wait for a verification that has not ended when `verify` answered, and give its result.

    Call it again for as long as the status is running. A cancelled call ends the verification.
    """
    return await _answer(workspace, context, workspace.runs.find(run), wait_seconds)


def _recording(workspace: Workspace, name: str) -> Path:
    place = workspace.existing_path(name)
    # the file of a folder may be a symlink that leads elsewhere
    return place if place.is_file() else workspace.file(os.path.join(name, "batches.jsonl"))


def _memory(asked_mib: int | None, bound: int) -> int | None:
    """Return the MiB of a run, at most those of the server; None for the usual share."""
    if asked_mib is None and not bound:
        return None
    most = Limits(memory=bound).bytes() // _MIB
    return most if asked_mib is None else min(asked_mib, most)


def _verification(workspace: Workspace, values: dict[str, Any], folder: Path) -> Verification:
    rows = values.get("rows") or {}
    obstacle = values["obstacle"] or {}
    jobs = {
        side: {**values[side], "job": workspace.relative_path(workspace.root / values[side]["job"])}
        for side in ("original", "migrated")
    }
    # only a comparison has some of them
    others: dict[str, Any] = {"equal_batches": None, "outputs": []}
    own = {
        "rows_original": rows.get("original"),
        "rows_migrated": rows.get("migrated"),
        "obstacle": obstacle.get("what"),
        "advice": obstacle.get("advice"),
        "smallest_input": _file(workspace, values["smallest_input"]),
        "test": _file(workspace, values["test"]),
        "folder": workspace.relative_path(folder),
    }
    return Verification.model_validate({**others, **values, **jobs, **own})


def _file(workspace: Workspace, name: str | None) -> WrittenFile | None:
    if name is None:
        return None
    path = workspace.file(name)
    with path.open(encoding="utf-8", errors="replace") as stream:
        text = stream.read(_LONGEST_FILE + 1)
    more = "\n... (the file has more)" if len(text) > _LONGEST_FILE else ""
    return WrittenFile(path=workspace.relative_path(path), text=text[:_LONGEST_FILE] + more)
