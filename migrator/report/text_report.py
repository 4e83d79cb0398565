"""The text report: rewrites and findings by file or by rule, and totals."""

from __future__ import annotations

import io
import os
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.text import Text

from migrator.model.printable import visible
from migrator.model.report import Confidence, FileReport, Finding, Outcome, Report, Severity
from migrator.report.text_tables import rules_table, totals_table
from migrator.report.wording import (
    BUGS,
    BUGS_REMARK,
    closing,
    counted,
    duration,
    label,
    nothing,
    place,
    status,
)
from migrator.source.excerpt import SourceText, source_text

_STYLES = {
    Severity.ERROR: "bold red",
    Severity.WARNING: "yellow",
    Severity.INFO: "dim",
}
_INDENT = 28
_PIPED_WIDTH = 120
_MIN_WIDTH = 20


def render(report: Report, group_by: str = "file") -> str:
    """The report as plain text, for a file."""
    stream = io.StringIO()
    stream.write(f"Report of migrate on {visible(report.root)}\n\n")
    show(report, color=False, quiet=False, stream=stream, group_by=group_by)
    return stream.getvalue()


def show(
    report: Report,
    *,
    color: bool,
    quiet: bool,
    stream: TextIO | None = None,
    group_by: str = "file",
    written: Sequence[Path] = (),
) -> None:
    """Prints a report.

    Parameters
    ----------
    color
        False for none even on a terminal.
    quiet
        The totals only.
    stream
        Standard output if it is not given.
    group_by
        "file" or "rule".
    written
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
        width=None if terminal else _PIPED_WIDTH,
    )
    printer = _Printer(console, console.width if terminal else None, report)
    if not report.files:
        printer.line(nothing(report))
    else:
        if not quiet:
            printer.findings(group_by)
            console.print(rules_table(report))
        console.print(totals_table(report))
        *lines, last = closing(report)
        for text in lines:
            printer.line(text)
        printer.line(last, "bold" if report.needing_person() else "bold green")
    for path in written:
        printer.line(f"Report: {path}")


class _Printer:
    def __init__(self, console: Console, width: int | None, report: Report) -> None:
        self.console = console
        self.width = width
        self.report = report

    def line(self, text: str, style: str = "") -> None:
        """A line of text that is not wrapped."""
        self.console.print(Text(visible(text), style), soft_wrap=True)

    def findings(self, group_by: str) -> None:
        """All findings in groups."""
        if group_by == "rule":
            self._by_rule()
            return
        for file in self.report.files:
            self._heading(visible(file.path), status(file), file.findings)
            text = source_text(file.path, file.original)
            for finding in file.findings:
                if not finding.is_bug:
                    self._finding(finding, place(finding.at), text)
            self._rest(file)
            self.console.print()
        self._bugs()

    def _bugs(self) -> None:
        """What was wrong before, by file."""
        bugs = self.report.bugs()
        if not bugs:
            return
        self.line(BUGS, "bold")
        self.line(f"  {BUGS_REMARK}", "dim")
        for file in self.report.files:
            found = [f for f in file.findings if f.is_bug]
            if found:
                self.line(f"  {file.path}", "bold")
                text = source_text(file.path, file.original)
                for finding in found:
                    self._finding(finding, place(finding.at), text)
        self.console.print()

    def _by_rule(self) -> None:
        groups: dict[tuple[str, str], list[tuple[FileReport, Finding]]] = {}
        for file, finding in self.report.findings():
            if finding.suppression is None:
                groups.setdefault((finding.code, finding.name), []).append((file, finding))
        texts = {f.path: source_text(f.path, f.original) for f in self.report.files}
        for (code, name), found in sorted(groups.items(), key=lambda item: item[0]):
            self._heading(f"{code} {name}", "", [finding for _, finding in found])
            path = None
            for file, finding in found:
                if file.path != path:
                    path = file.path
                    self.line(f"  {path}", "bold")
                self._finding(finding, place(finding.at), texts[file.path])
            self.console.print()

    def _heading(self, name: str, remark: str, findings: list[Finding]) -> None:
        heading = Text(name, "bold")
        todo = [f for f in findings if f.needs_person]
        parts = [remark] if remark else []
        if todo:
            minutes = duration(sum(f.effort for f in todo))
            parts.append(f"{counted(len(todo), 'finding')} to do by hand, about {minutes}")
        heading.append(f"  {', '.join(parts)}" if parts else "", "dim")
        self.console.print(heading, soft_wrap=True)

    def _finding(self, finding: Finding, where: str, text: SourceText) -> None:
        if finding.suppression is not None:
            return
        style = "green" if finding.fixed else _STYLES[finding.severity]
        lead = Text(f"  {where:>10}  {finding.code} ")
        lead.append(f"{label(finding, self.report):<8}", style)
        lead.append(" ")
        effort = f" ({finding.effort} min)" if finding.asks_for_change else ""
        dim = "dim" if finding.severity is Severity.INFO else ""
        self._block(lead, finding.message + effort, dim)
        if finding.asks_for_change:
            self._excerpt(finding, text)
        if finding.advice:
            self._block(Text(" " * _INDENT), f"-> {finding.advice}", "cyan")
        if finding.evidence and finding.asks_for_change:
            self._block(Text(" " * _INDENT), f"because {', '.join(finding.evidence)}", "dim")

    def _excerpt(self, finding: Finding, text: SourceText) -> None:
        """The line of a finding with a mark below its column, cut to the width of the terminal."""
        room = max((self.width or _PIPED_WIDTH) - _INDENT - 8, _MIN_WIDTH)
        found = text.excerpt(finding.at, room)
        if found is None:
            return
        # what is shown as a number is longer than what it stands for
        before = visible(found.text[: found.column])
        line = before + visible(found.text[found.column :])
        lead = Text(" " * _INDENT)
        number = Text(f"{finding.at.line:>5} | ", "dim")
        self.console.print(lead + number + Text(line), soft_wrap=True)
        mark = Text(" " * len(before) + "^", "red")
        self.console.print(lead + Text("      | ", "dim") + mark, soft_wrap=True)

    def _rest(self, file: FileReport) -> None:
        """The counts of what is not listed line by line."""
        lead = Text(" " * _INDENT)
        kept = [s for s in file.sites if s.outcome is Outcome.KEPT]
        if kept:
            probable = sum(s.confidence is Confidence.PROBABLE for s in kept)
            doubt = f" ({probable} of them probable, not proven)" if probable else ""
            more = counted(len(kept), "more use")
            self._block(lead, f"{more} of the API without change{doubt}", "dim")
        hidden = sum(f.suppression is not None for f in file.findings)
        if hidden:
            noun = counted(hidden, "finding that does", "findings that do")
            self._block(lead, f"{noun} not count", "dim")

    def _block(self, lead: Text, text: str, style: str) -> None:
        """A text behind its lead; on a terminal it is wrapped with a hanging indent."""
        lines = [visible(text)]
        if self.width is not None and self.width > _INDENT + _MIN_WIDTH:
            lines = textwrap.wrap(lines[0], self.width - _INDENT - 1, break_on_hyphens=False)
        for index, line in enumerate(lines):
            whole = lead.copy() if index == 0 else Text(" " * _INDENT)
            whole.append(line, style)
            self.console.print(whole, soft_wrap=True)
