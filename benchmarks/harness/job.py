"""What a job is to the harness: its measures, and a session with one engine."""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from .figures import ENGINES, Measured

T = TypeVar("T")


class Unavailable(Exception):
    """A job cannot run here; the text says why."""


@dataclass(frozen=True)
class Scale:
    """How much is measured.

    Parameters
    ----------
    name : str
        ``quick``, ``default`` or ``full``
    rounds : int, optional
        instead of the measures' own
    """

    name: str = "default"
    rounds: int | None = None

    def pick(self, quick: T, default: T, full: T) -> T:
        """Return the value for this scale."""
        return {"quick": quick, "default": default, "full": full}[self.name]

    def main(self) -> int:
        """Return the rounds of a measure whose ratio has a target."""
        return self.rounds or self.pick(1, 3, 5)

    def other(self) -> int:
        """Return the rounds of a measure that takes long or says little in ratios."""
        return self.rounds or self.pick(1, 1, 3)


@dataclass(frozen=True)
class Measure:
    """One row of the results.

    Parameters
    ----------
    name : str
        unique in its job
    what : str
        one line for the table
    rounds : int
        how often each engine has its turn
    figure : str
        the one that its ratio is shown of
    size : int, optional
        rows or keys, where a job is measured with several
    rows : int
        records of a batch, where the job does not write them itself
    """

    name: str
    what: str
    rounds: int
    figure: str = "wall"
    size: int | None = None
    rows: int = 0


@dataclass(frozen=True)
class Place:
    """Where a session runs.

    Parameters
    ----------
    engine : str
        one of ``ENGINES``
    folder : Path
        for its files
    scale : Scale
        how much is measured
    resources : dict
        what the job's ``resources`` gave
    """

    engine: str
    folder: Path
    scale: Scale
    resources: dict[str, str]


class Session(Protocol):
    """A job on one engine, in a process of its own."""

    def step(self, measure: str) -> Measured:
        """Run one round of a measure."""


@dataclass(frozen=True)
class Job(ABC):
    """A job of the benchmarks.

    Parameters
    ----------
    name : str
        that of its module, with dashes
    what : str
        one sentence
    engines : sequence of str
        those that can run it
    fresh : bool
        every round needs new processes
    seconds : float
        what the default takes on two quiet cores, roughly: to tell whether time lasts
    """

    name: str
    what: str
    engines: Sequence[str] = ENGINES
    fresh: bool = False
    seconds: float = 100.0

    @abstractmethod
    def measures(self, scale: Scale) -> list[Measure]:
        """Return what is measured, in order."""

    @abstractmethod
    def open(self, place: Place) -> Session:
        """Return a session; called in the process of the engine."""

    def resources(self, folder: Path, scale: Scale) -> AbstractContextManager[dict[str, str]]:
        """Return what all engines share, such as a broker.

        Raises
        ------
        Unavailable
            if it cannot be had
        """
        return nullcontext({})


ORDER = (
    "small-stateless",
    "small-stateful",
    "word-count-arbitrary",
    "word-count-simple",
    "window",
    "update-state",
    "batch-code",
    "batch-code-state",
    "first-output",
    "first-output-stateful",
    "late-intervals",
    "kafka-alert",
    "map-with-state",
    "advertising",
    "sustained-interval",
)
"""The targets' own first: time may not last for all."""


def names() -> list[str]:
    """Return the names of all jobs, in the order in which they run."""
    package = importlib.import_module("benchmarks.jobs")
    found = {module.name.replace("_", "-") for module in pkgutil.iter_modules(package.__path__)}
    return [name for name in ORDER if name in found] + sorted(found - set(ORDER))


def load(name: str) -> Job:
    """Return a job by its name."""
    module = importlib.import_module(f"benchmarks.jobs.{name.replace('-', '_')}")
    job: Job = module.JOB
    return job
