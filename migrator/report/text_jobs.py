"""The head of the text report: which jobs run, and what the others need."""

from __future__ import annotations

from rich.text import Text

from migrator.model.printable import visible
from migrator.model.report import Report
from migrator.report.jobs import Job, JobState, headline, jobs, other_files, outcome
from migrator.report.text_blocks import Page

_LABEL = 10
# longer paths move what stands behind them
_PATH = 40
_LINES = 4
_STYLES = {JobState.RUNS: "green", JobState.NEEDS: "yellow", JobState.CANNOT: "bold red"}


def show_jobs(page: Page, report: Report, verbose: bool) -> None:
    """Print the headline, the names of the jobs that run, and a line for each of the others."""
    found, others = jobs(report), other_files(report)
    page.block(Text(), headline(report, found, others), "bold", indent=2)
    moved = {file.path for file in report.files if file.structured is not None}
    lines = None if verbose else _LINES
    for name, running in (
        ("moved", [job.path for job in found if _runs(job) and job.path in moved]),
        ("runs", [job.path for job in found if _runs(job) and job.path not in moved]),
    ):
        if running:
            lead = _label(name, _STYLES[JobState.RUNS])
            page.block(lead, ", ".join(running), lines=lines, indent=_LABEL)
    waiting = [job for job in found if job.state is not JobState.RUNS]
    waiting.sort(key=lambda job: (list(JobState).index(job.state), job.path))
    width = max((len(visible(job.path)) for job in (*waiting, *others)), default=0)
    for job in waiting:
        _job(page, job, job.state.value, min(width, _PATH))
    for job in others:
        _job(page, job, "project", min(width, _PATH))
    _verified(page, found)
    page.line()


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
