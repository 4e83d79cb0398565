"""Functions in workers see the driver's variables as they are when their batch begins."""

from __future__ import annotations

import logging
import os
import re
from operator import add
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StateSpec, StreamingContext
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import (
    LATE,
    PROMPT,
    Case,
    Recorder,
    comparable,
    run_ours,
    run_real,
)
from tests.support.streaming.stepwise import Run

BATCHES = [["a", "b"], ["a"], [], ["c", "a"], ["b"]]
Seen = dict[str, Any]


def counting(s: Any, seen: Seen) -> None:
    """Let a variable of the driver change with every batch."""

    def note(rdd: Any) -> None:
        seen["n"] = seen.get("n", 0) + 1

    s.foreachRDD(note)


def in_map(s: Any, ssc: Any) -> Any:
    seen: Seen = {"n": 0}
    counting(s, seen)
    return s.map(lambda word: (word, seen["n"]))


def before_the_change(s: Any, ssc: Any) -> Any:
    seen: Seen = {"n": 0}
    result = s.map(lambda word: (word, seen["n"]))
    result.foreachRDD(lambda rdd: None)
    counting(s, seen)
    return result


def behind_shuffles(s: Any, ssc: Any) -> Any:
    seen: Seen = {"n": 1}
    counting(s, seen)
    counted = s.map(lambda word: (word, 1)).reduceByKey(lambda a, b: a + b + 0 * seen["n"])
    return counted.mapValues(lambda n: n * seen["n"]).reduceByKey(lambda a, b: a)


def in_state(s: Any, ssc: Any) -> Any:
    seen: Seen = {"n": 0}
    counting(s, seen)
    return s.map(lambda word: (word, 1)).updateStateByKey(
        lambda new, old: [*(old or []), (len(new), seen["n"])]
    )


def in_window(s: Any, ssc: Any) -> Any:
    seen: Seen = {"n": 0}
    counting(s, seen)
    pairs = s.map(lambda word: (word, seen["n"]))
    return pairs.reduceByKeyAndWindow(add, None, 3, 1)


def rebound(s: Any, ssc: Any) -> Any:
    known: Any = 0

    def learn(rdd: Any) -> None:
        nonlocal known
        known = [known] if rdd.isEmpty() else rdd.count()

    s.foreachRDD(learn)
    return s.map(lambda word: (word, str(known)))


def an_object(s: Any, ssc: Any) -> Any:
    class Model:
        def __init__(self) -> None:
            self.words: set[str] = set()

        def knows(self, word: str) -> bool:
            return word in self.words

    model = Model()
    s.foreachRDD(lambda rdd: model.words.update(rdd.collect()))
    return s.map(lambda word: (word, model.knows(word)))


def back_and_forth(s: Any, ssc: Any) -> Any:
    seen: Seen = {"n": 0}
    s.foreachRDD(lambda rdd: seen.update(n=1 - seen["n"]))
    return s.map(lambda word: (word, seen["n"]))


def a_new_broadcast(s: Any, ssc: Any) -> Any:
    held = {"words": ssc.sparkContext.broadcast(["none"])}

    def renew(rdd: Any) -> None:
        held["words"].unpersist()
        held["words"] = ssc.sparkContext.broadcast(rdd.collect())

    s.foreachRDD(renew)
    return s.map(lambda word: (word, held["words"].value))


def broadcast_that_stays(s: Any, ssc: Any) -> Any:
    seen: Seen = {"n": 0}
    stays = ssc.sparkContext.broadcast({"a": 1})
    counting(s, seen)
    return s.map(lambda word: (word, stays.value.get(word), seen["n"]))


def behind_transform(s: Any, ssc: Any) -> Any:
    seen: Seen = {"n": 0}
    counting(s, seen)
    pairs = s.transform(lambda rdd: rdd.map(lambda word: (word, seen["n"])))
    return pairs.updateStateByKey(lambda new, old: [*(old or []), *new, seen["n"]])


CASES = [
    Case(build.__name__, build, BATCHES)
    for build in (
        in_map,
        before_the_change,
        behind_shuffles,
        in_state,
        in_window,
        rebound,
        an_object,
        back_and_forth,
        a_new_broadcast,
        broadcast_that_stays,
        behind_transform,
    )
]


@pytest.fixture(scope="module")
def outcomes(sc: SparkContext) -> tuple[Any, Any]:
    return run_real(sc, CASES), run_ours(sc, CASES, PROMPT)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(case: Case, outcomes: tuple[Any, Any]) -> None:
    real, ours = (comparable(case, outcome[case.name]) for outcome in outcomes)
    assert real == ours
    assert len(set(map(str, real.values()))) > 2


@pytest.mark.slow
def test_late_intervals_see_the_same(sc: SparkContext) -> None:
    """They are one micro-batch, so what an output of one changes is seen after all of them."""
    case = Case("late", in_map, BATCHES)
    found = comparable(case, run_ours(sc, [case], LATE)["late"])
    assert {key for parts in found.values() for bag in parts for key in bag} == {
        "(str:'a', int:0)",
        "(str:'b', int:0)",
        "(str:'c', int:0)",
    }


@pytest.mark.slow
def test_map_with_state(sc: SparkContext) -> None:
    seen: Seen = {"n": 0}
    recorder = Recorder()
    ssc = StreamingContext(sc, 1)
    source = ssc.queueStream([["a"], ["a"], ["a"]])
    counting(source, seen)
    spec = StateSpec.function(lambda key, value, state: (key, seen["n"]))
    source.map(lambda word: (word, 1)).mapWithState(spec).foreachRDD(recorder.output("it"))
    source.foreachRDD(recorder.last())
    ssc.start()
    clock = ManualClock(ssc)
    for number in (1, 2, 3):
        clock.advance(1)
        recorder.wait(number)
    ssc.stop(False)
    batches = recorder.outcomes["it"].batches
    found = {time: [one for part in parts for one in part] for time, parts in batches.items()}
    assert found == {1.0: [("a", 0)], 2.0: [("a", 1)], 3.0: [("a", 2)]}


@pytest.mark.slow
def test_a_large_value_that_travels_is_told(
    sc: SparkContext, caplog: pytest.LogCaptureFixture
) -> None:
    held = {"table": sc.broadcast(b"small")}

    def renew(rdd: Any) -> None:
        held["table"] = sc.broadcast(os.urandom(2 << 20))

    said: list[str] = []
    with Run(sc) as run, caplog.at_level(logging.WARNING, "dstream_compat"):
        source = run.ssc.queueStream([["a"], ["a"], ["a"]])
        run.keep("sizes", source.map(lambda _: len(held["table"].value)))
        source.foreachRDD(renew)
        run.start()
        for _ in range(2):
            run.advance()
            said.append(caplog.text)
    assert run.batches("sizes") == [[5], [2 << 20]]
    assert "carries" not in said[0]
    assert re.search(r"of stage source-\d+", said[1])
    assert 2 << 20 < int(re.findall(r"compressed to (\d+) bytes", said[1])[0]) < 4 << 20


@pytest.mark.slow
def test_what_can_no_longer_be_pickled_ends_the_job_with_its_name(sc: SparkContext) -> None:
    seen: Seen = {"n": 0}
    recorder = Recorder()
    ssc = StreamingContext(sc, 1)
    source = ssc.queueStream([["a"], ["a"]])
    source.foreachRDD(lambda rdd: seen.update(n=sc))
    source.map(lambda word: (word, seen["n"])).foreachRDD(recorder.last())
    ssc.start()
    clock = ManualClock(ssc)
    clock.advance(1)
    recorder.wait(1)
    clock.advance(1)
    try:
        with pytest.raises(Exception, match="SparkContext"):
            ssc.awaitTerminationOrTimeout(120)
    finally:
        ssc.stop(False)
