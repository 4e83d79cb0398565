"""What the verifications of a project's jobs found: on a terminal, as JSON, JUnit and HTML."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import Element

from migrator.model.printable import visible
from migrator.report.page.elements import Child, document, el, table
from migrator.report.wording import quantity
from migrator.run.verified_jobs import SUMMARY
from migrator.verify.report_text import STYLE, case, suite


class State(StrEnum):
    """What is known of a job; the ones that need somebody first."""

    DIFFERENT = "different"
    NOT_COMPARABLE = "not comparable"
    STALE = "stale"
    NOT_VERIFIED = "not verified"
    EQUAL = "equal"
    NO_RECORDING = "no recording"


@dataclass(frozen=True, slots=True)
class JobResult:
    """The verification of a job.

    Parameters
    ----------
    verdict : dict, optional
        Its report, as `migrate verify --format json` prints it.
    about : str
        What is to be said in a line: the first difference, the obstacle, why it is stale.
    page : Path, optional
        Its report as HTML.
    """

    job: str
    state: State
    about: str = ""
    verdict: dict[str, Any] | None = None
    page: Path | None = None

    @property
    def batches(self) -> str:
        """How many of its batches are equal, as a text; empty if none was compared."""
        if self.verdict is None or "equal_batches" not in self.verdict:
            return ""
        return f"{self.verdict['equal_batches']} of {self.verdict['batches']}"

    @property
    def rows(self) -> str:
        """How many rows both jobs gave, as a text; empty if none was compared."""
        rows = (self.verdict or {}).get("rows")
        return "" if rows is None else str(rows["both"])

    @property
    def seconds(self) -> float:
        """How long both jobs ran."""
        if self.verdict is None:
            return 0.0
        return float(self.verdict["original"]["seconds"] + self.verdict["migrated"]["seconds"])


@dataclass(frozen=True, slots=True)
class ProjectVerdict:
    """The verifications of a project."""

    project: str
    results: Sequence[JobResult] = field(default_factory=tuple)

    def in_order(self) -> list[JobResult]:
        """Return the results, those that need somebody first."""
        order = list(State)
        return sorted(self.results, key=lambda one: (order.index(one.state), one.job))

    def counts(self) -> Counter[State]:
        """Return how many jobs are in each state."""
        return Counter(result.state for result in self.results)

    def of(self, *states: State) -> list[JobResult]:
        """Return the results of some states."""
        return [result for result in self.in_order() if result.state in states]

    @property
    def exit_code(self) -> int:
        """1 if a job differs, or is not verified as it is now; 2 if one cannot be compared."""
        counts = self.counts()
        if counts[State.DIFFERENT] or counts[State.STALE] or counts[State.NOT_VERIFIED]:
            return 1
        return 2 if counts[State.NOT_COMPARABLE] else 0


def result_of(job: str, verdict: dict[str, Any], page: Path | None = None) -> JobResult:
    """Return the result that the report of a verification gives."""
    about = verdict.get("failure") or ""
    if (obstacle := verdict.get("obstacle")) is not None:
        about = obstacle["what"].partition("\n")[0]
    elif not about and (first := verdict.get("first_difference")) is not None:
        about = f"batch {first['batch']}, {first['output']}: {first['what']}"
    elif not about and not verdict["rows"]["original"]:
        about = "no output gave a row"
    return JobResult(job, State(verdict["result"]), about, verdict, page)


SCHEMA_VERSION = 1
_CLASSES = {State.DIFFERENT: "different", State.EQUAL: "equal", State.NO_RECORDING: ""}
_FAILURES = (State.DIFFERENT, State.STALE, State.NOT_VERIFIED)
STYLES = {
    State.DIFFERENT: "red",
    State.NOT_COMPARABLE: "yellow",
    State.STALE: "yellow",
    State.NOT_VERIFIED: "yellow",
    State.EQUAL: "green",
    State.NO_RECORDING: "dim",
}
# jobs without a recording that are named
_NAMED = 20


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


def _case(result: JobResult) -> Element:
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
    title = headline(summary)
    columns = ("job", "result", "batches equal", "rows", "")
    shown = table({}, columns, map(_row, summary.in_order()))
    return document(f"migrate verify: {title}", STYLE, "", el("h1", {}, title), shown)


def _row(result: JobResult) -> tuple[Child, ...]:
    name: Child = result.job
    if result.page is not None:
        name = el("a", {"href": os.path.relpath(result.page)}, name)
    state = el("span", {"class": _CLASSES.get(result.state, "not")}, result.state.value)
    return name, state, result.batches, result.rows, result.about


def show_summary(summary: ProjectVerdict, stream: IO[str], *, color: bool) -> None:
    """Print a table of the jobs that have recordings, then the names of those that have none."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from migrator.report.text_blocks import PIPED_WIDTH, console

    out = console(stream, color=color, piped_width=PIPED_WIDTH)
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("job", overflow="fold")
    table.add_column("result", no_wrap=True)
    table.add_column("batches equal", justify="right", no_wrap=True)
    table.add_column("rows", justify="right", no_wrap=True)
    table.add_column("", overflow="fold")
    without = summary.of(State.NO_RECORDING)
    for result in summary.in_order():
        if result.state is not State.NO_RECORDING:
            state = Text(result.state.value, style=STYLES[result.state])
            table.add_row(
                Text(visible(result.job)),
                state,
                result.batches,
                result.rows,
                Text(visible(result.about)),
            )
    if table.row_count:
        out.print(table)
    if without:
        names = [visible(result.job) for result in without[:_NAMED]]
        more = f" and {len(without) - _NAMED} more" if len(without) > _NAMED else ""
        text = f"no recording: {', '.join(names)}{more}"
        out.print(Text(text, style="dim"), soft_wrap=True)
    out.print(Text(headline(summary), style="bold"), soft_wrap=True)


def headline(summary: ProjectVerdict) -> str:
    """Return the counts in one line."""
    counts = summary.counts()
    parts = [f"{counts[state]} {state.value}" for state in State if counts[state]]
    jobs = quantity(len(summary.results), "job")
    return f"{visible(summary.project)}: {jobs}: {', '.join(parts)}"
