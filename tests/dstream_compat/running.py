"""Runs many recipes in one context, with one Spark job per batch for most of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import pyspark.streaming as real
from pyspark import SparkContext

import dstream_compat as ours

from .building import build
from .differential import INTERVAL, Outcome, Recorder, steps, user_error
from .pipelines import Pipeline

INTERVALS = 7

Outcomes = list[Outcome]


class Collector:
    """Keeps each recipe's RDD of a batch, and collects all of them at once at its end."""

    def __init__(self, sc: SparkContext, recipes: Sequence[Pipeline]) -> None:
        self.outcomes: Outcomes = [Outcome() for _ in recipes]
        self._sc = sc
        self._kept: dict[int, Any] = {}

    def output(self, number: int) -> Callable[[Any], None]:
        def keep(rdd: Any) -> None:
            self._kept[number] = rdd

        return keep

    def collect(self, time: datetime, _: Any) -> None:
        """Collect what was kept; this output runs after all others."""
        self._collect(time.timestamp(), sorted(self._kept))
        self._kept.clear()

    def _collect(self, time: float, numbers: list[int]) -> None:
        if not numbers:
            return
        for number in numbers:
            self.outcomes[number].batches[time] = []
        rdds = [self._kept[number].glom().map(_numbered(number)) for number in numbers]
        try:
            found = self._sc.union(rdds).collect()
        except Exception as error:
            if len(numbers) == 1:
                self.outcomes[numbers[0]].batches[time] = user_error(str(error))
                return
            half = len(numbers) // 2
            self._collect(time, numbers[:half])
            self._collect(time, numbers[half:])
        else:
            for number, records in found:
                self.outcomes[number].batches[time].append(records)


def _numbered(number: int) -> Callable[[list[Any]], tuple[int, list[Any]]]:
    return lambda records: (number, records)


def run_real(sc: SparkContext, recipes: Sequence[Pipeline]) -> Outcomes:
    """Run recipes on Spark's own engine; returns what each one gave."""
    ssc = real.StreamingContext(sc, INTERVAL)
    return _run(ssc, lambda: ssc._jssc.ssc().scheduler().clock(), recipes, [1] * INTERVALS)


def run_ours(sc: SparkContext, recipes: Sequence[Pipeline], pace: str) -> Outcomes:
    """Run recipes on ours; the pace says which intervals are late."""
    ssc = ours.StreamingContext(sc, INTERVAL)
    return _run(ssc, lambda: ssc._clock, recipes, steps(INTERVALS, pace))


def _run(
    ssc: Any, clock_of: Callable[[], Any], recipes: Sequence[Pipeline], advances: list[int]
) -> Outcomes:
    collector, recorder = Collector(ssc.sparkContext, recipes), Recorder()
    for number, recipe in enumerate(recipes):
        build(recipe, None, ssc).foreachRDD(collector.output(number))
    last = ssc.queueStream([[]])
    last.foreachRDD(collector.collect)
    last.foreachRDD(recorder.last())
    ssc.start()
    try:
        clock, now = clock_of(), 0
        for step in advances:
            clock.advance(step * INTERVAL * 1000)
            for _ in range(step):
                now += 1
                recorder.wait(now * INTERVAL)
    finally:
        ssc.stop(stopSparkContext=False)
    return collector.outcomes
