"""Many projects in numbers: what is known of each job of each of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

NO_FORM = "none"
"""What a job becomes as Structured Streaming that has no form there."""
STALE = "stale"
NOT_VERIFIED = "not verified"
VERIFIED = ("equal", "differs", "not comparable", STALE, NOT_VERIFIED)
"""What is known of a job's verification; it is stale if a file has changed since."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a person has to do for a job, or why the job has no form in Structured Streaming.

    Parameters
    ----------
    code : str
        The rule that says so, or the reason without a form.
    text : str
        What is to be done.
    findings, minutes : int
        How many findings say so, and how long they take together.
    """

    code: str
    text: str
    findings: int
    minutes: int


@dataclass(frozen=True, slots=True)
class FleetJob:
    """A job of a project.

    Parameters
    ----------
    path : str
        Its program, relative to the project.
    state : str
        `runs`, `needs` or `cannot`.
    needs : str
        What it needs, in words; empty if it runs.
    sources, keeps : tuple of str
        Where its records come from, and by which methods it keeps a state.
    minutes : int
        Of manual work; a finding of a module counts for each job that imports it.
    unchanged, compat : bool, optional
        Whether it runs by `dstream_compat run` as it is, and once it is rewritten for that
        package; None if that was not looked at.
    structured : str, optional
        `portable`, `classic` or `none`; None if that was not looked at.
    spark : str, optional
        The first Spark that its Structured Streaming form runs on.
    tasks : tuple of Task
        What a person has to do.
    no_form : tuple of str
        Why it has no form in Structured Streaming.
    verified : str
        One of `VERIFIED`.
    """

    path: str
    state: str
    needs: str
    sources: tuple[str, ...]
    keeps: tuple[str, ...]
    minutes: int
    unchanged: bool | None
    compat: bool | None
    structured: str | None
    spark: str | None
    tasks: tuple[Task, ...] = ()
    no_form: tuple[str, ...] = ()
    verified: str = NOT_VERIFIED

    @property
    def runs(self) -> bool:
        """Whether it needs no manual work."""
        return self.state == "runs"


@dataclass(frozen=True, slots=True)
class FleetProject:
    """A project of a fleet.

    Parameters
    ----------
    name, path : str
        What it is called, unique in the fleet, and what was looked at, as it was given.
    jobs : tuple of FleetJob
        Its jobs by path.
    tasks : tuple of Task
        What a person has to do in its jobs and other files, where each finding counts once.
    minutes : int
        Of this manual work.
    exit_code : int
        What `migrate` over this project ends with.
    written : str, optional
        Where its migrated code is, if it was written.
    error : str
        Why the project could not be analysed; empty if it was.
    page : str
        The file of its own report, relative to that of the fleet; empty if there is none.
    """

    name: str
    path: str
    jobs: tuple[FleetJob, ...] = ()
    tasks: tuple[Task, ...] = ()
    minutes: int = 0
    exit_code: int = 0
    written: str | None = None
    error: str = ""
    page: str = ""

    def in_state(self, state: str) -> int:
        """Return how many of its jobs are in a state."""
        return sum(job.state == state for job in self.jobs)

    def as_dict(self) -> dict[str, Any]:
        """Return the project as plain values."""
        return asdict(self)

    @classmethod
    def of(cls, values: dict[str, Any]) -> FleetProject:
        """Return the project that `as_dict` gave these values.

        Raises
        ------
        TypeError, KeyError
            If they are not its fields.
        """
        jobs = tuple(_job(job) for job in values["jobs"])
        own_values = {field.name: values[field.name] for field in fields(cls)}
        return cls(**{**own_values, "jobs": jobs, "tasks": _tasks(values["tasks"])})


def _job(values: dict[str, Any]) -> FleetJob:
    names = ("sources", "keeps", "no_form")
    texts = {name: tuple(values[name]) for name in names}
    return FleetJob(**{**values, **texts, "tasks": _tasks(values["tasks"])})


def _tasks(values: list[dict[str, Any]]) -> tuple[Task, ...]:
    return tuple(Task(**value) for value in values)
