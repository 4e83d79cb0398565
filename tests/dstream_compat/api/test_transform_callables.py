"""What may be given to transform, transformWith and ssc.transform beside plain functions."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import Recorder

pytestmark = pytest.mark.slow

BATCHES = [["a", "b"], [], ["c"]]


class Job:
    """Methods that jobs give to transform."""

    def __init__(self, mark: str) -> None:
        self.mark = mark

    def marked(self, rdd: Any) -> Any:
        mark = self.mark
        return rdd.map(lambda word: word + mark)

    def stamped(self, time: Any, rdd: Any) -> Any:
        mark, seconds = self.mark, time.timestamp()
        return rdd.map(lambda word: (seconds, word + mark))

    def both(self, one: Any, other: Any) -> Any:
        return self.marked(one).union(other)

    def both_or_one(self, one: Any, other: Any, how: str = "both") -> Any:
        return self.both(one, other) if how == "both" else one

    def both_stamped(self, time: Any, one: Any, other: Any) -> Any:
        return self.stamped(time, one).union(other)

    @staticmethod
    def still(rdd: Any) -> Any:
        return rdd.map(str.upper)

    @classmethod
    def of_class(cls, rdd: Any) -> Any:
        name = cls.__name__
        return rdd.map(lambda word: name)

    def __call__(self, rdd: Any) -> Any:
        return self.marked(rdd)


class Timed(Job):
    """A callable that wants the time."""

    def __call__(self, time: Any, rdd: Any) -> Any:  # type: ignore[override]
        return self.stamped(time, rdd)


def marked(mark: str, rdd: Any, upper: bool = False) -> Any:
    return rdd.map(lambda word: (word.upper() if upper else word) + mark)


job, timed = Job("!"), Timed("?")

# What is given to ours, and the plain function that does the same on DStreams.
KINDS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "method": (job.marked, lambda rdd: job.marked(rdd)),
    "method-time": (job.stamped, lambda time, rdd: job.stamped(time, rdd)),
    "static": (Job.still, lambda rdd: Job.still(rdd)),
    "class": (Job.of_class, lambda rdd: Job.of_class(rdd)),
    "callable": (job, lambda rdd: job(rdd)),
    "callable-time": (timed, lambda time, rdd: timed(time, rdd)),
    "partial": (functools.partial(marked, "+"), lambda rdd: marked("+", rdd)),
    "partial-keyword": (
        functools.partial(marked, "+", upper=True),
        lambda rdd: marked("+", rdd, upper=True),
    ),
    "partial-method": (functools.partial(job.stamped), lambda time, rdd: job.stamped(time, rdd)),
    "builtin": (
        operator.methodcaller("map", str.upper),
        lambda rdd: rdd.map(str.upper),
    ),
}
TWO: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "method": (job.both, lambda one, other: job.both(one, other)),
    "method-time": (
        job.both_stamped,
        lambda time, one, other: job.both_stamped(time, one, other),
    ),
    "method-default": (job.both_or_one, lambda one, other: job.both(one, other)),
    "partial-default": (functools.partial(job.both_or_one, how="one"), lambda one, other: one),
    "partial": (
        functools.partial(lambda mark, one, other: marked(mark, one).union(other), "+"),
        lambda one, other: marked("+", one).union(other),
    ),
}
SEVERAL: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "partial": (
        functools.partial(lambda mark, rdds: marked(mark, rdds[0]).union(rdds[1]), "+"),
        lambda rdds: marked("+", rdds[0]).union(rdds[1]),
    ),
}


def define(ssc: Any, which: int) -> tuple[Recorder, Any]:
    recorder = Recorder()
    source = ssc.queueStream([list(batch) for batch in BATCHES])
    other = source.map(str.title)
    for name, given in KINDS.items():
        source.transform(given[which]).foreachRDD(recorder.output(name))
    for name, given in TWO.items():
        source.transformWith(given[which], other).foreachRDD(recorder.output(f"two-{name}"))
    for name, given in SEVERAL.items():
        ssc.transform([source, other], given[which]).foreachRDD(recorder.output(f"all-{name}"))
    source.foreachRDD(recorder.last())
    return recorder, source


def outcomes(ssc: Any, which: int) -> dict[str, Any]:
    recorder, _ = define(ssc, which)
    ssc.start()
    try:
        for second in (1, 2, 3):
            ManualClock(ssc).advance(1)
            recorder.wait(second)
    finally:
        ssc.stop(stopSparkContext=False)
    return {name: outcome.batches for name, outcome in recorder.outcomes.items()}


def test_same_as_plain_functions_with_dstreams(sc: SparkContext) -> None:
    found = outcomes(ours.StreamingContext(sc, 1), 0)
    assert found == outcomes(real.StreamingContext(sc, 1), 1)
    assert found["method-time"][3.0] == [[], [(3.0, "c!")]]
    assert not [batch for seen in found.values() for batch in seen.values() if "error" in batch]


# A stream whose function gave nothing, beside others.


def kept(stream: Any) -> Any:
    return stream.transform(lambda rdd: None if rdd.isEmpty() else rdd)


SHAPES: dict[str, tuple[Callable[[Any], Any], list[list[Any]]]] = {
    "union": (lambda s: kept(s).union(s.map(str.upper)), [["A", "B", "a", "b"], [], ["C", "c"]]),
    "transformWith": (
        lambda s: s.transformWith(lambda one, other: one.union(other), kept(s)),
        [["a", "a", "b", "b"], [], ["c", "c"]],
    ),
}


def records(sc: SparkContext, batches: list[list[Any]], build: Any) -> list[list[Any]]:
    """Return what a pipeline gives on ours, for each of three batches that are late."""
    ssc, recorder = ours.StreamingContext(sc, 1), Recorder()
    source = ssc.queueStream([list(batch) for batch in batches])
    build(source).foreachRDD(recorder.output("it"))
    source.foreachRDD(recorder.last())
    ssc.start()
    try:
        ManualClock(ssc).advance(3)
        recorder.wait(3)
    finally:
        ssc.stop(stopSparkContext=False)
    found = recorder.outcomes["it"].batches.values()
    return [[record for part in parts for record in part] for parts in found]


@pytest.mark.parametrize("name", SHAPES)
def test_nothing_is_an_empty_rdd_for_others(sc: SparkContext, name: str) -> None:
    shape, expected = SHAPES[name]
    assert [sorted(batch) for batch in records(sc, BATCHES, shape)] == expected
