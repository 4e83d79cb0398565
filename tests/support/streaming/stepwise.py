"""A context under a manual clock whose batches a test looks at, step by step."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from typing import Any

from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.testing import ManualClock

DEADLINE = 300.0


class Run:
    """A context under a manual clock, with the batches of its outputs.

    Parameters
    ----------
    sc : SparkContext
        where it runs
    folder : str, optional
        checkpoint of the context
    """

    def __init__(self, sc: SparkContext, folder: str | None = None) -> None:
        self.ssc = StreamingContext(sc, 1)
        if folder is not None:
            self.ssc.checkpoint(folder)
        self._batches: dict[str, dict[int, Any]] = {}
        self._done: set[int] = set()
        self._changed = threading.Condition()
        self._now = 0

    def keep(self, name: str, stream: Any, take: Callable[[Any], Any] | None = None) -> None:
        """Keep each batch of a stream, sorted, or what a function makes of its RDD."""
        batches = self._batches.setdefault(name, {})

        def output(time: datetime, rdd: Any) -> None:
            batches[round(time.timestamp())] = (
                sorted(rdd.collect(), key=repr) if take is None else take(rdd)
            )

        stream.foreachRDD(output)

    def start(self) -> Run:
        """Start the context; later outputs than its own cannot be added."""

        def finish(time: datetime, _: Any) -> None:
            with self._changed:
                self._done.add(round(time.timestamp()))
                self._changed.notify_all()

        self.ssc.queueStream([[]]).foreachRDD(finish)
        self.ssc.start()
        return self

    def advance(self, intervals: int = 1) -> None:
        """Let intervals pass, all at once, and wait for their batches."""
        self._now += intervals
        ManualClock(self.ssc).advance(intervals)
        with self._changed:
            done = self._changed.wait_for(lambda: self._now in self._done, DEADLINE)
        assert done, (self._now, self._done)

    def batches(self, name: str) -> list[Any]:
        """Return a stream's batches, oldest first."""
        found = self._batches[name]
        return [found.get(number) for number in range(1, self._now + 1)]

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.ssc.stop(stopSparkContext=False)
