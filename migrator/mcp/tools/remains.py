"""The tool `remains`: what a rewriting leaves to a person, and why."""

from __future__ import annotations

import re
from collections import Counter

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
from migrator.mcp.pages import Cursor, Limit, ResultPart, page_of_items
from migrator.mcp.workspace import Workspace

NO_FORM = "D860"
_REASON = re.compile(r"\[([A-Z_]+)\]$")


class Remains(ResultPart):
    """A page of what is left."""

    findings: list[FindingEntry]
    """What needs manual work, the steps without a form (D860), and bugs that jobs always had."""
    codes: dict[str, int]
    """How many of them each rule has, the most first."""
    reasons: dict[str, int]
    """How many steps have no form for each reason, the most first."""
    effort_minutes: int
    next_cursor: str | None


async def remains(
    workspace: Workspace,
    path: CodePath = ".",
    form: FormOfJobs = "compat",
    spark: Spark = None,
    unsafe_fixes: UnsafeFixes = False,
    kafka_brokers: KafkaBrokers = None,
    json_shape: JsonShape = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Remains:
    """List what stays for a person when `migrate` moves a job or project to a form, and why.

    A step without a form (D860) keeps its job on dstream_compat; its message says what would give
    it one. Nothing is written.
    """
    options = form_options(form, spark, unsafe_fixes, kafka_brokers, json_shape)
    analysis, name, start = await workspace.pages.result(
        "remains", cursor, lambda: analyse(workspace, path, ["--check", *options])
    )
    findings = _open_findings(analysis)
    page, following = page_of_items(findings, name, start, limit)
    reasons = Counter(
        match[1] for f in findings if f.code == NO_FORM and (match := _REASON.search(f.message))
    )
    return Remains(
        findings=page,
        codes=dict(Counter(finding.code for finding in findings).most_common()),
        reasons=dict(reasons.most_common()),
        effort_minutes=analysis.values["summary"]["effort_minutes"],
        next_cursor=following,
    )


def _open_findings(analysis: Analysis) -> list[FindingEntry]:
    return [
        finding
        for finding, values in zip(analysis.findings, analysis.values["findings"], strict=True)
        if finding.needs_person
        or finding.code == NO_FORM
        or (finding.category == "bug" and not finding.fixed and values["suppression"] is None)
    ]
