"""Plans what intervals read, once, and keeps it until Spark has committed them.

Decision 0005: Planned input is written before anything is computed.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pyspark import SparkContext

from ..exceptions import CheckpointError
from ..source.base import Input, Planned
from ..storage.spool import Spool
from ..wire import errors
from ..wire.frames import Intervals
from ..worker.reading.entries import HadoopFile

Inputs = dict[tuple[int, int], Planned]
"""(source node, batch time) to its logical partitions, or to a captured error."""

Drawn = dict[int, Planned]
"""Batch time to what one source has for it."""


@dataclass(eq=False)
class PlannedInputs:
    """Keeps what the inputs planned for each micro-batch, by its end.

    Parameters
    ----------
    sc : SparkContext
        used to compute queue RDDs
    interval : int
        milliseconds
    inputs : mapping
        source node id to input
    spool : Spool, optional
        keeps inputs until they are committed, so that a replay reads the same; None in a job that
        cannot be recovered
    by_sources : bool
        the inputs themselves keep what they gave: the spool has only which intervals were planned
    """

    sc: SparkContext
    interval: int
    inputs: Mapping[int, Input]
    spool: Spool | None
    by_sources: bool = False

    def __post_init__(self) -> None:
        self._recalled = self.spool is None
        self._numbered: dict[int, tuple[int | None, Intervals]] = {}
        self._planned: dict[int, Inputs] = {}
        self._memories: dict[int, dict[int, Any]] = {}
        self._drawing: tuple[int, dict[int, Drawn]] | None = None

    def plan_after(
        self,
        last: int,
        due: int,
        zero: int,
        batch: int | None = None,
        check: Callable[[], None] = lambda: None,
    ) -> Intervals:
        """Plan the next micro-batch, unless that was done already; returns its intervals.

        Parameters
        ----------
        last : int
            end of the micro-batch before
        due : int
            where it ends if nothing is planned or half planned
        zero : int
            zero time of the job
        batch : int, optional
            Spark's number of the micro-batch; None where Spark's offsets say what it reads
        check : callable
            raises if inputs were interrupted: what they gave is not to be kept
        """
        begun = due if self._drawing is None else self._drawing[0]
        planned = {*self._planned, *self._numbered}
        hi = min((tick for tick in planned if tick > last), default=begun)
        intervals = Intervals(last, hi, zero, self.interval)
        self._plan(intervals, check)
        if self.spool is not None and not self.spool.has(hi):
            self._keep(self.spool, batch, intervals)
        self._numbered[hi] = batch, intervals
        return intervals

    def of(self, intervals: Intervals) -> Inputs:
        """Return the inputs of a micro-batch that was planned, perhaps by an earlier process.

        Raises
        ------
        CheckpointError
            if the checkpoint has lost them
        """
        self.recall()
        if intervals.hi not in self._planned:
            if self.spool is not None and not self.by_sources:
                raise self._lost_error(f"the batch of {intervals.hi} ms")
            self._plan(intervals)  # what another query handed over can be read again
        return self._planned[intervals.hi]

    def intervals_of_batch(self, batch: int) -> Intervals | None:
        """Return the intervals of Spark's micro-batch of a number, if they are planned."""
        self.recall()
        return next(
            (intervals for number, intervals in self._numbered.values() if number == batch), None
        )

    def before(self, batch: int) -> Intervals | None:
        """Return the intervals of the micro-batch before one; None if it had none.

        Raises
        ------
        CheckpointError
            if the checkpoint has lost them
        """
        self.recall()
        known = {
            number: intervals for number, intervals in self._numbered.values() if number is not None
        }
        last = max((number for number in known if number < batch), default=None)
        if last is None and batch > 1:  # the first one has no intervals
            raise self._lost_error(f"micro-batch {batch - 1}")
        return None if last is None else known[last]

    def _lost_error(self, what: str) -> CheckpointError:
        where = "memory" if self.spool is None else self.spool.folder
        return CheckpointError(
            f"the planned inputs of {what} are not in {where}, though Spark has logged it. Restore "
            "the folder, or point the job at an empty checkpoint folder; nothing was changed here"
        )

    def recall(self) -> None:
        """Take over what an earlier process planned and had not committed, or committed last.

        Raises
        ------
        CheckpointError
            if a file of it cannot be read
        """
        if self._recalled or self.spool is None:
            return
        for hi in self.spool.after(0):
            self._load(self.spool, hi)
        self._recalled = True

    def need_jvm(self) -> bool:
        """Return whether an earlier process has planned files that only a JVM can read.

        Raises
        ------
        CheckpointError
            if a file of it cannot be read
        """
        self.recall()
        lists = (parts for planned in self._planned.values() for parts in planned.values())
        partitions = chain.from_iterable(parts for parts in lists if isinstance(parts, list))
        return any(isinstance(item, HadoopFile) for item in chain.from_iterable(partitions))

    def restore(self, last: int) -> None:
        """Let the inputs go on behind what an earlier process planned.

        Parameters
        ----------
        last : int
            end of the last micro-batch that Spark has logged

        Raises
        ------
        CheckpointError
            if the checkpoint has lost it
        """
        self.recall()
        if self.spool is None:
            return
        if last not in self._memories:
            raise self._lost_error(f"the batch of {last} ms")
        memory = self._memories[max(self._memories)]
        for node, source in self.inputs.items():
            source.restore(memory[node])

    def forget(self, hi: int) -> None:
        """Forget what is committed, up to a batch time; of the last one, only its inputs."""
        for end in [end for end in self._numbered if end <= hi]:
            self._planned.pop(end, None)
            if end < hi:
                del self._numbered[end]
                self._memories.pop(end, None)
        for source in self.inputs.values():
            source.forget_until(hi)
        if self.spool is not None:
            self.spool.forget(hi)

    def _plan(self, intervals: Intervals, check: Callable[[], None] = lambda: None) -> None:
        hi = intervals.hi
        if hi not in self._planned:
            if self._drawing is None:
                self._drawing = hi, {}
            drawn = self._drawing[1]
            self._draw(intervals.ticks(), drawn)
            check()
            memory = {node: source.memory() for node, source in self.inputs.items()}
            self._planned[hi] = {
                (n, t): self._make_lasting(parts)
                for n, plan in drawn.items()
                for t, parts in plan.items()
            }
            self._memories[hi] = memory
            self._drawing = None

    def _draw(self, ticks: range, drawn: dict[int, Drawn]) -> None:
        """Take the records of intervals out of the inputs that were not asked yet."""
        for node, source in self.inputs.items():
            if node in drawn:
                continue
            try:
                drawn[node] = dict(source.plan(self.sc, ticks))
            except errors.SPARK_ERRORS as error:  # of what all of these intervals need
                payload = errors.dump(errors.capture_root(error))
                drawn[node] = dict.fromkeys(ticks, payload)

    def _make_lasting(self, parts: Planned) -> Planned:
        """Return what a source gave; a restart finds an error that is on disk as it is."""
        if self.spool is None or self.by_sources or not isinstance(parts, bytes):
            return parts
        return errors.dump(errors.load(parts)._replace(since=errors.PLANNED))

    # On disk, sources have numbers: node ids change with every edit of the user's code.

    def _keep(self, spool: Spool, batch: int | None, intervals: Intervals) -> None:
        hi = intervals.hi
        number = {node: number for number, node in enumerate(self.inputs)}
        planned = {} if self.by_sources else self._planned[hi]
        parts_of = {(number[n], tick): parts for (n, tick), parts in planned.items()}
        memory = {number[node]: value for node, value in self._memories[hi].items()}
        spool.keep(hi, pickle.dumps((batch, tuple(intervals), parts_of, memory), 5))

    def _load(self, spool: Spool, hi: int) -> None:
        nodes = list(self.inputs)
        batch, intervals, parts_of, memory = spool.load(hi)
        self._numbered[hi] = batch, Intervals(*intervals)
        if not self.by_sources:
            self._planned[hi] = {
                (nodes[number], tick): parts for (number, tick), parts in parts_of.items()
            }
        self._memories[hi] = {nodes[number]: value for number, value in memory.items()}
