"""The report of a project's verifications as JSON, JUnit and HTML."""

from __future__ import annotations

import json
import os
from html import escape
from pathlib import Path

from migrator.run.fleet_verdicts import SUMMARY
from migrator.verify.project_text import headline
from migrator.verify.project_verdict import JobResult, ProjectVerdict, State
from migrator.verify.report_html import STYLE, as_text
from migrator.verify.report_junit import case, suite

SCHEMA_VERSION = 1
_CLASSES = {State.DIFFERENT: "different", State.EQUAL: "equal", State.NO_RECORDING: ""}
_FAILURES = (State.DIFFERENT, State.STALE, State.NOT_VERIFIED)


def as_json(summary: ProjectVerdict) -> str:
    """Return the report; `schema_version` changes if a field is removed or means something else."""
    values = {
        "schema_version": SCHEMA_VERSION,
        "project": summary.project,
        "exit_code": summary.exit_code,
        "counts": {state.value: summary.counts()[state] for state in State},
        "jobs": [
            {
                "job": result.job,
                "result": result.state.value,
                "about": result.about or None,
                "verdict": result.verdict,
            }
            for result in summary.in_order()
        ],
    }
    return json.dumps(values, indent=2) + "\n"


def write_summary(summary: ProjectVerdict, out: Path) -> None:
    """Write the report into the folder of the verifications, for `migrate report`."""
    (out / SUMMARY).write_text(as_json(summary), encoding="utf-8")


def as_junit(summary: ProjectVerdict) -> str:
    """Return the report, a test for each job; one without a recording is skipped."""
    cases = [_case(one) for one in summary.in_order()]
    counts = summary.counts()
    return suite(
        f"migrate verify --all {summary.project}",
        cases,
        (
            sum(counts[state] for state in _FAILURES),
            counts[State.NOT_COMPARABLE],
            counts[State.NO_RECORDING],
        ),
        sum(result.seconds for result in summary.results),
    )


def _case(result: JobResult) -> str:
    kind = {State.EQUAL: "", State.NO_RECORDING: "skipped", State.NOT_COMPARABLE: "error"}
    message = f"{result.state.value}: {result.about}" if result.about else result.state.value
    return case(
        result.job, kind.get(result.state, "failure"), message, _text(result), result.seconds
    )


def _text(result: JobResult) -> str:
    first = (result.verdict or {}).get("first_difference") or {}
    lines = [f"- {row}" for row in first.get("only_original", ())]
    lines += [f"+ {row}" for row in first.get("only_migrated", ())]
    return "\n".join([result.about, *lines])


def as_html(summary: ProjectVerdict) -> str:
    """Return the report as one page, whose links begin in the working folder."""
    title = as_text(headline(summary))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>migrate verify: {title}</title>",
        f"<style>{STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        "<table>",
        "<tr><th>job</th><th>result</th><th>batches equal</th><th>rows</th><th></th></tr>",
        *(_row(result) for result in summary.in_order()),
        "</table></body></html>",
        "",
    ]
    return "\n".join(parts)


def _row(result: JobResult) -> str:
    name = as_text(result.job)
    if result.page is not None:
        name = f'<a href="{escape(os.path.relpath(result.page))}">{name}</a>'
    state = f'<span class="{_CLASSES.get(result.state, "not")}">{result.state.value}</span>'
    cells = (name, state, result.batches, result.rows, as_text(result.about))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"
