"""The tool `scan`: the jobs and findings of a file or project."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from migrator.mcp.analysis import Analysis, CodePath, FindingEntry, analyse
from migrator.mcp.pages import Cursor, Limit, ResultPart, ShortText, first, page_of_items
from migrator.mcp.workspace import Workspace
from migrator.report.traits import keeps, sources

_MOST_CALLS = 50
_FirstNames = Annotated[list[str], first(_MOST_CALLS)]


class ScannedJob(ResultPart):
    """A program that starts a StreamingContext."""

    path: str
    state: Literal["runs", "needs", "cannot"]
    """Whether it runs once rewritten, needs a person, or cannot run."""
    needs: ShortText
    """What it needs, in words."""
    effort_minutes: int
    modules: _FirstNames
    """The files that it consists of."""
    sources: _FirstNames
    """The calls that read something, as name at path:line."""
    states: _FirstNames
    """The calls that keep a state or a window, as name at path:line."""
    verified: str | None
    """The last verification, if there was one."""


class ScanSummary(ResultPart):
    """The figures of all that was scanned."""

    files_scanned: int
    jobs: dict[str, int]
    """How many jobs run, need a person, or cannot run."""
    findings: dict[str, int]
    """How many findings are open, by severity."""
    needs_person: int
    bugs: int
    """Bugs that the jobs have always had."""
    effort_minutes: int
    unreadable: _FirstNames
    """Files that could not be read."""


class ScanResult(ResultPart):
    """A page of a scan."""

    summary: ScanSummary
    jobs: list[ScannedJob]
    findings: list[FindingEntry]
    next_cursor: str | None


async def scan(
    workspace: Workspace,
    path: CodePath = ".",
    show: Annotated[
        Literal["jobs", "findings"],
        Field(description="jobs: with their sources and states; findings: with their places"),
    ] = "jobs",
    limit: Limit = 50,
    cursor: Cursor = None,
) -> ScanResult:
    """List the Spark DStream jobs of a file or project, or what `migrate` finds in them.

    Start here. Nothing is imported, run or written.
    """
    analysis, name, start = await workspace.pages.result(
        "scan", cursor, lambda: analyse(workspace, path, ["--check"]), show
    )
    jobs: list[ScannedJob] = []
    findings: list[FindingEntry] = []
    if show == "jobs":
        jobs, following = page_of_items(_jobs(analysis), name, start, limit)
    else:
        findings, following = page_of_items(analysis.findings, name, start, limit)
    return ScanResult(
        summary=_summary(analysis), jobs=jobs, findings=findings, next_cursor=following
    )


def _summary(analysis: Analysis) -> ScanSummary:
    files = analysis.values["files"]
    unreadable = [analysis.path(f["path"]) for f in files if f["status"] == "unreadable"]
    return ScanSummary.model_validate({**analysis.values["summary"], "unreadable": unreadable})


def _jobs(analysis: Analysis) -> list[ScannedJob]:
    calls: dict[str, list[dict[str, Any]]] = {}
    for site in analysis.values["sites"]:
        if site["use"] == "call":
            calls.setdefault(site["path"], []).append(site)
    return [_job(analysis, job, calls) for job in analysis.values["jobs"]]


def _job(
    analysis: Analysis, job: dict[str, Any], calls: dict[str, list[dict[str, Any]]]
) -> ScannedJob:
    own = [site for module in job["modules"] for site in calls.get(module, ())]
    verified = job["verified"]
    return ScannedJob.model_validate(
        {
            **job,
            "path": analysis.path(job["path"]),
            "modules": [analysis.path(module) for module in job["modules"]],
            "sources": _places(analysis, own, sources),
            "states": _places(analysis, own, keeps),
            "verified": None if verified is None else _verification(verified),
        }
    )


def _places(
    analysis: Analysis,
    sites: Iterable[dict[str, Any]],
    traits: Callable[[list[tuple[str, str]]], list[str]],
) -> list[str]:
    """Return the calls that have one of some traits, as name at path:line."""
    return [
        f"{site['name']} at {analysis.path(site['path'])}:{site['line']}"
        for site in sites
        if traits([(site["receiver"], site["name"])])
    ]


def _verification(values: dict[str, Any]) -> str:
    changed = "; changed since" if values["changed_since"] else ""
    batches = f"{values['equal_batches']} of {values['batches']} batches equal"
    return f"{values['result']} on {values['date'][:10]}: {batches}{changed}"
