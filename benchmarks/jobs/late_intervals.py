"""Catching up: many intervals are late at once, with state, a window and four small outputs."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ..harness.compare import digest
from ..harness.feed import Feed
from ..harness.figures import DSTREAMS, OURS, Measured
from ..harness.job import Job, Measure, Place, Scale, Session
from ..harness.processes import tree_cpu
from ..harness.spark import (
    DEADLINE,
    clock_of,
    new_folder,
    spark_context,
    streaming_context,
)
from .small_stateful import total
from .small_stateless import lines
from .window import add, subtract

PROMPT = 3
LAST = "totals"


def define(stream: Any) -> dict[str, Any]:
    """Return the outputs by name; that of the state runs last."""
    pairs = stream.flatMap(lambda line: line.split(" ")).map(lambda word: (word, 1))
    return {
        "long": stream.filter(lambda line: len(line) > 3),
        "words": stream.map(lambda line: len(line.split(" "))),
        "count": stream.count(),
        "counts": pairs.reduceByKey(add),
        "window": pairs.reduceByKeyAndWindow(add, subtract, 6, 1),
        LAST: pairs.updateStateByKey(total),
    }


class Collected:
    """What the outputs found, by name and interval."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, int], Any] = {}
        self._changed = threading.Condition()

    def output(self, name: str) -> Any:
        """Return a function for foreachRDD."""

        def note(at: datetime, rdd: Any) -> None:
            try:
                found = rdd.collect()
            except Exception as error:
                found = error
            with self._changed:
                self.found[name, int(at.timestamp())] = found
                self._changed.notify_all()

        return note

    def wait(self, interval: int) -> None:
        """Wait for the last output of an interval."""
        with self._changed:
            if not self._changed.wait_for(lambda: (LAST, interval) in self.found, DEADLINE):
                raise TimeoutError(f"interval {interval} did not end in {DEADLINE:.0f} s")


class LateSession:
    """The job on one engine; each step is a context of its own.

    Parameters
    ----------
    place : Place
        where it runs
    late : int
        number of intervals
    """

    def __init__(self, place: Place, late: int) -> None:
        self._place = place
        self._late = late
        self._sc = spark_context(place)
        self._sc.setCheckpointDir(str(new_folder(place.folder, "checkpoint")))
        self._steps = 0

    def step(self, measure: str) -> Measured:
        """Run one round of a measure."""
        self._steps += 1
        feed = Feed(self._place.folder / f"input-{self._steps}", parts=1)
        intervals = PROMPT + self._late
        for number in range(intervals):
            feed.stage(str(number), lines(number), number + 0.5)
            feed.release(str(number))
        ssc = streaming_context(self._place, self._sc, 1)
        collected = Collected()
        for name, stream in define(ssc.textFileStream(str(feed.folder))).items():
            stream.foreachRDD(collected.output(name))
        ssc.start()
        clock = clock_of(self._place, ssc)
        for number in range(PROMPT):
            clock.advance(1000)
            collected.wait(number + 1)
        cpu, started = tree_cpu(), time.monotonic()
        clock.advance(1000 * self._late)
        collected.wait(intervals)
        figures = {"wall": time.monotonic() - started, "cpu": tree_cpu() - cpu}
        ssc.stop(stopSparkContext=False)
        outputs = {}
        for (name, interval), found in collected.found.items():
            if isinstance(found, Exception):
                raise found
            outputs[f"{name}-{interval}"] = digest(found)
        return Measured(self._late * len(lines(0)), figures, outputs)


@dataclass(frozen=True)
class LateJob(Job):
    """Late intervals."""

    def measures(self, scale: Scale) -> list[Measure]:
        """Return what is measured, in order."""
        what = f"{self.late(scale)} intervals are late at once: all of them"
        return [Measure("all", what, scale.other())]

    def open(self, place: Place) -> Session:
        """Return a session; called in the process of the engine."""
        return LateSession(place, self.late(place.scale))

    @staticmethod
    def late(scale: Scale) -> int:
        """Return the number of late intervals."""
        return scale.pick(30, 60, 300)


JOB = LateJob(
    "late-intervals",
    "late intervals with state, a window and four small outputs",
    engines=(DSTREAMS, OURS),
    seconds=80,
)
