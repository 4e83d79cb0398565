"""Runs many recipes in one context."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyspark.streaming as real
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.building import build
from tests.support.streaming.collecting import Collector, Outcome
from tests.support.streaming.differential import INTERVAL, START, Recorder, steps
from tests.support.streaming.pipelines import Pipeline

INTERVALS = 7

Outcomes = list[Outcome]


def run_real(sc: SparkContext, recipes: Sequence[Pipeline], intervals: int = INTERVALS) -> Outcomes:
    """Run recipes on Spark's own engine; returns what each one gave."""
    ssc = real.StreamingContext(sc, INTERVAL)
    return _run(ssc, recipes, [1] * intervals)


def run_ours(
    sc: SparkContext, recipes: Sequence[Pipeline], pace: str, intervals: int = INTERVALS
) -> Outcomes:
    """Run recipes on ours; the pace says which intervals are late."""
    ssc = ours.StreamingContext(sc, INTERVAL)
    return _run(ssc, recipes, steps(intervals, pace))


def _run(ssc: Any, recipes: Sequence[Pipeline], advances: list[int]) -> Outcomes:
    collector, recorder = Collector(ssc.sparkContext), Recorder()
    outcomes = [Outcome() for _ in recipes]
    for number, recipe in enumerate(recipes):
        build(recipe, None, ssc).foreachRDD(collector.output(number, outcomes[number]))
    last = ssc.queueStream([[]])
    last.foreachRDD(collector.collect)
    last.foreachRDD(recorder.last())
    clock, now = ManualClock(ssc), START
    clock.advance(START)
    ssc.start()
    try:
        for step in advances:
            clock.advance(step * INTERVAL)
            for _ in range(step):
                now += 1
                recorder.wait(now * INTERVAL)
    finally:
        ssc.stop(stopSparkContext=False)
    for outcome in outcomes:
        outcome.batches = {time - START: batch for time, batch in outcome.batches.items()}
    return outcomes
