"""The jobs of a large tree in numbers: by project, or by folder where there is only one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from migrator.model.report import Report
from migrator.report.jobs import Job, JobState
from migrator.report.wording import short_duration

# with so many jobs, their names say less than numbers
MANY = 10

NO_FORM = "D860"

COLUMNS = ("jobs", "run", "need", "cannot", "findings", "time")


def as_numbers(job_list: list[Job], others: list[Job]) -> bool:
    """Return whether a table by project says more than a list of the jobs that need something."""
    every = [*job_list, *others]
    several = len({job.project for job in every}) > 1
    return len(job_list) >= MANY and (several or sum(map(_waits, every)) >= MANY)


@dataclass(frozen=True, slots=True)
class Row:
    """A project in numbers.

    Parameters
    ----------
    name : str
        Its folder, or what several projects are called together.
    cells : tuple of str
        The numbers, one for each of `COLUMNS`; empty instead of 0.
    """

    name: str
    cells: tuple[str, ...]


def rows(job_list: list[Job], others: list[Job]) -> list[Row]:
    """Return a row for each project that needs something, and one for all others together.

    Parameters
    ----------
    others : list of Job
        Files of no job that need something.
    """
    groups: dict[str, list[Job]] = {}
    is_job = {id(job) for job in job_list}
    every = [*job_list, *others]
    apart = len({job.project for job in every}) > 1
    for job in every:
        groups.setdefault(job.project if apart else job.path.rpartition("/")[0], []).append(job)
    waiting = {name: jobs for name, jobs in groups.items() if any(map(_waits, jobs))}
    all_rows = [_row(name or ".", waiting[name], is_job) for name in sorted(waiting)]
    rest = [jobs for name, jobs in groups.items() if name not in waiting]
    if rest:
        noun = "project" if apart else "folder"
        name = f"{len(rest)} {'other ' if all_rows else ''}{noun}{'' if len(rest) == 1 else 's'}"
        all_rows.append(_row(name, [job for jobs in rest for job in jobs], is_job))
    return all_rows


def reasons(report: Report) -> dict[str, Counter[str]]:
    """Return how many steps of jobs have no form in Structured Streaming, by project and reason."""
    counts: dict[str, Counter[str]] = {}
    for file, finding in report.findings():
        if finding.code == NO_FORM:
            counts.setdefault(report.project_of(file.path), Counter())[finding.task] += 1
    return counts


def _waits(job: Job) -> bool:
    return job.state is not JobState.RUNS


def _row(name: str, group: list[Job], is_job: set[int]) -> Row:
    states = [job.state for job in group if id(job) in is_job]
    findings = {id(f): f for job in group for f in job.findings}
    minutes = sum(f.effort for f in findings.values())
    numbers = (len(states), *(states.count(state) for state in JobState), len(findings))
    time = short_duration(minutes) if minutes else ""
    return Row(name, (*(str(n or "") for n in numbers), time))


def differing_jobs(job_list: list[Job]) -> Iterator[Job]:
    """Yield the jobs whose verification found a difference; numbers alone would hide them."""
    for job in job_list:
        if job.verified is not None and not job.verified.equal:
            yield job
