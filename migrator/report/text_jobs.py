"""The head of the text report: which jobs run, and what the others need."""

from __future__ import annotations

from rich.text import Text

from migrator.model.printable import visible
from migrator.model.report import Report
from migrator.report.jobs import Job, JobState, headline, jobs, other_files, outcome
from migrator.report.projects import COLUMNS, MANY, as_numbers, differing, reasons, rows
from migrator.report.text_blocks import Page
from migrator.report.wording import counted

_LABEL = 10
# longer paths move what stands behind them
_PATH = 40
_STYLES = {JobState.RUNS: "green", JobState.NEEDS: "yellow", JobState.CANNOT: "bold red"}


def show_jobs(page: Page, report: Report, verbose: bool) -> None:
    """Print the headline, and the jobs: their names and what they
    need, or a table by project if there are many.
    """
    found, others = jobs(report), other_files(report)
    page.block(Text(), headline(report, found, others), "bold", indent=2)
    if verbose or not as_numbers(found, others):
        _list(page, report, found, others, verbose)
    else:
        _table(page, found, others)
    short = len(found) >= MANY and not verbose
    _verified(page, list(differing(found)) if short else found)
    _reasons(page, report)
    page.line()


def _reasons(page: Page, report: Report) -> None:
    """Print why jobs have no form in Structured Streaming: how many of their steps, by reason."""
    found = reasons(report)
    for project, counts in sorted(found.items()):
        parts = [f"{count} {reason}" for reason, count in counts.most_common()]
        name = f"{visible(project or '.')}: " if len(found) > 1 else ""
        text = f"{name}{counted(counts.total(), 'step')} without a form: {', '.join(parts)}"
        page.block(_label("stays", "dim"), text, indent=_LABEL)


def _list(page: Page, report: Report, found: list[Job], others: list[Job], verbose: bool) -> None:
    homes = [file for file in report.files if file.structured is not None]
    # a program without streams of its own has moved with the file that makes its context
    moved = {
        job for file in homes for job in ([file.path] if file.path in file.jobs else file.jobs)
    }
    for name, running in (
        ("moved", [job.path for job in found if _runs(job) and job.path in moved]),
        ("runs", [job.path for job in found if _runs(job) and job.path not in moved]),
    ):
        if running:
            lead = _label(name, _STYLES[JobState.RUNS])
            names = len(running) < MANY or verbose
            text = ", ".join(running) if names else counted(len(running), "job")
            page.block(lead, text, indent=_LABEL)
    waiting = [job for job in found if job.state is not JobState.RUNS]
    waiting.sort(key=lambda job: (list(JobState).index(job.state), job.path))
    width = max((len(visible(job.path)) for job in (*waiting, *others)), default=0)
    for job in waiting:
        _job(page, job, job.state.value, min(width, _PATH))
    for job in others:
        _job(page, job, "project", min(width, _PATH))


def _table(page: Page, found: list[Job], others: list[Job]) -> None:
    """Print the numbers of each project; longer names have a line of their own."""
    made = rows(found, others)
    cells = [COLUMNS, *(row.cells for row in made)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    room = _PATH if page.width is None else page.width - sum(widths) - 2 * len(widths) - 3
    names = [visible(row.name) for row in made]
    width = min(max(map(len, ["project", *names])), max(room, len("project")))
    _line(page, "project", COLUMNS, width, widths, "dim")
    for name, row in zip(names, made, strict=True):
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


def _verified(page: Page, found: list[Job]) -> None:
    known = [(job.path, *outcome(job.verified)) for job in found if job.verified is not None]
    width = max((len(visible(path)) for path, _, _ in known), default=0)
    for path, word, figures in known:
        lead = _label(word, "green" if word == "equal" else "bold red")
        lead.append(f"{visible(path):<{min(width, _PATH)}}  ")
        page.block(lead, figures, lines=1)


def _label(text: str, style: str) -> Text:
    return Text("  ").append(f"{text:<{_LABEL - 2}}", style)
