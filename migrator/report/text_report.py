"""The text report: the jobs, what needs a person by file or by rule, and totals."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from migrator.model.printable import visible
from migrator.model.report import FileReport, Report
from migrator.model.structured_forms import StructuredForm
from migrator.report.jobs import Job, JobState, headline, jobs, other_files, outcome
from migrator.report.projects import COLUMNS, MANY, as_numbers, differing_jobs, reasons, rows
from migrator.report.targets import forms
from migrator.report.text_blocks import PIPED_WIDTH, Page
from migrator.report.text_findings import show_findings
from migrator.report.wording import closing_lines, no_code_message, quantity, shown_root, totals

_LABEL = 10
# longer paths move what stands behind them
_PATH = 40
_STYLES = {JobState.RUNS: "green", JobState.NEEDS: "yellow", JobState.CANNOT: "bold red"}
_LINE = 7
_ARROW = "-> "


def show_jobs(page: Page, report: Report, verbose: bool) -> None:
    """Print the headline, and the jobs: their names and what they
    need, or a table by project if there are many.
    """
    job_list, others = jobs(report), other_files(report)
    page.block(Text(), headline(report, job_list, others), "bold", indent=2)
    if verbose or not as_numbers(job_list, others):
        _list(page, report, job_list, others, verbose)
    else:
        _table(page, job_list, others)
    short = len(job_list) >= MANY and not verbose
    _print_verifications(page, list(differing_jobs(job_list)) if short else job_list)
    _reasons(page, report)
    page.line()


def _reasons(page: Page, report: Report) -> None:
    """Print why jobs have no form in Structured Streaming: how many of their steps, by reason."""
    reason_counts = reasons(report)
    for project, counts in sorted(reason_counts.items()):
        parts = [f"{count} {reason}" for reason, count in counts.most_common()]
        name = f"{visible(project or '.')}: " if len(reason_counts) > 1 else ""
        text = f"{name}{quantity(counts.total(), 'step')} without a form: {', '.join(parts)}"
        page.block(_label("stays", "dim"), text, indent=_LABEL)


def _list(
    page: Page, report: Report, job_list: list[Job], others: list[Job], verbose: bool
) -> None:
    moved = forms(report)
    for name, running in (
        ("moved", [job.path for job in job_list if _runs(job) and job.path in moved]),
        ("runs", [job.path for job in job_list if _runs(job) and job.path not in moved]),
    ):
        if running:
            lead = _label(name, _STYLES[JobState.RUNS])
            names = len(running) < MANY or verbose
            text = ", ".join(running) if names else quantity(len(running), "job")
            page.block(lead, text, indent=_LABEL)
    waiting = [job for job in job_list if job.state is not JobState.RUNS]
    waiting.sort(key=lambda job: (list(JobState).index(job.state), job.path))
    width = max((len(visible(job.path)) for job in (*waiting, *others)), default=0)
    for job in waiting:
        _job(page, job, job.state.value, min(width, _PATH))
    for job in others:
        _job(page, job, "project", min(width, _PATH))


def _table(page: Page, job_list: list[Job], others: list[Job]) -> None:
    """Print the numbers of each project; longer names have a line of their own."""
    table_rows = rows(job_list, others)
    cells = [COLUMNS, *(row.cells for row in table_rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    room = _PATH if page.width is None else page.width - sum(widths) - 2 * len(widths) - 3
    names = [visible(row.name) for row in table_rows]
    width = min(max(map(len, ["project", *names])), max(room, len("project")))
    _line(page, "project", COLUMNS, width, widths, "dim")
    for name, row in zip(names, table_rows, strict=True):
        if len(name) > width:
            page.line(f"  {name}")
            name = ""
        _line(page, name, row.cells, width, widths)


def _line(
    page: Page, name: str, cells: tuple[str, ...], width: int, widths: list[int], style: str = ""
) -> None:
    numbers = "".join(f"  {c:>{w}}" for c, w in zip(cells, widths, strict=True))
    page.line(f"  {name:<{width}}{numbers}".rstrip(), style)


def _runs(job: Job) -> bool:
    return job.state is JobState.RUNS


def _job(page: Page, job: Job, label: str, width: int) -> None:
    lead = _label(label, _STYLES[job.state])
    lead.append(f"{visible(job.path):<{width}}  ")
    page.block(lead, job.needs(page.room(lead)), lines=1)


def _print_verifications(page: Page, job_list: list[Job]) -> None:
    verifications = [
        (job.path, *outcome(job.verified)) for job in job_list if job.verified is not None
    ]
    width = max((len(visible(path)) for path, _, _ in verifications), default=0)
    for path, word, figures in verifications:
        lead = _label(word, "green" if word == "equal" else "bold red")
        lead.append(f"{visible(path):<{min(width, _PATH)}}  ")
        page.block(lead, figures, lines=1)


def _label(text: str, style: str) -> Text:
    return Text("  ").append(f"{text:<{_LABEL - 2}}", style)


@dataclass(frozen=True, slots=True)
class Shown:
    """What a text report shows.

    Parameters
    ----------
    quiet : bool
        The jobs and the totals only.
    verbose : bool
        Rewrites too, the code, and all that is known of a finding.
    group_by : str
        "file" or "rule".
    explain : bool
        What each call of a rewritten job became.
    """

    quiet: bool = False
    verbose: bool = False
    group_by: str = "file"
    explain: bool = False


def render(report: Report, group_by: str = "file", verbose: bool = False) -> str:
    """Return the report as plain text, for a file."""
    stream = io.StringIO()
    stream.write(f"Report of migrate on {visible(shown_root(report))}\n\n")
    show(report, Shown(verbose=verbose, group_by=group_by), color=False, stream=stream)
    return stream.getvalue()


def show(
    report: Report,
    shown: Shown,
    *,
    color: bool,
    stream: TextIO | None = None,
    written: Sequence[Path] = (),
) -> None:
    """Print a report.

    Parameters
    ----------
    color : bool
        False for none even on a terminal.
    stream : TextIO, optional
        Standard output if it is not given.
    written : sequence of Path
        Reports in files, to be named.
    """
    file = stream or sys.stdout
    terminal = file.isatty()
    console = Console(
        file=file,
        no_color=not color or bool(os.environ.get("NO_COLOR")),
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
        width=None if terminal else PIPED_WIDTH,
    )
    page = Page(console, console.width if terminal else None)
    if not report.files:
        page.line(no_code_message(report))
    else:
        show_jobs(page, report, shown.verbose)
        if shown.explain or shown.verbose:
            _show_steps(page, report)
        if not shown.quiet:
            show_findings(page, report, shown.group_by, shown.verbose)
            if shown.verbose:
                console.print(_rules_table(report))
        for name, text in totals(report):
            page.block(Text(), f"{name}: {text}", indent=2)
        *lines, last = closing_lines(report)
        for text in lines:
            page.line(text)
        page.line(last, "bold" if report.count_manual() else "bold green")
    for path in written:
        page.line(f"Report: {path}")


def _show_steps(page: Page, report: Report) -> None:
    """Print each call of the rewritten jobs, what it became, and why that is the same."""
    for file in report.files:
        if file.structured is not None:
            _show_steps_of_file(page, file, file.structured)


def _show_steps_of_file(page: Page, file: FileReport, form: StructuredForm) -> None:
    page.line(f"{visible(file.path)} as Structured Streaming ({form.needs})", "bold")
    for step in form.steps:
        place = str(step.at.line) if step.at.cell is None else f"{step.at.cell}:{step.at.line}"
        number = Text(f"{place:>{_LINE - 2}}  ", "dim")
        page.block(number, visible(step.before), indent=_LINE)
        after = visible(step.after) or "nothing of its own"
        page.block(Text(" " * _LINE + _ARROW, "green"), after, indent=_LINE + len(_ARROW))
        page.block(Text(" " * (_LINE + len(_ARROW))), step.why, "dim", indent=_LINE + len(_ARROW))
    for text in form.differences:
        page.block(Text("  note ", "yellow"), visible(text), indent=_LINE)
    page.line()


def _rules_table(report: Report) -> Table:
    """Return one row for each rule that found something."""
    table = Table(box=box.SIMPLE, pad_edge=False)
    table.add_column("rule")
    table.add_column("")
    for title in ("fixed", "to do", "bugs", "notes", "minutes"):
        table.add_column(title, justify="right")
    for (code, name), numbers in report.by_rule().items():
        table.add_row(code, name, *(str(n or "") for n in numbers))
    return table
