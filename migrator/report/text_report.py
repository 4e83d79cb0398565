"""The report for people: files with what was rewritten and what is left, then the totals."""

from __future__ import annotations

import os
import sys
import textwrap
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from migrator.model import Confidence, FileReport, Finding, Outcome, Report, Severity, Status
from migrator.report.safe import visible

_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "yellow",
    Severity.INFO: "dim",
}
_INDENT = 27


def show(report: Report, *, color: bool, quiet: bool, stream: TextIO | None = None) -> None:
    """Prints a report.

    Parameters: color, False for none even on a terminal; quiet, the totals only; stream, standard
    output if it is not given.
    """
    file = stream or sys.stdout
    terminal = file.isatty()
    console = Console(
        file=file,
        no_color=not color or "NO_COLOR" in os.environ,
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=True,
        width=None if terminal else 120,
    )
    _Printer(console, console.width if terminal else None).run(report, quiet)


class _Printer:
    def __init__(self, console: Console, width: int | None) -> None:
        self.console = console
        self.fixed_label = "fixed"
        self.width = width

    def run(self, report: Report, quiet: bool) -> None:
        if report.mode in ("check", "diff"):
            self.fixed_label = "fixable"
        if not report.files:
            self._line(
                f"No DStream code found in {report.root} ({_files(report.scanned)} looked at): "
                "nothing to do."
            )
            return
        if not quiet:
            for file in report.files:
                self._file(file)
            self._rules(report)
        self._summary(report)
        self._closing(report)

    def _line(self, text: str, style: str = "") -> None:
        self.console.print(Text(visible(text), style), soft_wrap=True)

    def _file(self, file: FileReport) -> None:
        heading = Text(visible(file.path), "bold")
        heading.append(f"  {_status(file)}", "dim")
        self.console.print(heading, soft_wrap=True)
        for finding in file.findings:
            self._finding(finding)
        kept = [s for s in file.sites if s.outcome is Outcome.KEPT]
        if kept:
            probable = sum(s.confidence is Confidence.PROBABLE for s in kept)
            doubt = f" ({probable} of them probable, not proven)" if probable else ""
            text = f"{_uses(len(kept))} of the API without change{doubt}"
            self._block(Text(" " * _INDENT), text, "dim")
        self.console.print()

    def _finding(self, finding: Finding) -> None:
        at = finding.at
        place = f"{at.line}:{at.column}"
        if at.cell is not None:
            place = f"[{at.cell}] {place}"
        label = self.fixed_label if finding.fixed else finding.severity.value
        style = "green" if finding.fixed else _STYLES[finding.severity]
        lead = Text(f"  {place:>10}  {finding.code} ")
        lead.append(f"{label:<8}", style)
        lead.append(" ")
        self._block(lead, finding.message, "dim" if finding.severity is Severity.INFO else "")
        if finding.advice:
            self._block(Text(" " * _INDENT), f"-> {finding.advice}", "cyan")
        if finding.evidence and finding.needs_person:
            self._block(Text(" " * _INDENT), f"because {', '.join(finding.evidence)}", "dim")

    def _block(self, lead: Text, text: str, style: str) -> None:
        """A text behind its lead; on a terminal it is wrapped with a hanging indent."""
        lines = [visible(text)]
        if self.width is not None and self.width > _INDENT + 20:
            lines = textwrap.wrap(lines[0], self.width - _INDENT - 1, break_on_hyphens=False)
        for index, line in enumerate(lines):
            whole = lead.copy() if index == 0 else Text(" " * _INDENT)
            whole.append(line, style)
            self.console.print(whole, soft_wrap=True)

    def _rules(self, report: Report) -> None:
        counts: dict[tuple[str, str], list[Finding]] = {}
        for _, finding in report.findings():
            counts.setdefault((finding.code, finding.name), []).append(finding)
        table = Table(box=box.SIMPLE, pad_edge=False)
        table.add_column("rule")
        table.add_column("")
        for title in ("fixed", "to do", "notes", "minutes"):
            table.add_column(title, justify="right")
        for (code, name), findings in sorted(counts.items()):
            fixed = sum(f.fixed for f in findings)
            todo = sum(f.needs_person for f in findings)
            minutes = sum(f.effort for f in findings if f.needs_person)
            notes = len(findings) - fixed - todo
            table.add_row(code, name, *(str(n or "") for n in (fixed, todo, notes, minutes)))
        self.console.print(table)

    def _summary(self, report: Report) -> None:
        sites = report.sites()
        outcomes = {o: sum(s.outcome is o for s in sites) for o in Outcome}
        severities = {
            s: sum(f.severity is s and not f.fixed for _, f in report.findings()) for s in Severity
        }
        share = report.migrated_share()
        table = Table(box=box.SIMPLE, show_header=False, pad_edge=False)
        table.add_column()
        table.add_column(justify="right")
        table.add_row("files looked at", str(report.scanned))
        table.add_row("files with DStream code", str(sum(bool(f.sites) for f in report.files)))
        table.add_row("files rewritten", str(report.with_status(Status.REWRITTEN)))
        table.add_row(
            "files not readable, wholly or in part", str(report.with_status(Status.UNREADABLE))
        )
        table.add_row("errors", str(severities[Severity.ERROR]))
        table.add_row("warnings", str(severities[Severity.WARNING]))
        table.add_row("notes", str(severities[Severity.INFO]))
        table.add_row("uses of the DStream API", str(len(sites)))
        table.add_row("  rewritten", str(outcomes[Outcome.REWRITTEN]))
        table.add_row("  run unchanged", str(outcomes[Outcome.KEPT]))
        table.add_row("  left for a person", str(outcomes[Outcome.REPORTED]))
        table.add_row("migrated", "-" if share is None else f"{100 * share:.1f} %")
        self.console.print(table)

    def _closing(self, report: Report) -> None:
        rewritten = report.with_status(Status.REWRITTEN)
        match report.mode:
            case "check":
                self._line(
                    f"Nothing was written (--check); {_files(rewritten)} would be rewritten."
                )
            case "diff":
                self._line("Nothing was written (--diff).")
            case "in-place":
                self._line(f"{_files(rewritten)} rewritten in place.")
            case _ if report.output is None:
                self._line("Nothing was written: there was nothing to rewrite.")
            case _:
                self._line(f"Written to {report.output}; {report.root} was not changed.")
        left = report.needing_person()
        if left:
            minutes = sum(f.effort for _, f in report.findings() if f.needs_person)
            noun = "finding needs" if left == 1 else "findings need"
            self._line(f"{left} {noun} a person, about {_duration(minutes)}.", "bold")
        else:
            self._line("Nothing is left for a person.", "bold green")


def _files(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"


def _uses(count: int) -> str:
    return f"{count} more use" if count == 1 else f"{count} more uses"


def _duration(minutes: int) -> str:
    return f"{minutes} minutes" if minutes < 120 else f"{minutes / 60:.1f} hours"


def _status(file: FileReport) -> str:
    if file.status is Status.UNREADABLE:
        return "could not be read"
    if file.status is Status.REWRITTEN:
        return "rewritten" if file.error is None else "rewritten in part"
    return "not changed"
