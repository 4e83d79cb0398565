"""The text report: the jobs, what needs a person by file or by rule, and totals."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich import box
from rich.table import Table
from rich.text import Text

from migrator.model.printable import visible
from migrator.model.report import (
    Confidence,
    FileReport,
    Finding,
    Outcome,
    Report,
    Safety,
    Severity,
    shown_place,
)
from migrator.model.structured_forms import StructuredForm
from migrator.report.jobs import (
    COLUMNS,
    MANY,
    Job,
    Jobs,
    JobState,
    Row,
    forms,
    jobs_in_need,
    outcome,
    reasons,
)
from migrator.report.text_blocks import INDENT, PIPED_WIDTH, Page
from migrator.report.wording import (
    BUGS,
    BUGS_REMARK,
    closing_lines,
    duration,
    label,
    list_jobs,
    no_code_message,
    place,
    quantity,
    shown_root,
    status,
    totals,
)
from migrator.source.excerpt import SourceText, source_text

_LABEL = 10
# longer paths move what stands behind them
_PATH = 40
_STYLES = {JobState.RUNS: "green", JobState.NEEDS: "yellow", JobState.CANNOT: "bold red"}
_LINE = 7
_ARROW = "-> "
_LEVEL_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "dim"}
_MIN_WIDTH = 20


def show_jobs(page: Page, report: Report, verbose: bool) -> None:
    """Print the headline, and the jobs: their names and what they
    need, or a table by project if there are many.
    """
    jobs = Jobs(report)
    page.block(Text(), jobs.headline(), "bold", indent=2)
    if verbose or not jobs.as_numbers:
        _list(page, jobs, forms(report), verbose)
    else:
        _table(page, jobs.rows())
    short = len(jobs.all) >= MANY and not verbose
    _print_verifications(page, jobs.differences if short else jobs.all)
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


def _list(page: Page, jobs: Jobs, moved: Mapping[str, StructuredForm], verbose: bool) -> None:
    for name, running in (
        ("moved", [job.path for job in jobs.running if job.path in moved]),
        ("runs", [job.path for job in jobs.running if job.path not in moved]),
    ):
        if running:
            lead = _label(name, _STYLES[JobState.RUNS])
            names = len(running) < MANY or verbose
            text = ", ".join(running) if names else quantity(len(running), "job")
            page.block(lead, text, indent=_LABEL)
    waiting = sorted(jobs.waiting, key=lambda job: (list(JobState).index(job.state), job.path))
    in_need = (*waiting, *jobs.others)
    width = max((len(visible(job.path)) for job in in_need), default=0)
    for job in in_need:
        lead = _label(job.label, _STYLES[job.state])
        lead.append(f"{visible(job.path):<{min(width, _PATH)}}  ")
        page.block(lead, job.needs(page.room(lead)), lines=1)


def _table(page: Page, table_rows: Sequence[Row]) -> None:
    """Print the numbers of each project; longer names have a line of their own."""
    cells = [COLUMNS, *(numbers for _, numbers in table_rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    room = _PATH if page.width is None else page.width - sum(widths) - 2 * len(widths) - 3
    names = [visible(name) for name, _ in table_rows]
    width = min(max(map(len, ["project", *names])), max(room, len("project")))
    _line(page, "project", COLUMNS, width, widths, "dim")
    for name, (_, numbers) in zip(names, table_rows, strict=True):
        if len(name) > width:
            page.line(f"  {name}")
            name = ""
        _line(page, name, numbers, width, widths)


def _line(
    page: Page, name: str, cells: tuple[str, ...], width: int, widths: list[int], style: str = ""
) -> None:
    numbers = "".join(f"  {c:>{w}}" for c, w in zip(cells, widths, strict=True))
    page.line(f"  {name:<{width}}{numbers}".rstrip(), style)


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
    page = Page(stream or sys.stdout, color=color)
    if not report.files:
        page.line(no_code_message(report))
    else:
        show_jobs(page, report, shown.verbose)
        if shown.explain or shown.verbose:
            _show_steps(page, report)
        if not shown.quiet:
            show_findings(page, report, shown.group_by, shown.verbose)
            if shown.verbose:
                page.console.print(_rules_table(report))
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


def show_findings(page: Page, report: Report, group_by: str, verbose: bool) -> None:
    """Print what needs a person, the bugs, and with `verbose` everything else."""
    printer = _Findings(page, report, verbose)
    if group_by == "rule":
        printer.by_rule()
    else:
        printer.by_file()


class _Findings:
    """Prints a finding in two lines, and its advice in one; or everything that is known of it."""

    def __init__(self, page: Page, report: Report, verbose: bool) -> None:
        self.page = page
        self.report = report
        self.verbose = verbose

    def is_shown(self, finding: Finding) -> bool:
        """Return whether a finding has a place here; rewrites only if they may change a job."""
        if finding.suppression is not None:
            return False
        is_wanted = self.report.mode == "diff" or finding.safety is Safety.UNSAFE
        return self.verbose or not finding.is_fixed or is_wanted

    def by_file(self) -> None:
        """Print each file with what is shown of it, then the bugs."""
        some = False
        for file in self.report.files:
            findings = [f for f in file.findings if self.is_shown(f) and not f.is_bug]
            if findings or self.verbose:
                some = True
                self._heading(visible(file.path), self._remark(file))
                self._findings(file, findings)
            if self.verbose:
                self._rest(file)
        if some and not self.verbose:
            self.page.line()
        self._bugs()

    def by_rule(self) -> None:
        """Print each rule with its findings."""
        groups: dict[tuple[str, str], list[tuple[FileReport, Finding]]] = {}
        for file, finding in self.report.findings():
            if self.is_shown(finding):
                groups.setdefault((finding.code, finding.name), []).append((file, finding))
        for (code, name), findings in sorted(groups.items(), key=lambda item: item[0]):
            self._heading(f"{code} {name}", _work([finding for _, finding in findings]))
            files = {file.path: file for file, _ in findings}
            for path, file in files.items():
                self.page.line(f"  {path}", "bold")
                self._findings(file, [f for other, f in findings if other is file])
        if groups:
            self.page.line()

    def _bugs(self) -> None:
        if not self.report.bugs():
            return
        self._heading(BUGS, BUGS_REMARK)
        for file in self.report.files:
            bugs = [f for f in file.findings if f.is_bug]
            if bugs:
                self.page.line(f"  {file.path}", "bold")
                self._findings(file, bugs)
        self.page.line()

    def _heading(self, name: str, remark: str) -> None:
        if remark:
            self.page.block(Text(name, "bold").append("  "), remark, "dim", indent=4)
        else:
            self.page.line(name, "bold")

    def _remark(self, file: FileReport) -> str:
        """Return what became of a file, and which jobs need it."""
        users = jobs_in_need(file)
        needed = f", part of {list_jobs([visible(u) for u in users])}" if users else ""
        return f"{status(file, self.report)}{needed}"

    def _findings(self, file: FileReport, findings: list[Finding]) -> None:
        text = source_text(file.path, file.original)
        for finding in findings:
            self.finding(finding, text)

    def finding(self, finding: Finding, text: SourceText) -> None:
        """Print a finding and its advice; its code, details, and what it rests on, if wanted."""
        self.message(finding, None if self.verbose else 2)
        if self.verbose and finding.asks_for_change:
            self._excerpt(finding, text)
        if finding.advice:
            lines = None if self.verbose else 1
            self.page.block(Text(" " * INDENT), f"-> {finding.advice}", "cyan", lines)
        if not self.verbose:
            return
        for detail in finding.details:
            self._more(detail)
        if finding.also:
            places = (f"{origin.path}, {shown_place(origin.at)}" for origin in finding.also)
            self._more(f"also in {'; '.join(places)}")
        if finding.evidence and finding.asks_for_change:
            self._more(f"because {', '.join(finding.evidence)}")

    def message(self, finding: Finding, lines: int | None) -> None:
        """Print what was found, where, and how long it takes."""
        style = "green" if finding.is_fixed else _LEVEL_STYLES[finding.severity]
        lead = Text(f"  {place(finding.at):>{INDENT - 4}}  {finding.code} ")
        lead.append(f"{label(finding, self.report):<7}", style).append(" ")
        # not broken between number and unit
        effort = f" ({finding.effort}\xa0min)" if finding.asks_for_change else ""
        dim = "dim" if finding.severity is Severity.INFO else ""
        self.page.block(lead, finding.message + effort, dim, lines)

    def _more(self, text: str) -> None:
        self.page.block(Text(" " * INDENT), text, "dim")

    def _excerpt(self, finding: Finding, text: SourceText) -> None:
        """Print the line of a finding with a mark below its column, cut to the terminal."""
        room = max((self.page.width or PIPED_WIDTH) - INDENT - 8, _MIN_WIDTH)
        excerpt = text.excerpt(finding.at, room)
        if excerpt is None:
            return
        # what is shown as a number is longer than what it stands for
        before = visible(excerpt.text[: excerpt.column])
        line = before + visible(excerpt.text[excerpt.column :])
        lead = Text(" " * INDENT)
        number = Text(f"{finding.at.line:>5} | ", "dim")
        self.page.line(lead + number + Text(line))
        mark = Text(" " * len(before) + "^", "red")
        self.page.line(lead + Text("      | ", "dim") + mark)

    def _rest(self, file: FileReport) -> None:
        """Print the counts of what is not listed line by line."""
        sites = [s for s in file.sites if s.outcome is Outcome.KEPT]
        if sites:
            probable = sum(s.confidence is Confidence.PROBABLE for s in sites)
            doubt = f" ({probable} of them probable, not proven)" if probable else ""
            self._more(f"{quantity(len(sites), 'more use')} of the API without change{doubt}")
        hidden = sum(f.suppression is not None for f in file.findings)
        if hidden:
            noun = quantity(hidden, "finding that does", "findings that do")
            self._more(f"{noun} not count")
        self.page.line()


def _work(findings: list[Finding]) -> str:
    """Return the manual work of findings."""
    todo = [f for f in findings if f.needs_person]
    if not todo:
        return ""
    minutes = duration(sum(f.effort for f in todo))
    return f"{quantity(len(todo), 'finding')} to do by hand, about {minutes}"
