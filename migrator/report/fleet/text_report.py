"""A fleet on a terminal: what all jobs are like, what they wait for, and who goes first."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from rich.text import Text

from migrator.model.fleet import NOT_VERIFIED, FleetProject
from migrator.model.printable import visible
from migrator.report.fleet.summary import (
    Wave,
    by_kept_state,
    by_source,
    by_state,
    by_target,
    by_verification,
    in_order,
    jobs_of,
    reached_targets,
    reasons_without_form,
    shared_tasks,
    wave,
)
from migrator.report.jobs import JobState
from migrator.report.text_blocks import Page
from migrator.report.wording import quantity, short_duration

# so much fits a screen of 40 lines, with the command above and the prompt below
_TASKS = 8
_PROJECTS = 12
_NAMES = 6
_LABEL = 12
_COLUMNS = ("jobs", "run", "need", "cannot", "compat", "portable", "classic", "time", "when")
_STYLES = {
    Wave.NOW: "green",
    Wave.WITH_STATE: "green",
    Wave.AFTER_WORK: "yellow",
    Wave.BLOCKED: "bold red",
    Wave.EMPTY: "dim",
    Wave.UNREAD: "bold red",
}
_OF_TARGETS = frozenset({6, 7, 8})
_WIDE = 100
_MIN_NAME = 12


def render(projects: Sequence[FleetProject]) -> str:
    """Return the report as plain text, with all projects and jobs, for a file."""
    stream = io.StringIO()
    stream.write(f"Report of migrate on {quantity(len(projects), 'project')}\n\n")
    show(projects, verbose=True, color=False, stream=stream)
    return stream.getvalue()


def show(
    projects: Sequence[FleetProject],
    *,
    verbose: bool = False,
    quiet: bool = False,
    color: bool = True,
    stream: TextIO | None = None,
    written: Sequence[Path] = (),
) -> None:
    """Print the report.

    Parameters
    ----------
    verbose : bool
        Whether all projects and their jobs are listed.
    quiet : bool
        Whether only the numbers of all jobs are shown.
    color : bool
        False for none even on a terminal.
    stream : TextIO, optional
        Standard output if it is not given.
    written : sequence of Path
        Reports in files, to be named.
    """
    page = Page(stream or sys.stdout, color=color)
    _show_numbers(page, projects)
    if not quiet:
        _show_tasks(page, projects, verbose)
        _show_projects(page, projects, verbose)
    if verbose:
        _show_jobs(page, projects)
    for path in written:
        page.line(f"Report: {path}")


def headline(projects: Sequence[FleetProject]) -> str:
    """Return how many jobs run, need something, and cannot run."""
    states = by_state(jobs_of(projects))
    words = {"runs": "run", "needs": "need something", "cannot": "cannot run"}
    parts = [f"{count} {words[state]}" for state, count in states.items() if count]
    text = f"{quantity(sum(states.values()), 'job')} in {quantity(len(projects), 'project')}"
    failed = sum(bool(project.error) for project in projects)
    more = f"; {quantity(failed, 'project')} could not be analysed" if failed else ""
    return f"{text}: {', '.join(parts)}{more}" if parts else f"{text}{more}"


def numbers(projects: Sequence[FleetProject]) -> list[tuple[str, str]]:
    """Return what is counted over all jobs: a name, and the numbers in words."""
    jobs = jobs_of(projects)
    targets = [
        f"{name} {count}{f' ({needs})' if needs and count else ''}"
        for name, count, needs in by_target(jobs)
    ]
    minutes = sum(project.minutes for project in projects)
    busy = sum(bool(project.minutes) for project in projects)
    effort = f"{short_duration(minutes)} in {quantity(busy, 'project')}" if minutes else "none"
    verdicts = by_verification(jobs)
    if all(name == NOT_VERIFIED for name, _ in verdicts):
        verdicts = []
    rows = [
        ("targets", "; ".join(targets)),
        ("sources", _counts(by_source(jobs))),
        ("state", _counts(by_kept_state(jobs))),
        ("effort", effort),
        ("verified", _counts(verdicts)),
        ("no form", _counts(reasons_without_form(projects))),
    ]
    return [row for row in rows if row[1]]


def _counts(items: Sequence[tuple[str, int]]) -> str:
    named = [f"{name} {count}" for name, count in items[:_NAMES]]
    left = len(items) - _NAMES
    return ", ".join([*named, f"{left} more"] if left > 0 else named)


def _show_numbers(page: Page, projects: Sequence[FleetProject]) -> None:
    page.block(Text(), headline(projects), "bold", indent=2)
    for name, text in numbers(projects):
        lead = Text("  ").append(f"{name:<{_LABEL - 2}}", "dim")
        page.block(lead, text, lines=2, indent=_LABEL)
    page.line()


def _show_tasks(page: Page, projects: Sequence[FleetProject], verbose: bool) -> None:
    tasks = shared_tasks(projects)
    if not tasks:
        return
    page.line(f"{'jobs':>6}  {'projects':>8}  {'time':>8}  what they wait for", "dim")
    shown = tasks if verbose else tasks[:_TASKS]
    for task in shown:
        time = short_duration(task.minutes)
        lead = Text(f"{task.jobs or '':>6}  {task.projects:>8}  {time:>8}  ")
        page.block(lead, _shorten(page, lead, f"{task.text} ({task.code})"))
    left = tasks[len(shown) :]
    if left:
        minutes = short_duration(sum(task.minutes for task in left))
        page.line(f"{'':>16}  {minutes:>8}  {len(left)} more (--verbose)", "dim")
    page.line()


def _shorten(page: Page, lead: Text, text: str) -> str:
    """Return a text that fits the rest of a line; its code stays."""
    room = page.room(lead)
    words, _, code = text.rpartition(" (")
    if room is None or len(text) <= room:
        return text
    return f"{words[: max(room - len(code) - 6, 8)].rstrip()} ... ({code}"


def _show_projects(page: Page, projects: Sequence[FleetProject], verbose: bool) -> None:
    ordered = in_order(projects)
    head: tuple[str, ...] = ("order", "project", *_COLUMNS)
    rows = [(str(number), *_cells(project)) for number, project in enumerate(ordered, 1)]
    if page.width is not None and page.width < _WIDE:
        head = _narrow(head)
        rows = [_narrow(row) for row in rows]
    first, names, *widths = (max(map(len, column)) for column in zip(head, *rows, strict=True))
    room = names
    if page.width is not None:
        taken = first + 4 + sum(widths) + 2 * len(widths)
        room = max(min(names, page.width - taken - 1), _MIN_NAME)
    _line(page, head, first, room, widths, "dim")
    many = not verbose and len(rows) > _PROJECTS + 1
    shown = rows[:_PROJECTS] if many else rows
    for row, project in zip(shown, ordered, strict=False):
        _line(page, row, first, room, widths, _STYLES[wave(project)])
    if many:
        left = ordered[_PROJECTS:]
        waves = [wave(project) for project in left]
        parts = [f"{waves.count(when)} {when.value}" for when in Wave if when in waves]
        words = f"{len(left)} more projects: {', '.join(parts)} (--verbose lists them)"
        page.block(Text(" " * (first + 4)), words, "dim", lines=1)
    for project in ordered:
        if project.error:
            page.block(Text("  "), f"{project.name}: {project.error}", "bold red", lines=2)


def _narrow(cells: tuple[str, ...]) -> tuple[str, ...]:
    """Return the cells of a row without the targets, for which a terminal has no room."""
    return tuple(cell for column, cell in enumerate(cells) if column not in _OF_TARGETS)


def _cells(project: FleetProject) -> tuple[str, ...]:
    jobs = project.jobs
    counts = [len(jobs), *(project.in_state(state) for state in JobState)]
    reached = (
        sum(bool(job.compat) for job in jobs),
        *(sum(job.structured == form for job in jobs) for form in ("portable", "classic")),
    )
    time = short_duration(project.minutes) if project.minutes else ""
    texts = [str(count or "") for count in (*counts, *reached)]
    return visible(project.name), *texts, time, wave(project).value


def _line(
    page: Page, cells: Sequence[str], first: int, room: int, widths: Sequence[int], style: str
) -> None:
    number, name, *others = cells
    name = name if len(name) <= room else f"...{name[3 - room :]}"
    *figures, when = others
    row = "".join(f"  {cell:>{width}}" for cell, width in zip(figures, widths, strict=False))
    text = Text(f"  {number:>{first}}  {name:<{room}}{row}  ")
    page.line(text.append(when, style))


def _show_jobs(page: Page, projects: Sequence[FleetProject]) -> None:
    for project in in_order(projects):
        page.line()
        page.line(project.name, "bold")
        for job in project.jobs:
            traits = [*job.sources, *job.keeps]
            reached = ", ".join(reached_targets(job)) or "none"
            words = f"{job.state}; {reached}; {', '.join(traits) or 'no source'}"
            words += f"; {job.verified}"
            page.block(Text(f"  {visible(job.path)}  "), words, indent=4)
            if job.needs:
                page.block(Text("    "), job.needs, indent=4)
