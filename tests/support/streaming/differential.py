"""Runs the same pipelines through DStreams and through this package, batch by batch.

All cases of a module share one context per engine, so that the cost of starting is paid once; a
case that fails does so in its own output only. Ours runs the first half of the intervals one by
one, and the second half late, in one micro-batch; ``make test-full`` also runs all of them one by
one, and all of them late.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyspark.streaming as real
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.settings import EXECUTION, ONE_TASK, STAGES
from dstream_compat.testing import ManualClock
from tests.support.streaming.collecting import Collector, Outcome, user_error
from tests.support.streaming.settings import setting

DEADLINE = 600.0
"""Seconds after which a run counts as hanging; it may be slow."""

INTERVAL = 1

START = 1_700_000_000
"""Where the clocks of both engines stand when contexts start (seconds); a job's never do at 0."""

PROMPT, LATE, MIXED = "prompt", "late", "mixed"
FULL = bool(os.environ.get("DSTREAM_COMPAT_FULL"))
PACES = (PROMPT, LATE, MIXED) if FULL else (MIXED,)

Build = Callable[[Any, Any], Any]
"""(input stream, streaming context) -> the stream to compare."""


@dataclass(frozen=True)
class Case:
    """One pipeline and its input.

    Parameters
    ----------
    name : str
        shown by pytest
    build : callable
        makes the pipeline, with whichever engine's streams it gets
    batches : sequence of list
        one list of records per interval
    partitions : bool
        also compare which records share a partition, and the number of partitions
    intervals : int
        intervals to run; those after the batches are idle
    """

    name: str
    build: Build
    batches: Sequence[list[Any]]
    partitions: bool = True
    intervals: int = 6

    def __str__(self) -> str:
        return self.name


def all_but(rare: str, cases: Sequence[Case]) -> list[Case]:
    """Return cases, of which those whose names are given are left to ``make test-full``."""
    names = rare.split()
    if unknown := {*names} - {case.name for case in cases}:
        raise ValueError(f"no such cases: {sorted(unknown)}")
    return [case for case in cases if FULL or case.name not in names]


Outcomes = dict[str, Outcome]


class Recorder:
    """Collects the batches of all cases and knows when an interval is complete."""

    def __init__(self) -> None:
        self.outcomes: Outcomes = {}
        self._changed = threading.Condition()
        self._done: set[float] = set()

    def output(self, name: str) -> Callable[[datetime, Any], None]:
        outcome = self.outcomes.setdefault(name, Outcome())

        def record(time: datetime, rdd: Any) -> None:
            try:
                outcome.batches[time.timestamp()] = rdd.glom().collect()
            except Exception as error:
                outcome.batches[time.timestamp()] = user_error(str(error))

        return record

    def last(self) -> Callable[[datetime, Any], None]:
        """Return an output that runs after all others."""

        def finish(time: datetime, rdd: Any) -> None:
            with self._changed:
                self._done.add(time.timestamp())
                self._changed.notify_all()

        return finish

    def forget(self) -> None:
        """Forget which intervals are complete, before another context runs."""
        with self._changed:
            self._done.clear()

    def wait(self, until: float) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: until in self._done, DEADLINE):
                raise AssertionError(f"batch {until} did not end; done: {sorted(self._done)}")


def _define(ssc: Any, cases: Sequence[Case], recorder: Recorder) -> None:
    collector = Collector(ssc.sparkContext)
    for case in cases:
        source = ssc.queueStream([list(batch) for batch in case.batches])
        outcome = recorder.outcomes.setdefault(case.name, Outcome())
        case.build(source, ssc).foreachRDD(collector.output(case.name, outcome))
    last = ssc.queueStream([[]])
    last.foreachRDD(collector.collect)
    last.foreachRDD(recorder.last())


def run_real(sc: SparkContext, cases: Sequence[Case]) -> Outcomes:
    """Run the cases on Spark's own engine."""
    recorder = Recorder()
    ssc = real.StreamingContext(sc, INTERVAL)
    _define(ssc, cases, recorder)
    clock = ManualClock(ssc)
    clock.advance(START)
    ssc.start()
    try:
        for number in range(1, max(case.intervals for case in cases) + 1):
            clock.advance(INTERVAL)
            recorder.wait(START + number * INTERVAL)
    finally:
        ssc.stop(stopSparkContext=False)
    return since_start(recorder.outcomes)


def run_both_ways(sc: SparkContext, cases: Sequence[Case], pace: str) -> dict[str, Outcomes]:
    """Run the cases on ours, in one task a micro-batch and by stages, if both are possible."""
    found = {}
    for way in (ONE_TASK, STAGES):
        with setting(sc, EXECUTION.name, way):
            ways: set[str] = set()
            found[f"{pace}, {way}"] = run_ours(sc, cases, pace, ways)
        assert ways in ({way}, {STAGES})
        if way not in ways:
            break  # state is kept by Spark's plan
    return found


def run_ours(
    sc: SparkContext, cases: Sequence[Case], pace: str = MIXED, ways: set[str] | None = None
) -> Outcomes:
    """Run the cases on ours; the pace says which intervals are late, ``ways`` gets how it ran."""
    recorder = Recorder()
    ssc = ours.StreamingContext(sc, INTERVAL)
    _define(ssc, cases, recorder)
    clock = ManualClock(ssc)
    clock.advance(START)
    ssc.start()
    try:
        now = START
        for step in steps(max(case.intervals for case in cases), pace):
            now += step
            clock.advance(step * INTERVAL)
            recorder.wait(now * INTERVAL)
            if ways is not None:
                assert ssc._job is not None
                ways.add(ssc._job.mode.name)
    finally:
        ssc.stop(stopSparkContext=False)
    return since_start(recorder.outcomes)


def since_start(outcomes: Outcomes) -> Outcomes:
    """Return outcomes with batch times in seconds since the start."""
    for outcome in outcomes.values():
        outcome.batches = {time - START: batch for time, batch in outcome.batches.items()}
    return outcomes


def steps(intervals: int, pace: str) -> list[int]:
    """Return how far to advance the clock at once, in intervals."""
    prompt = {PROMPT: intervals, LATE: 0, MIXED: intervals // 2}[pace]
    late = intervals - prompt
    return [1] * prompt + [late] * (late > 0)


def comparable(case: Case, outcome: Outcome) -> dict[float, Any]:
    """Return an outcome with the order that nobody promises taken out."""

    def bag(records: Sequence[Any]) -> Any:
        return Counter(canonical(record) for record in records)

    result: dict[float, Any] = {}
    for time, parts in outcome.batches.items():
        if isinstance(parts, str):
            result[time] = parts
        elif case.partitions:
            result[time] = [bag(part) for part in parts]
        else:
            result[time] = bag([record for part in parts for record in part])
    return result


def canonical(record: Any) -> str:
    """Return a text that is equal for equal records of equal types."""
    if isinstance(record, dict):
        return (
            "{"
            + ", ".join(sorted(f"{canonical(k)}: {canonical(v)}" for k, v in record.items()))
            + "}"
        )
    if isinstance(record, tuple):
        return "(" + ", ".join(map(canonical, record)) + ")"
    if isinstance(record, list):
        return "[" + ", ".join(map(canonical, record)) + "]"
    if isinstance(record, (set, frozenset)):
        return type(record).__name__ + str(sorted(map(canonical, record)))
    return f"{type(record).__name__}:{record!r}"
