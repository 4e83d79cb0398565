"""The findings of the text report, by file or by rule."""

from __future__ import annotations

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
from migrator.report.jobs import jobs_in_need
from migrator.report.text_blocks import INDENT, PIPED_WIDTH, Page
from migrator.report.wording import (
    BUGS,
    BUGS_REMARK,
    duration,
    label,
    list_jobs,
    place,
    quantity,
    status,
)
from migrator.source.excerpt import SourceText, source_text

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFO: "dim"}
_MIN_WIDTH = 20


def show_findings(page: Page, report: Report, group_by: str, verbose: bool) -> None:
    """Print what needs a person, the bugs, and with `verbose` everything else."""
    printer = _Verbose(page, report) if verbose else _Brief(page, report)
    if group_by == "rule":
        printer.by_rule()
    else:
        printer.by_file()


class _Brief:
    """Prints a finding in two lines, and its advice in one."""

    def __init__(self, page: Page, report: Report) -> None:
        self.page = page
        self.report = report

    def is_shown(self, finding: Finding) -> bool:
        """Return whether a finding has a place here; rewrites only if they may change a job."""
        if finding.suppression is not None:
            return False
        is_wanted = self.report.mode == "diff" or finding.safety is Safety.UNSAFE
        return not finding.is_fixed or is_wanted

    def by_file(self) -> None:
        """Print each file with what is shown of it, then the bugs."""
        some = False
        for file in self.report.files:
            findings = [f for f in file.findings if self.is_shown(f) and not f.is_bug]
            if findings or self.has_rest(file):
                some = True
                self._heading(visible(file.path), self._remark(file))
                self._findings(file, findings)
                self.rest(file)
        if some:
            self.end()
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
        """Print a finding and its advice."""
        self.message(finding, 2)
        self.advice(finding, 1)

    def message(self, finding: Finding, lines: int | None) -> None:
        """Print what was found, where, and how long it takes."""
        style = "green" if finding.is_fixed else _STYLES[finding.severity]
        lead = Text(f"  {place(finding.at):>{INDENT - 4}}  {finding.code} ")
        lead.append(f"{label(finding, self.report):<7}", style).append(" ")
        # not broken between number and unit
        effort = f" ({finding.effort}\xa0min)" if finding.asks_for_change else ""
        dim = "dim" if finding.severity is Severity.INFO else ""
        self.page.block(lead, finding.message + effort, dim, lines)

    def advice(self, finding: Finding, lines: int | None) -> None:
        """Print what to do."""
        if finding.advice:
            self.page.block(Text(" " * INDENT), f"-> {finding.advice}", "cyan", lines)

    def has_rest(self, file: FileReport) -> bool:
        """Return whether a file without findings is shown."""
        return False

    def rest(self, file: FileReport) -> None:
        """Print what else is said of a file."""

    def end(self) -> None:
        """End the list of files."""
        self.page.line()


class _Verbose(_Brief):
    """Prints everything that is known of a finding, its code too."""

    def is_shown(self, finding: Finding) -> bool:
        """Return whether a finding counts."""
        return finding.suppression is None

    def finding(self, finding: Finding, text: SourceText) -> None:
        """Print a finding with its code, advice, details, and what it rests on."""
        self.message(finding, None)
        if finding.asks_for_change:
            self._excerpt(finding, text)
        self.advice(finding, None)
        for detail in finding.details:
            self._more(detail)
        if finding.also:
            places = (f"{origin.path}, {shown_place(origin.at)}" for origin in finding.also)
            self._more(f"also in {'; '.join(places)}")
        if finding.evidence and finding.asks_for_change:
            self._more(f"because {', '.join(finding.evidence)}")

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

    def has_rest(self, file: FileReport) -> bool:
        """Return every file is shown."""
        return True

    def rest(self, file: FileReport) -> None:
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

    def end(self) -> None:
        """Do nothing: each file has ended already."""


def _work(findings: list[Finding]) -> str:
    """Return the manual work of findings."""
    todo = [f for f in findings if f.needs_person]
    if not todo:
        return ""
    minutes = duration(sum(f.effort for f in todo))
    return f"{quantity(len(todo), 'finding')} to do by hand, about {minutes}"
