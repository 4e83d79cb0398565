"""Runs jobs: engines in turn, round after round, as long as time lasts."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from .compare import check
from .figures import Measured
from .job import Job, Measure, Place, Scale, Unavailable
from .run import Run

Report = Callable[[str], None]


class Budget:
    """The time that is left.

    Parameters
    ----------
    seconds : float, optional
        None for no end
    clock : callable
        seconds from anywhere
    """

    def __init__(self, seconds: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._end = None if seconds is None else clock() + seconds
        self._expected = self._used = 0.0

    def lasts(self, seconds: float) -> bool:
        """Return whether so much is left."""
        return self._end is None or self._clock() + seconds <= self._end

    def lasts_for(self, job: Job) -> bool:
        """Return whether a job can be expected to end in time, by how long others took."""
        pace = self._used / self._expected if self._expected else 1.0
        return self.lasts(job.seconds * pace)

    def share(self, job: Job, others: Sequence[Job]) -> Budget:
        """Return a job's part of what is left for it and others."""
        if self._end is None:
            return self
        part = job.seconds / (job.seconds + sum(other.seconds for other in others))
        return Budget((self._end - self._clock()) * part, self._clock)

    @contextmanager
    def spent_on(self, job: Job) -> Iterator[None]:
        """Note how long a job took, to know how fast this machine is."""
        started = self._clock()
        yield
        self._used += self._clock() - started
        self._expected += job.seconds


@dataclass
class Rounds:
    """What was measured for one row of the results.

    Parameters
    ----------
    measure : Measure
        the row
    found : dict of str to list
        engine to its rounds
    compared : int
        batches whose outputs were found equal
    """

    measure: Measure
    found: dict[str, list[Measured]] = field(default_factory=dict)
    compared: int = 0

    @property
    def complete(self) -> int:
        """Rounds in which all engines had their turn."""
        return min(map(len, self.found.values()), default=0)

    def add(self, engine: str, measured: Measured) -> None:
        """Note what an engine measured."""
        self.found.setdefault(engine, []).append(measured)

    def compare(self, job: str) -> None:
        """Compare the outputs of the last round.

        Raises
        ------
        OutputsDiffer
            if they are not the same
        """
        latest = {engine: rounds[-1].outputs for engine, rounds in self.found.items()}
        self.compared += check(latest, f"{job}, {self.measure.name}")


class LeftOut(Exception):
    """A job was not run; the text says why."""


def run_job(
    job: Job,
    engines: Sequence[str],
    scale: Scale,
    folder: Path,
    budget: Budget,
    report: Report,
    others: Sequence[Job] = (),
) -> list[Rounds]:
    """Run a job on engines in turn; returns its rows.

    Parameters
    ----------
    job : Job
        the job
    engines : sequence of str
        those of its engines that are wanted
    scale : Scale
        how much
    folder : Path
        for files
    budget : Budget
        the time that is left
    report : callable
        told what runs
    others : sequence of Job
        for which time is to be left

    Raises
    ------
    LeftOut
        if it cannot run here, or not in time
    """
    if not budget.lasts_for(job):
        raise LeftOut("no time was left for it")
    share = budget.share(job, others)
    try:
        with ExitStack() as stack, budget.spent_on(job):
            resources = stack.enter_context(job.resources(folder, scale))
            turns = Turns(job, engines, scale, folder, resources, report)
            stack.callback(turns.end)
            rows = [Rounds(measure) for measure in job.measures(scale)]
            (_in_fresh_processes if job.fresh or scale.name == "full" else _in_blocks)(
                turns, rows, share
            )
            return rows
    except Unavailable as error:
        raise LeftOut(str(error)) from error


def _in_blocks(turns: Turns, rows: list[Rounds], budget: Budget) -> None:
    """Give each engine a block of batches in turn; their processes stay."""
    for row in rows:
        last = 0.0
        for number in range(row.measure.rounds):
            if number and not budget.lasts(last):
                break
            started = time.monotonic()
            turns.round(row, number)
            last = time.monotonic() - started


def _in_fresh_processes(turns: Turns, rows: list[Rounds], budget: Budget) -> None:
    """Start a process for each engine and round."""
    last = 0.0
    for number in range(max(row.measure.rounds for row in rows)):
        if number and not budget.lasts(last):
            break
        started = time.monotonic()
        wanted = [row for row in rows if number < row.measure.rounds]
        turns.fresh_round(wanted, number)
        last = time.monotonic() - started


class Turns:
    """The processes of a job's engines, of which one runs at a time.

    Parameters
    ----------
    job : Job
        the job
    engines : sequence of str
        in the order of the first round; each round begins with another one
    scale : Scale
        how much
    folder : Path
        for files
    resources : dict
        of the job
    report : callable
        told what runs
    """

    def __init__(
        self,
        job: Job,
        engines: Sequence[str],
        scale: Scale,
        folder: Path,
        resources: dict[str, str],
        report: Report,
    ) -> None:
        self._job = job
        self._engines = engines
        self._scale = scale
        self._folder = folder
        self._resources = resources
        self._report = report
        self._runs: dict[str, Run] = {}
        self._started = 0

    def round(self, row: Rounds, number: int) -> None:
        """Let each engine run one round of a measure, and compare what they give."""
        for engine in self._order(number):
            self._step(engine, row, number)
            self._runs[engine].pause()
        row.compare(self._job.name)

    def fresh_round(self, rows: Sequence[Rounds], number: int) -> None:
        """Let each engine run one round of all measures in a new process."""
        for engine in self._order(number):
            for row in rows:
                self._step(engine, row, number)
            self._runs.pop(engine).end()
        for row in rows:
            row.compare(self._job.name)

    def end(self) -> None:
        """End all processes."""
        for run in self._runs.values():
            run.end()
        self._runs.clear()

    def _order(self, number: int) -> list[str]:
        first = number % len(self._engines)
        return [*self._engines[first:], *self._engines[:first]]

    def _step(self, engine: str, row: Rounds, number: int) -> None:
        self._report(f"{self._job.name} {row.measure.name}: {engine}, round {number + 1}")
        if engine not in self._runs:
            self._started += 1
            folder = self._folder / f"{self._job.name}-{engine}-{self._started}"
            place = Place(engine, folder, self._scale, self._resources)
            self._runs[engine] = Run(self._job.name, place)
        row.add(engine, self._runs[engine].step(row.measure.name))
