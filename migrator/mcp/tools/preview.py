"""The tool `preview`: what the files of jobs would become, and why."""

from __future__ import annotations

from typing import Annotated, Literal

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from migrator.mcp.analysis import (
    Analysis,
    CodePath,
    FindingEntry,
    FormOfJobs,
    JsonShape,
    KafkaBrokers,
    Spark,
    UnsafeFixes,
    analyse,
    form_options,
)
from migrator.mcp.pages import (
    MOST_ITEMS,
    Cursor,
    Limit,
    ResultPart,
    ShortText,
    first,
    page_of_items,
    page_of_text,
)
from migrator.mcp.workspace import Workspace

# a report of one run has the findings of all files
_MOST_REASONS = 50


class PreviewedFile(ResultPart):
    """A file that would change."""

    path: str
    form: str | None
    """portable or classic if its job becomes Structured Streaming, else null."""
    spark: str | None
    """The first Spark that the job runs on then."""
    lines_added: int
    lines_removed: int


class RewriteStep(ResultPart):
    """What a call became."""

    line: int
    before: ShortText
    after: ShortText
    why: ShortText


class Preview(ResultPart):
    """What would be rewritten: a list of files, or a page of one of them."""

    files: list[PreviewedFile]
    """The files that would change, if no file was asked for."""
    text: str
    """The diff or the new text of the file that was asked for; empty if it stays as it is."""
    steps: list[RewriteStep]
    """What each call of its job became, and why that gives the same (on the first page)."""
    steps_left_out: int
    """How many more there are, for which there is no room."""
    differences: list[ShortText]
    """What is not quite the same, and what an owner has to know."""
    stays: Annotated[list[FindingEntry], first(_MOST_REASONS)]
    """Why jobs stay on dstream_compat, if they were asked for in another form; see `remains`."""
    next_cursor: str | None


async def preview(
    workspace: Workspace,
    path: CodePath,
    form: FormOfJobs = "compat",
    file: Annotated[
        str | None,
        Field(description="the file whose rewriting is shown; `path` itself if that is a file"),
    ] = None,
    show: Annotated[
        Literal["diff", "text"], Field(description="a patch, or the new text of the file")
    ] = "diff",
    spark: Spark = None,
    unsafe_fixes: UnsafeFixes = False,
    kafka_brokers: KafkaBrokers = None,
    json_shape: JsonShape = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Preview:
    """Show what `migrate` would make of a job or project in a form, with the reasons.

    Nothing is written. For a folder, the first call lists the files that would change; name one of
    them with `file` to see it.
    """
    options = form_options(form, spark, unsafe_fixes, kafka_brokers, json_shape)
    analysis, name, start = await workspace.pages.result(
        "preview",
        cursor,
        lambda: analyse(workspace, path, ["--diff", *options]),
        f"{show}-{file or ''}",
    )
    asked = workspace.existing_path(file or path)
    if asked.is_dir():
        stays = [finding for finding in analysis.findings if finding.code == "D860"]
        files, following = page_of_items(_files(analysis), name, start, limit)
        return Preview(
            files=files,
            text="",
            steps=[],
            steps_left_out=0,
            differences=[],
            stays=stays[:limit] if not start else [],
            next_cursor=following,
        )
    return _of_file(analysis, workspace.relative_path(asked), show, name, start)


def _of_file(
    analysis: Analysis, shown: str, show: Literal["diff", "text"], name: str, start: int
) -> Preview:
    entries = {analysis.path(entry["path"]): entry for entry in analysis.values["files"]}
    entry = entries.get(shown)
    if entry is None:
        raise ToolError(
            f"{shown} is no file with DStream code in what was analysed; `preview` of a folder "
            "lists those that would change"
        )
    if entry["status"] == "unreadable":
        raise ToolError(f"{shown} cannot be read: {entry['error']}")
    text, following = page_of_text(entry[show] or "", name, start)
    structured = entry["structured"] or {"steps": [], "differences": []}
    all_steps = [RewriteStep.model_validate(step) for step in structured["steps"]]
    steps, _ = page_of_items(all_steps, name, 0, MOST_ITEMS)
    stays = [f for f in analysis.findings if f.path == shown and f.code == "D860"]
    return Preview(
        files=[],
        text=text,
        steps=[] if start else steps,
        steps_left_out=0 if start else len(all_steps) - len(steps),
        differences=[] if start else structured["differences"],
        stays=[] if start else stays,
        next_cursor=following,
    )


def _files(analysis: Analysis) -> list[PreviewedFile]:
    files = []
    for entry in analysis.values["files"]:
        if not entry["diff"]:
            continue
        lines = entry["diff"].splitlines()
        structured = entry["structured"] or {"form": None, "spark": None}
        files.append(
            PreviewedFile(
                path=analysis.path(entry["path"]),
                form=structured["form"],
                spark=structured["spark"],
                lines_added=sum(line[:1] == "+" and line[:4] != "+++ " for line in lines),
                lines_removed=sum(line[:1] == "-" and line[:4] != "--- " for line in lines),
            )
        )
    return files
