"""A function given to transform may return nothing: its stream has no RDD in that batch."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import Recorder

pytestmark = pytest.mark.slow

BATCHES = [["a"], [], ["b"], ["c"]]
Seen = list[tuple[float, str, Any]]


def marked(word: str) -> str:
    return word + "!"


def pair_marked(pair: tuple[str, int]) -> tuple[str, int]:
    return marked(pair[0]), pair[1]


def kept(stream: Any, mark: Callable[[Any], Any] = marked) -> Any:
    """What is there, as many jobs say it."""
    return stream.transform(lambda rdd: None if rdd.isEmpty() else rdd.map(mark))


def aged(new: list[int], old: list[list[int]] | None) -> list[list[int]]:
    """Keep what came in each batch that updated a key."""
    return [*(old or []), new]


SHAPES: dict[str, Callable[[Any], Any]] = {
    "output": kept,
    "false": lambda s: s.transform(lambda rdd: False),
    "window": lambda s: kept(s).window(2, 1),
    "transformWith": lambda s: s.transformWith(lambda one, other: None, s),
    "state": lambda s: kept(s.map(lambda word: (word, 1)), pair_marked).updateStateByKey(aged),
    "state-and-map": lambda s: (
        kept(s.map(lambda word: (word, 1)), pair_marked).updateStateByKey(aged).mapValues(len)
    ),
    "transform-again": lambda s: kept(s).transform(lambda rdd: rdd and rdd.map(str.upper)),
}


def run(ssc: Any, shape: Callable[[Any], Any], waits: Any) -> Seen:
    seen: Seen = []

    def see(name: str) -> Callable[[Any, Any], None]:
        return lambda at, rdd: seen.append((at.timestamp(), name, sorted(rdd.collect())))

    source, recorder = ssc.queueStream([list(batch) for batch in BATCHES]), Recorder()
    shape(source).foreachRDD(see("shape"))
    source.foreachRDD(see("source"))
    source.foreachRDD(recorder.last())
    ssc.start()
    try:
        for second in range(1, 6):
            ManualClock(ssc).advance(1)
            if second in waits:
                recorder.wait(second)
    finally:
        ssc.stop(stopSparkContext=False)
    return seen


def both(sc: SparkContext, shape: Callable[[Any], Any], waits: Any) -> tuple[Seen, Seen]:
    engine = real.StreamingContext(sc, 1)
    expected = run(engine, shape, waits)
    ssc = ours.StreamingContext(sc, 1)
    return run(ssc, shape, waits), expected


RARE = ("false", "state", "transform-again")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.full) if n in RARE else n for n in SHAPES]
)
def test_same_as_dstreams(sc: SparkContext, name: str) -> None:
    found, expected = both(sc, SHAPES[name], range(1, 6))
    assert found == expected
    assert [(at, seen) for at, kind, seen in found if kind == "source"] == [
        (1.0, ["a"]),
        (2.0, []),
        (3.0, ["b"]),
        (4.0, ["c"]),
        (5.0, []),
    ]


@pytest.mark.parametrize(
    "operator",
    [
        pytest.param(lambda s: s.map(str.upper), id="map"),
        pytest.param(lambda s: s.map(lambda x: (x, 1)).reduceByKey(max), id="reduceByKey"),
        pytest.param(lambda s: s.transform(lambda rdd: rdd.distinct()), id="transform"),
        pytest.param(lambda s: s.count(), id="count"),
    ],
)
def test_operators_cancel_the_batch(sc: SparkContext, operator: Callable[[Any], Any]) -> None:
    found, expected = both(sc, lambda s: operator(kept(s)), (1, 3, 4))
    assert found == expected
    assert {at for at, _, _ in found} == {1.0, 3.0, 4.0}, "no output of the others ran"


def test_what_is_no_rdd_is_refused(sc: SparkContext) -> None:
    ssc = ours.StreamingContext(sc, 1)
    ssc.queueStream([["a"]]).transform(lambda rdd: rdd.collect()).foreachRDD(lambda rdd: None)
    ssc.start()
    clock = ManualClock(ssc)
    clock.advance(1)
    try:
        with pytest.raises(ours.exceptions.BatchFailedError, match="must return an RDD, not list"):
            ssc.awaitTerminationOrTimeout(60)
    finally:
        ssc.stop(stopSparkContext=False)


def test_state_stays_in_late_batches_too(sc: SparkContext) -> None:
    """Three intervals in one micro-batch; DStreams run one after another."""
    ssc, recorder = ours.StreamingContext(sc, 1), Recorder()
    source = ssc.queueStream([[("a", 1)], [], [("b", 2)]])
    kept(source, pair_marked).updateStateByKey(aged).foreachRDD(recorder.output("state"))
    source.foreachRDD(recorder.last())
    ssc.start()
    try:
        ManualClock(ssc).advance(3)
        recorder.wait(3)
    finally:
        ssc.stop(stopSparkContext=False)
    batches = recorder.outcomes["state"].batches
    assert [sorted(chain.from_iterable(batches[at])) for at in (1.0, 2.0, 3.0)] == [
        [("a!", [[1]])],
        [("a!", [[1]])],
        [("a!", [[1], []]), ("b!", [[2]])],
    ]


@pytest.mark.parametrize("operator", ["foreachRDD", "transform"])
@pytest.mark.parametrize("given", [None, 5, "f"])
def test_what_is_no_function_is_refused_at_once(
    sc: SparkContext, operator: str, given: Any
) -> None:
    for make in (real.StreamingContext, ours.StreamingContext):
        ssc = make(sc, 1)
        stream = ssc.queueStream([["a"]])
        with pytest.raises((AttributeError, TypeError)) as raised:  # Spark's is of its __code__
            getattr(stream, operator)(given)
        ssc.stop(stopSparkContext=False)
    assert str(raised.value) == f"{operator} takes a function, not {type(given).__name__}"
