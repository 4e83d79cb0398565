"""Jobs that are measured batch by batch, on any engine."""

from __future__ import annotations

import statistics
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from .compare import digest
from .figures import CYCLE, LATENCY, STRUCTURED, Digest, Measured
from .job import Job, Measure, Place, Scale, Session
from .processes import tree_cpu
from .spark import DEADLINE

COLLECT: Final = "collect"
COUNT: Final = "count"

Lines = Callable[[int], list[str]]
"""The input of a batch by its number in the phase."""


@dataclass(frozen=True)
class Phase:
    """Some batches of a job that are measured together.

    Parameters
    ----------
    measure : Measure
        what they are in the results
    lines : callable
        number of a batch to its lines
    warm : int
        batches before the first round
    batches : int
        in each round
    kind : str
        ``CYCLE``: back to back; ``LATENCY``: one a second, by the system's clock
    idle : int
        intervals without input that follow a round of ``LATENCY``
    """

    measure: Measure
    lines: Lines
    warm: int
    batches: int
    kind: str = CYCLE
    idle: int = 1


@dataclass(frozen=True)
class ByHand:
    """The job as it is written in Structured Streaming.

    Parameters
    ----------
    stream : callable
        the frame that is read to the streaming frame
    batch : callable
        in ``foreachBatch``: the frame of a micro-batch to the frame of records
    mode : str
        the output mode
    lag : int
        how many batches later an output comes: a watermark closes a window with the next data
    read : callable, optional
        SparkSession and place to the frame that is read, instead of text files
    code : callable, optional
        in ``foreachBatch``, as ``migrate`` writes code of batches: the frame of a micro-batch, its
        number and the folder of states to the RDD of records, instead of ``batch``
    """

    stream: Callable[[Any], Any] = lambda frame: frame
    batch: Callable[[Any], Any] = lambda frame: frame
    mode: str = "append"
    lag: int = 0
    read: Callable[[Any, Place], Any] | None = None
    code: Callable[[Any, int, str], Any] | None = None


@dataclass(frozen=True)
class BatchJob(Job):
    """A job that is measured batch by batch.

    Parameters
    ----------
    phases : callable
        scale to phases
    dstream : callable
        input stream to the stream whose output counts, for DStreams and ours
    by_hand : ByHand, optional
        for Structured Streaming
    action : str
        ``COLLECT``, or ``COUNT``: then one more batch is compared by a digest of its records
    checkpoint : bool
        whether DStreams ask for a checkpoint folder, as they do for state and inverse functions
    source : callable, optional
        StreamingContext and place to the input stream, instead of text files
    """

    phases: Callable[[Scale], list[Phase]] = lambda scale: []
    dstream: Callable[[Any], Any] = lambda stream: stream
    by_hand: ByHand | None = None
    action: str = COLLECT
    checkpoint: bool = False
    source: Callable[[Any, Place], Any] | None = None

    def measures(self, scale: Scale) -> list[Measure]:
        """Return what is measured, in order."""
        return [phase.measure for phase in self.phases(scale)]

    def open(self, place: Place) -> Session:
        """Return a session; called in the process of the engine."""
        if place.engine == STRUCTURED:
            from .structured import StructuredDriver

            return BatchSession(self, place, StructuredDriver(self, place))
        from .dstreams import DStreamDriver

        return BatchSession(self, place, DStreamDriver(self, place))


class Output:
    """What the output operation of a job does, and what came of it.

    Parameters
    ----------
    action : str
        ``COLLECT`` or ``COUNT``
    """

    def __init__(self, action: str) -> None:
        self.action = action
        self.found: Any = None
        self.ended = 0.0
        self._done = threading.Event()

    def note(self, found: Any) -> None:
        """Note that the output of a batch has run."""
        self.ended = time.monotonic()
        self.found = found
        self._done.set()

    def wait(self, alive: Callable[[], None] = lambda: None) -> Any:
        """Wait for the output of a batch; returns what it found.

        Parameters
        ----------
        alive : callable
            raises if no output can come any more

        Raises
        ------
        TimeoutError
            if it does not come
        """
        deadline = time.monotonic() + DEADLINE
        while not self._done.wait(1.0):
            alive()
            if time.monotonic() > deadline:
                raise TimeoutError(f"a batch did not end in {DEADLINE:.0f} s")
        self._done.clear()
        if isinstance(self.found, BaseException):
            raise self.found
        return self.found


@dataclass(frozen=True)
class Latencies:
    """What a job did by the system's clock.

    Parameters
    ----------
    seconds : list of float
        from a batch's due time to the end of its output
    outputs : list
        records of each
    idle_cpu : float
        CPU seconds of an interval without input
    """

    seconds: list[float]
    outputs: list[Any]
    idle_cpu: float


class Driver(ABC):
    """A job on one engine, driven batch by batch."""

    def __init__(self, job: BatchJob, place: Place) -> None:
        self.job = job
        self.place = place
        self.output = Output(job.action)
        self.lag = 0
        """How many batches later an output comes."""

    @abstractmethod
    def stage(self, number: int, lines: Sequence[str]) -> None:
        """Have the input of a batch ready."""

    @abstractmethod
    def run(self, number: int) -> Any:
        """Let a batch run; returns what its output found."""

    @abstractmethod
    def latencies(self, batches: list[list[str]], warm: int, idle: int) -> Latencies:
        """Run batches by the system's clock, one a second; the first ones are not measured."""

    def records(self, found: Any) -> Iterable[Any]:
        """Return the records that an output has collected."""
        records: Iterable[Any] = found
        return records


class BatchSession:
    """A session of a job that is measured batch by batch.

    Parameters
    ----------
    job : BatchJob
        the job
    place : Place
        where it runs
    driver : Driver
        the engine
    """

    def __init__(self, job: BatchJob, place: Place, driver: Driver) -> None:
        self._job = job
        self._driver = driver
        self._phases = {phase.measure.name: phase for phase in job.phases(place.scale)}
        self._next: dict[str, int] = {}
        self._number = 0
        self._rows = 0
        self._first: float | None = None

    def step(self, measure: str) -> Measured:
        """Run one round of a measure."""
        phase = self._phases[measure]
        return self._latency(phase) if phase.kind == LATENCY else self._cycle(phase)

    def _cycle(self, phase: Phase) -> Measured:
        begun = self._next.get(phase.measure.name)
        outputs: dict[str, Digest] = {}
        if begun is None:
            self._block(phase, 0, phase.warm, outputs)
        start = phase.warm if begun is None else begun
        figures = self._block(phase, start, phase.batches, outputs)
        start += phase.batches
        if self._job.action == COUNT and begun is None:
            self._driver.output.action = COLLECT
            self._block(phase, start, 1, outputs)
            self._driver.output.action = COUNT
            start += 1
        self._next[phase.measure.name] = start
        return Measured(self._rows or phase.measure.rows, figures, outputs, self._first)

    def _block(
        self, phase: Phase, start: int, batches: int, outputs: dict[str, Digest]
    ) -> dict[str, float]:
        """Run batches back to back; their input is there before, outputs are hashed after."""
        for number in range(batches):
            lines = phase.lines(start + number)
            self._rows = len(lines)
            self._driver.stage(self._number + number, lines)
        found = []
        walls = []
        cpu, last = tree_cpu(), time.monotonic()
        for number in range(self._number, self._number + batches):
            found.append(self._driver.run(number))
            now = time.monotonic()
            walls.append(now - last)
            last = now
            if self._first is None and number >= self._driver.lag:
                self._first = self._driver.output.ended
        figures = {"cpu": (tree_cpu() - cpu) / max(batches, 1)}
        for number, one in enumerate(found, self._number - self._driver.lag):
            if self._driver.output.action == COLLECT and number >= 0:
                outputs[f"{phase.measure.name}-{number}"] = _digest(self._driver, one)
        self._number += batches
        return {**figures, "wall": statistics.median(walls)} if walls else {}

    def _latency(self, phase: Phase) -> Measured:
        begun = self._next.get(phase.measure.name, 0)
        total = phase.warm + phase.batches
        self._next[phase.measure.name] = begun + total
        lines = [phase.lines(begun + number) for number in range(total)]
        found = self._driver.latencies(lines, phase.warm, phase.idle)
        outputs = {
            f"{phase.measure.name}-{begun + number}": _digest(self._driver, one)
            for number, one in enumerate(found.outputs)
        }
        figures = {"latency": statistics.median(found.seconds), "idle_cpu": found.idle_cpu}
        return Measured(len(lines[-1]), figures, outputs, self._first)


def _digest(driver: Driver, found: Any) -> Digest:
    return found if isinstance(found, Digest) else digest(driver.records(found))
