"""Runs `migrate` over a path without writing, and gives parts of its report."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal

import anyio.to_thread
from pydantic import Field

from migrator.mcp.pages import ResultPart, ShortText, first
from migrator.mcp.workspace import Workspace

Form = Literal["compat", "portable", "classic"]
"""What jobs become: on dstream_compat, DataFrames only, or code of batches where it must be."""
FormOfJobs = Annotated[
    Form,
    Field(
        description="compat: dstream_compat, which keeps the DStream API; portable: plain "
        "Structured Streaming that runs on Spark Connect, too; classic: the same, or code of "
        "batches in foreachBatch where a step has no form as a DataFrame"
    ),
]
CodePath = Annotated[str, Field(description="a file or folder, relative to the server's folder")]
Spark = Annotated[
    str | None, Field(description="the oldest Spark that results are to run on, such as 3.5")
]
UnsafeFixes = Annotated[
    bool, Field(description="also make fixes that may change what a job does; results say how")
]
KafkaBrokers = Annotated[
    str | None, Field(description="HOST:9092,... for receivers that name ZooKeeper only")
]
JsonShape = Annotated[
    str | None,
    Field(description="what the texts have that json.loads reads: 'user string, amount double'"),
]
_MOST_DETAILS = 10
_MOST_PLACES = 20


class FindingEntry(ResultPart):
    """A finding of a rule."""

    code: str
    """The rule, which `explain` explains."""
    severity: str
    path: str
    line: int
    cell: int | None = None
    """The cell of a notebook, from 1."""
    message: ShortText
    advice: ShortText
    """What is left to do; empty if the run fixes it."""
    details: Annotated[list[ShortText], first(_MOST_DETAILS)]
    also: Annotated[list[str], first(_MOST_PLACES)]
    """Other places of the same problem, as path:line."""
    category: str
    """`migration`, or `bug` for one that the job has always had."""
    fixed: bool
    needs_person: bool
    """Whether it needs manual work."""
    effort_minutes: int


class Analysis:
    """The report of a run, with paths relative to the folder of the server.

    Parameters
    ----------
    values : dict
        The report as `migrate --format json` prints it.
    base : str
        The folder to which its paths are relative, relative to that of the server.
    """

    def __init__(self, values: dict[str, Any], base: str) -> None:
        self.values = values
        self._base = base
        self.findings = [self._finding(finding) for finding in values["findings"]]

    def path(self, name: str) -> str:
        """Return a path of the report as results show it."""
        return os.path.normpath(os.path.join(self._base, name))

    def _finding(self, values: dict[str, Any]) -> FindingEntry:
        also = [f"{self.path(place['path'])}:{place['line']}" for place in values["also"]]
        own = {"path": self.path(values["path"]), "also": also}
        return FindingEntry.model_validate({**values, **own})


async def analyse(workspace: Workspace, path: str, options: list[str]) -> Analysis:
    """Run `migrate` over a file or folder; nothing is written.

    Parameters
    ----------
    options : list of str
        More options, ``--check`` or ``--diff`` among them.

    Raises
    ------
    ToolError
        If the path is outside of the folder, or `migrate` cannot do it.
    """
    place = workspace.existing_path(path)
    arguments = [os.fspath(place), "--format", "json", "--no-cache", *options]
    result = await workspace.commands.run(arguments, workspace.bounds.seconds)
    # an internal error of a file is a finding of the report
    values = await anyio.to_thread.run_sync(result.values)
    base = place if place.is_dir() else place.parent
    return Analysis(values, os.path.relpath(base, workspace.root))


def form_options(
    form: Form,
    spark: str | None = None,
    unsafe_fixes: bool = False,
    kafka_brokers: str | None = None,
    json_shape: str | None = None,
) -> list[str]:
    """Return the options of `migrate` for what jobs are to become."""
    options = ["--target", "compat" if form == "compat" else "structured"]
    options += ["--portable"] if form == "portable" else []
    options += ["--unsafe-fixes"] if unsafe_fixes else []
    values = {"--spark": spark, "--kafka-brokers": kafka_brokers, "--json-shape": json_shape}
    # in one word, so that a value is no option
    return [*options, *(f"{name}={value}" for name, value in values.items() if value is not None)]
