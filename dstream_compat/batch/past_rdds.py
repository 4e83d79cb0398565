"""The RDDs of past batches, for ``DStream.slice``."""

from __future__ import annotations

import logging
import threading
from typing import Any

from pyspark import RDD

from ..exceptions import StreamingStateError
from ..graph.nodes import Node
from .evaluate import Evaluator

_LOG = logging.getLogger("dstream_compat")


class PastRDDs:
    """Keeps RDDs for as long as ``StreamingContext.remember`` says.

    Parameters
    ----------
    duration : int, optional
        milliseconds; None keeps nothing
    inside : set of int
        streams that do not leave their query, as nobody asked for past batches in time
    """

    def __init__(self, duration: int | None, inside: frozenset[int] = frozenset()) -> None:
        self._duration = duration
        self._inside = inside
        self._lock = threading.Lock()
        self._kept: dict[int, Evaluator] = {}
        self._zero = 0
        self._last = 0

    def keep(self, tick: int, zero: int, evaluator: Evaluator) -> None:
        """Keep an interval's RDDs if they are to be remembered, and drop those that are too old."""
        with self._lock:
            self._zero, self._last = zero, tick
            if self._duration is not None:
                evaluator.hold()
                self._kept[tick] = evaluator
                old = [kept for kept in self._kept if kept <= tick - self._duration]
                dropped = [self._kept.pop(kept) for kept in old]
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
            kept, self._kept = self._kept, {}
        for each in kept.values():
            each.release()

    def slice(self, node: Node, begin: int, end: int) -> list[RDD[Any]]:
        """Return a stream's RDDs of the batches from ``begin`` to ``end`` (milliseconds, both in).

        Batches that have not begun are left out.

        Raises
        ------
        StreamingStateError
            if one of them is not remembered any more, or was not
        """
        if node.id in self._inside and self._duration is not None:
            raise StreamingStateError(
                f"slice: only streams with an output of their own are remembered, and {node.label} "
                "has none. Call ssc.remember(seconds) before ssc.start()"
            )
        with self._lock:
            first, last = (self._aligned(time, node.slide) for time in (begin, end))
            begun = min(last, self._last)
            times = [t for t in range(first, begun + 1, node.slide) if t > self._zero]
            missing = [time for time in times if time not in self._kept]
            if missing:
                raise StreamingStateError(
                    f"slice({begin} ms, {end} ms): the batch of {missing[0]} ms is not remembered"
                    + self._advice()
                )
            found = (self._kept[time].rdd(node) for time in times)
            return [rdd for rdd in found if rdd is not None]

    def _aligned(self, time: int, slide: int) -> int:
        aligned = (time - self._zero) // slide * slide + self._zero
        if aligned != time:
            _LOG.warning("slice: %d ms is not a multiple of %d ms; taking %d", time, slide, aligned)
        return aligned

    def _advice(self) -> str:
        if self._duration is None:
            return ". Call ssc.remember(seconds) before ssc.start()"
        return f": ssc.remember() asked for {self._duration / 1000:g} s"
