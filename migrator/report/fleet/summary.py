"""What the jobs of a fleet have in common, and the order in which projects are best moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from migrator.model.fleet import NO_FORM, VERIFIED, FleetJob, FleetProject
from migrator.report.jobs import JobState
from migrator.spark.since import OLDEST, version_name
from migrator.spark.versions import SPARK

NO_STATE = "none"


class Wave(Enum):
    """When a project is moved; the values are what is said of it.

    Attributes
    ----------
    NOW
        No manual work, and no state that has to be taken along or built anew.
    WITH_STATE
        No manual work, but a job keeps a state.
    AFTER_WORK
        A person has to do something first.
    BLOCKED
        A job has something without a counterpart.
    EMPTY
        There is no job, and nothing to do.
    UNREAD
        The project could not be analysed.
    """

    NOW = "now"
    WITH_STATE = "with state"
    AFTER_WORK = "after work"
    BLOCKED = "blocked"
    EMPTY = "no job"
    UNREAD = "not read"


def wave(project: FleetProject) -> Wave:
    """Return when a project is moved."""
    if project.error:
        return Wave.UNREAD
    if project.in_state(JobState.CANNOT):
        return Wave.BLOCKED
    if project.minutes or project.in_state(JobState.NEEDS):
        return Wave.AFTER_WORK
    if not project.jobs:
        return Wave.EMPTY
    return Wave.WITH_STATE if any(job.keeps for job in project.jobs) else Wave.NOW


def in_order(projects: Iterable[FleetProject]) -> list[FleetProject]:
    """Return projects in the order to move them in: by their waves, then those first that take the
    fewest minutes of manual work for a job.
    """
    waves = list(Wave)

    def key(project: FleetProject) -> tuple[int, float, int, str]:
        per_job = project.minutes / max(len(project.jobs), 1)
        return waves.index(wave(project)), per_job, -len(project.jobs), project.name

    return sorted(projects, key=key)


def jobs_of(projects: Iterable[FleetProject]) -> list[FleetJob]:
    """Return the jobs of all projects."""
    return [job for project in projects for job in project.jobs]


@dataclass(frozen=True, slots=True)
class Shared:
    """A task, or a reason without a form, and the jobs that wait for it.

    Parameters
    ----------
    jobs, projects : int
        How many jobs and projects have it; files of no job count for their project only.
    minutes : int
        What it takes in all of them.
    """

    code: str
    text: str
    jobs: int
    projects: int
    minutes: int


def shared_tasks(projects: Sequence[FleetProject]) -> list[Shared]:
    """Return what is to be done, that for which the most jobs wait first."""
    users = Counter((task.code, task.text) for job in jobs_of(projects) for task in job.tasks)
    places: dict[tuple[str, str], list[int]] = {}
    for project in projects:
        for task in project.tasks:
            places.setdefault((task.code, task.text), []).append(task.minutes)
    tasks = [
        Shared(code, text, users[code, text], len(minutes), sum(minutes))
        for (code, text), minutes in places.items()
    ]
    return sorted(tasks, key=lambda one: (-one.jobs, -one.projects, one.code, one.text))


def reasons_without_form(projects: Iterable[FleetProject]) -> list[tuple[str, int]]:
    """Return why jobs have no form in Structured Streaming, and how many jobs, most first."""
    counts = Counter(reason for job in jobs_of(projects) for reason in set(job.no_form))
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def by_state(jobs: Iterable[FleetJob]) -> dict[str, int]:
    """Return how many jobs are in each state."""
    counts = Counter(job.state for job in jobs)
    return {state.value: counts[state] for state in JobState}


def by_source(jobs: Iterable[FleetJob]) -> list[tuple[str, int]]:
    """Return how many jobs read from each kind of source, most first; a job may have several."""
    return _counts_by_frequency(source for job in jobs for source in job.sources or ("unknown",))


def by_kept_state(jobs: Iterable[FleetJob]) -> list[tuple[str, int]]:
    """Return how many jobs keep a state in each way, those without one first."""
    counts = _counts_by_frequency(kind for job in jobs for kind in job.keeps or (NO_STATE,))
    return sorted(counts, key=lambda item: item[0] != NO_STATE)


def by_verification(jobs: Iterable[FleetJob]) -> list[tuple[str, int]]:
    """Return how many jobs were verified with which result."""
    counts = Counter(job.verified for job in jobs)
    return [(word, counts[word]) for word in VERIFIED if counts[word]]


def _counts_by_frequency(values: Iterable[str]) -> list[tuple[str, int]]:
    return sorted(Counter(values).items(), key=lambda item: (-item[1], item[0]))


def by_target(jobs: Sequence[FleetJob]) -> Iterator[tuple[str, int, str]]:
    """Yield each target with the number of jobs that reach it, and the Spark that they need."""
    compat = version_name(SPARK)
    if any(job.unchanged is not None for job in jobs):
        yield "unchanged", sum(bool(job.unchanged) for job in jobs), f"from Spark {compat}"
    if any(job.compat is not None for job in jobs):
        yield "compat", sum(bool(job.compat) for job in jobs), f"from Spark {compat}"
    for form in ("portable", "classic"):
        if any(job.structured is not None for job in jobs):
            own = [job for job in jobs if job.structured == form]
            yield form, len(own), _sparks(own)


def _sparks(jobs: Sequence[FleetJob]) -> str:
    sparks = Counter(job.spark or version_name(OLDEST) for job in jobs)
    if len(sparks) <= 1:
        return "".join(f"from Spark {spark}" for spark in sparks)
    counts = ", ".join(f"{spark}: {count}" for spark, count in sorted(sparks.items()))
    return f"from Spark {counts}"


def reached_targets(job: FleetJob) -> list[str]:
    """Return the targets that a job reaches, the least change first."""
    form = job.structured if job.structured != NO_FORM else None
    names = ("unchanged" if job.unchanged else None, "compat" if job.compat else None, form)
    return [name for name in names if name]
