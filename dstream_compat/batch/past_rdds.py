"""The RDDs of past batches, for ``DStream.slice``."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from pyspark import RDD

from ..exceptions import StreamingStateError
from ..graph.nodes import Node
from ..intervals.scheduler import Scheduler
from .evaluate import Evaluator

_LOG = logging.getLogger("dstream_compat")


class PastRDDs:
    """Keeps RDDs for as long as ``StreamingContext.remember`` says.

    Parameters
    ----------
    scheduler : Scheduler
        knows which batches are due, and which have run
    in_batch : callable
        whether the calling thread runs a batch, so that no later one runs while it waits
    duration : int, optional
        milliseconds; None keeps nothing
    inside : set of int
        streams that do not leave their query, as nobody asked for past batches in time
    """

    def __init__(
        self,
        scheduler: Scheduler,
        in_batch: Callable[[], bool],
        duration: int | None,
        inside: frozenset[int] = frozenset(),
    ) -> None:
        self._scheduler = scheduler
        self._in_batch = in_batch
        self._duration = duration
        self._inside = inside
        self._lock = threading.Condition()
        self._kept: dict[int, Evaluator] = {}
        self._last = 0
        self._closed = False

    def keep(self, tick: int, evaluator: Evaluator) -> None:
        """Keep an interval's RDDs if they are to be remembered, and drop those that are too old."""
        with self._lock:
            self._last = tick
            self._lock.notify_all()
            if self._duration is not None:
                evaluator.hold()
                self._kept[tick] = evaluator
                old = [time for time in self._kept if time <= tick - self._duration]
                dropped = [self._kept.pop(time) for time in old]
            else:
                dropped = []
        for each in dropped:
            each.release()

    def remember(self, duration: int) -> None:
        """Keep the RDDs of the batches from now on, for so many milliseconds."""
        with self._lock:
            self._duration = duration

    def close(self) -> None:
        """Drop everything."""
        with self._lock:
            evaluators, self._kept = self._kept, {}
            self._closed = True
            self._lock.notify_all()
        for each in evaluators.values():
            each.release()

    def slice(self, node: Node, begin: int, end: int) -> list[RDD[Any]]:
        """Return a stream's RDDs of the batches from ``begin`` to ``end`` (milliseconds, both in).

        Batches that are not due yet are left out; those that are late are waited for.

        Raises
        ------
        StreamingStateError
            if one of them is not remembered any more, or was not, or cannot be waited for
        """
        if node.id in self._inside and self._duration is not None:
            raise StreamingStateError(
                f"slice: only streams with an output of their own are remembered, and {node.label} "
                "has none. Call ssc.remember(seconds) before ssc.start()"
            )
        zero = self._scheduler.zero
        if zero is None:
            return []  # no batch is due before the query has begun
        first, last = (self._align(time, node.slide, zero) for time in (begin, end))
        last = min(last, self._scheduler.clock.now())
        times = [time for time in range(first, last + 1, node.slide) if time > zero]
        with self._lock:
            while missing := [time for time in times if time not in self._kept]:
                reason = self._reason(missing[0])
                if reason is not None:
                    raise StreamingStateError(
                        f"slice({begin} ms, {end} ms): the batch of {missing[0]} ms {reason}"
                    )
                self._lock.wait(1.0)
            rdds = (self._kept[time].rdd(node) for time in times)
            return [rdd for rdd in rdds if rdd is not None]

    def _align(self, time: int, slide: int, zero: int) -> int:
        aligned = (time - zero) // slide * slide + zero
        if aligned != time:
            _LOG.warning("slice: %d ms is not a multiple of %d ms; taking %d", time, slide, aligned)
        return aligned

    def _reason(self, time: int) -> str | None:
        """Return why there is no point in waiting for a batch that is not there."""
        imported = self._scheduler.imported
        elsewhere = 0 if imported is None else imported.since
        if time <= max(self._last, self._scheduler.last_commit or 0, elsewhere):
            if self._duration is None:
                return "is not remembered. Call ssc.remember(seconds) before ssc.start()"
            return f"is not remembered: ssc.remember() asked for {self._duration / 1000:g} s"
        if self._closed or self._scheduler.halted:
            return "has not been processed: the StreamingContext was stopped"
        if self._in_batch():
            return "has not been processed yet, and is not before the one that asks has ended"
        return None
