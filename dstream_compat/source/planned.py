"""What intervals read: drawn from the sources once, kept until Spark has committed it."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

from pyspark import SparkContext

from ..engine import errors
from .base import Planned, Source
from .spool import Spool

Inputs = dict[tuple[int, int], Planned]
"""(source node, batch time) to its logical partitions, or to a captured error."""

Drawn = dict[int, Planned]
"""Batch time to what one source has for it."""


class PlannedInputs:
    """Micro-batches by their end, with what the sources gave for them.

    Parameters
    ----------
    sc : SparkContext
        used to compute queue RDDs
    interval : int
        milliseconds
    sources : mapping
        source node id to source
    spool : Spool, optional
        keeps inputs until they are committed, so that a replay reads the same; without one, only
        sources that keep them by themselves can be replayed by another process
    """

    def __init__(
        self, sc: SparkContext, interval: int, sources: Mapping[int, Source], spool: Spool | None
    ) -> None:
        self._sc = sc
        self._interval = interval
        self._sources = sources
        self._spool = spool
        self._planned: dict[int, Inputs] = {}
        self._memories: dict[int, dict[int, Any]] = {}
        self._drawing: tuple[int, dict[int, Drawn]] | None = None

    def plan_after(self, last: int, due: int) -> int:
        """Plan the next micro-batch, unless that was done already; returns its end.

        Parameters
        ----------
        last : int
            end of the micro-batch before
        due : int
            where it ends if nothing is planned or half planned
        """
        begun = due if self._drawing is None else self._drawing[0]
        hi = min((planned for planned in self._planned if planned > last), default=begun)
        self._plan(last, hi)
        return hi

    def of(self, lo: int, hi: int) -> Inputs:
        """Return the inputs of the micro-batch from (exclusive) ``lo`` to ``hi``."""
        if hi not in self._planned:
            if self._spool is None:
                self._plan(lo, hi)  # what another query handed over can be read again
            else:
                self._planned[hi], _ = self._load(self._spool, hi)
        return self._planned[hi]

    def recall(self, last: int, zero: int) -> None:
        """Take over what an earlier process planned behind the last logged micro-batch.

        Parameters
        ----------
        last : int
            end of that micro-batch
        zero : int
            zero time of the job
        """
        if self._spool is None:
            return
        memory = None
        if last > zero:
            _, memory = self._load(self._spool, last)
        for hi in self._spool.after(last):
            self._planned[hi], memory = self._load(self._spool, hi)
            self._memories[hi] = memory
        if memory is not None:
            for node, source in self._sources.items():
                source.restore(memory[node])

    def forget(self, hi: int) -> None:
        """Forget what is committed, up to a batch time."""
        for end in [end for end in self._planned if end <= hi]:
            del self._planned[end]
            self._memories.pop(end, None)
        for source in self._sources.values():
            source.committed(hi)
        if self._spool is not None:
            self._spool.forget(hi)

    def _plan(self, lo: int, hi: int) -> None:
        if hi not in self._planned:
            if self._drawing is None:
                self._drawing = hi, {}
            drawn = self._drawing[1]
            self._draw(range(lo + self._interval, hi + 1, self._interval), drawn)
            memory = {node: source.memory() for node, source in self._sources.items()}
            self._planned[hi] = {
                (n, t): self._lasting(parts)
                for n, plan in drawn.items()
                for t, parts in plan.items()
            }
            self._memories[hi] = memory
            self._drawing = None
        if self._spool is not None and not self._spool.has(hi):
            self._keep(self._spool, hi)

    def _draw(self, ticks: range, drawn: dict[int, Drawn]) -> None:
        """Take the records of intervals out of the sources that were not asked yet."""
        for node, source in self._sources.items():
            if node in drawn:
                continue
            try:
                drawn[node] = dict(source.plan(self._sc, ticks))
            except errors.SPARK_ERRORS as error:  # of what all of these intervals need
                payload = errors.dump(errors.capture_root(error))
                drawn[node] = dict.fromkeys(ticks, payload)

    def _lasting(self, parts: Planned) -> Planned:
        """Return what a source gave; a restart finds an error that is on disk as it is."""
        if self._spool is None or not isinstance(parts, bytes):
            return parts
        return errors.dump(errors.load(parts)._replace(since=errors.PLANNED))

    # On disk, sources have numbers: node ids change with every edit of the user's code.

    def _keep(self, spool: Spool, hi: int) -> None:
        number = {node: number for number, node in enumerate(self._sources)}
        inputs = {(number[n], tick): parts for (n, tick), parts in self._planned[hi].items()}
        memory = {number[node]: known for node, known in self._memories[hi].items()}
        spool.keep(hi, pickle.dumps((inputs, memory), 5))

    def _load(self, spool: Spool, hi: int) -> tuple[Inputs, dict[int, Any]]:
        nodes = list(self._sources)
        inputs, memory = spool.load(hi)
        return (
            {(nodes[number], tick): parts for (number, tick), parts in inputs.items()},
            {nodes[number]: known for number, known in memory.items()},
        )
