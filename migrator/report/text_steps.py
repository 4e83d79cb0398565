"""What the calls of jobs became, for the text report."""

from __future__ import annotations

from rich.text import Text

from migrator.model.printable import visible
from migrator.model.report import FileReport, Report
from migrator.model.structured_forms import StructuredForm
from migrator.report.text_blocks import Page

_LINE = 7
_ARROW = "-> "


def show_steps(page: Page, report: Report) -> None:
    """Print each call of the rewritten jobs, what it became, and why that is the same."""
    for file in report.files:
        if file.structured is not None:
            _file(page, file, file.structured)


def _file(page: Page, file: FileReport, form: StructuredForm) -> None:
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
