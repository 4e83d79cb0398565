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
from migrator.report.text_blocks import PIPED_WIDTH, Page
from migrator.report.text_findings import show_findings
from migrator.report.text_jobs import show_jobs
from migrator.report.wording import closing, nothing, totals

_LINE = 7
_ARROW = "-> "


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
    stream.write(f"Report of migrate on {visible(report.root)}\n\n")
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
        page.line(nothing(report))
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
        *lines, last = closing(report)
        for text in lines:
            page.line(text)
        page.line(last, "bold" if report.needing_person() else "bold green")
    for path in written:
        page.line(f"Report: {path}")


def _show_steps(page: Page, report: Report) -> None:
    """Print each call of the rewritten jobs, what it became, and why that is the same."""
    for file in report.files:
        if file.structured is not None:
            _show_steps_of_file(page, file, file.structured)


def _show_steps_of_file(page: Page, file: FileReport, form: StructuredForm) -> None:
    page.line(f"{visible(file.path)} as Structured Streaming ({form.label})", "bold")
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
