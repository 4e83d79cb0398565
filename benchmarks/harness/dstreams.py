"""Runs jobs on DStreams and on ours, which have the same API."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import Any

from .batches import COLLECT, COUNT, BatchJob, Driver, Latencies
from .compare import rdd_digest
from .feed import Feed
from .job import Place
from .processes import tree_cpu
from .spark import (
    DEADLINE,
    clock_of,
    new_folder,
    set_clock,
    spark_context,
    streaming_context,
)

INTERVAL = 1.0


class DStreamDriver(Driver):
    """A job on DStreams or on ours, by the manual clock.

    Parameters
    ----------
    job : BatchJob
        the job
    place : Place
        where it runs
    """

    def __init__(self, job: BatchJob, place: Place) -> None:
        super().__init__(job, place)
        self._sc = spark_context(place)
        if job.checkpoint:
            self._sc.setCheckpointDir(str(new_folder(place.folder, "checkpoint")))
        self._contexts = 0
        self._feed = self._new_feed()
        self._ssc: Any = streaming_context(place, self._sc, INTERVAL)
        self._define(self._ssc, lambda time, rdd: self.output.note(self._act(rdd)))
        self._ssc.start()
        self._clock: Any = clock_of(place, self._ssc)

    def stage(self, number: int, lines: Sequence[str]) -> None:
        """Have the input of a batch ready."""
        if self.job.source is None:
            self._feed.stage(str(number), lines, number + 0.5)
            self._feed.release(str(number))  # its time has not come

    def run(self, number: int) -> Any:
        """Let a batch run; returns what its output found."""
        self._clock.advance(int(INTERVAL * 1000))
        return self.output.wait()

    def latencies(self, batches: list[list[str]], warm: int, idle: int) -> Latencies:
        """Run batches by the system's clock, one a second; the first ones are not measured."""
        if self._ssc is not None:
            self._ssc.stop(stopSparkContext=False)
            self._ssc = None
        set_clock(self._sc, manual=False)
        self._feed = self._new_feed()
        ssc = streaming_context(self.place, self._sc, INTERVAL)
        timed = _Timed()
        self._define(ssc, lambda time, rdd: timed.note(time.timestamp(), self._collect(rdd)))
        ssc.start()
        timed.wait(time.time())  # it runs
        due = []
        for number, lines in enumerate(batches):
            # in the middle of an interval, for the next batch
            due.append(_next_middle() + INTERVAL / 2)
            self._feed.stage(str(number), lines, due[-1] - INTERVAL / 2)
            self._feed.release(str(number))
        timed.wait(due[-1])
        timed.wait(time.time())  # nothing is late
        cpu, begun = tree_cpu(), timed.latest
        timed.wait(begun + idle * INTERVAL)
        used = (tree_cpu() - cpu) / idle
        ssc.stop(stopSparkContext=False)
        outputs = [timed.found[one] for one in due]
        seconds = [timed.ended[one] - one for one in due]
        return Latencies(seconds[warm:], [_records(one) for one in outputs], used)

    def _new_feed(self) -> Feed:
        self._contexts += 1
        return Feed(self.place.folder / f"input-{self._contexts}", parts=2)

    def _define(self, ssc: Any, output: Any) -> None:
        if self.job.source is not None:
            stream = self.job.source(ssc, self.place)
        else:
            stream = ssc.textFileStream(str(self._feed.folder))
        self.job.dstream(stream).foreachRDD(output)

    def _act(self, rdd: Any) -> Any:
        try:
            if self.output.action == COUNT:
                return rdd.count()
            return rdd.collect() if self.job.action == COLLECT else rdd_digest(rdd)
        except Exception as error:
            return error

    def _collect(self, rdd: Any) -> Any:
        try:
            return rdd.collect()
        except Exception as error:
            return error


class _Timed:
    """When the outputs of batches ended, by the time at which they were due."""

    def __init__(self) -> None:
        self.ended: dict[float, float] = {}
        self.found: dict[float, Any] = {}
        self._changed = threading.Condition()

    def note(self, due: float, found: Any) -> None:
        with self._changed:
            self.ended[due] = time.time()
            self.found[due] = found
            self._changed.notify_all()

    @property
    def latest(self) -> float:
        """When the latest batch was due."""
        return max(self.ended, default=0.0)

    def wait(self, until: float) -> None:
        """Wait for a batch that is not due before a time."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.latest >= until, DEADLINE):
                raise TimeoutError(f"no batch ended in {DEADLINE:.0f} s")


def _next_middle() -> float:
    """Sleep until the middle of the next interval; returns its time."""
    middle = (time.time() - INTERVAL / 2) // INTERVAL * INTERVAL + 1.5 * INTERVAL
    time.sleep(max(0.0, middle - time.time()))
    return middle


def _records(found: Any) -> Any:
    if isinstance(found, Exception):
        raise found
    return found
