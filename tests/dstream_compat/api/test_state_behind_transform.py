"""State and windows behind functions of the driver: further queries, against DStreams."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StateSpec, StreamingContext
from dstream_compat.exceptions import BatchFailedError
from dstream_compat.testing import ManualClock
from tests.support.streaming.contexts import stop_gracefully, stop_hard
from tests.support.streaming.differential import DEADLINE, Case, Recorder, all_but
from tests.support.streaming.engines import Engines, engines_for
from tests.support.streaming.partitions import with_other_partitions

pytestmark = pytest.mark.slow

WORDS = [["a", "b", "a"], ["b", "c"], [], ["a"], ["c", "c", "b"]]


def add(a: int, b: int) -> int:
    return a + b


def subtract(a: int, b: int) -> int:
    return a - b


def total(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def paired(stream: Any) -> Any:
    """The words with a one each, made by a function of the driver."""
    return stream.transform(lambda rdd: rdd.map(lambda word: (word, 1)))


def running(stream: Any) -> Any:
    return paired(stream).updateStateByKey(total)


def window(stream: Any) -> Any:
    return stream.reduceByKeyAndWindow(add, None, 3, 1)


CASES = [
    Case("update", lambda s, _: running(s), WORDS),
    Case("update-partitions", lambda s, _: paired(s).updateStateByKey(total, 3), WORDS),
    Case(
        "update-initial",
        lambda s, ssc: paired(s).updateStateByKey(
            total, initialRDD=ssc.sparkContext.parallelize([("a", 10), ("z", 1)])
        ),
        WORDS,
    ),
    Case("window", lambda s, _: paired(s).window(2, 1), WORDS),
    Case("window-slide", lambda s, _: paired(s).window(3, 2).map(str), WORDS),
    Case("reduce-window", lambda s, _: window(paired(s)), WORDS),
    Case(
        "inverse-window",
        lambda s, _: paired(s).reduceByKeyAndWindow(add, subtract, 5, 1),
        WORDS,
        intervals=8,
    ),
    Case("count-window", lambda s, _: paired(s).countByWindow(2, 1), WORDS),
    Case(
        "slide-before",
        lambda s, _: running(s.window(2, 2)),
        WORDS,
    ),
    Case(
        "state-before-and-behind",
        lambda s, _: (
            s.map(lambda w: (w, 1))
            .updateStateByKey(total)
            .transform(lambda rdd: rdd.filter(lambda kv: kv[1] > 1))
            .updateStateByKey(total)
        ),
        WORDS,
    ),
    Case(
        "twice-behind",
        lambda s, _: (
            running(s)
            .transform(lambda rdd: rdd.mapValues(lambda n: n * 10))
            .updateStateByKey(total)
        ),
        WORDS,
    ),
    Case(
        "transform-behind-state-behind-transform",
        lambda s, _: running(s).transform(lambda rdd: rdd.sortByKey(False)).map(str),
        WORDS,
    ),
    Case(
        "join-over-queries",
        lambda s, _: s.map(lambda w: (w, 1)).reduceByKey(add).join(running(s)),
        WORDS,
    ),
    Case(
        "union-then-state",
        lambda s, _: running(s).union(s.map(lambda w: (w, 5))).updateStateByKey(total),
        WORDS,
    ),
    Case(
        "two-handed-over",
        lambda s, _: running(s).join(
            s.transform(lambda rdd: rdd.map(lambda w: (w, len(w)))).reduceByKeyAndWindow(
                add, None, 2, 1
            )
        ),
        WORDS,
    ),
    Case(
        "same-stream-twice",
        lambda s, _: (lambda r: r.union(r))(running(s)),
        WORDS,
    ),
    Case(
        "error-in-worker",
        lambda s, _: s.transform(lambda rdd: rdd.map(lambda w: (w, 1 // (w != "c")))).window(2, 1),
        WORDS,
    ),
    Case(
        "error-poisons-state",
        lambda s, _: s.transform(
            lambda rdd: rdd.map(lambda w: (w, int("1" if w != "c" else "no number")))
        ).updateStateByKey(lambda new, old: sum(new) + (old or 0)),
        [["a"], ["b"], ["a", "c"], ["b"]],
    ),
]


RARE = """
update-partitions window-slide inverse-window count-window transform-behind-state-behind-transform
update-initial reduce-window slide-before twice-behind two-handed-over error-in-worker
"""
"""Each case costs queries of its own."""
CASES = all_but(RARE, CASES)

engines = engines_for(CASES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(engines: Engines, case: Case) -> None:
    engines.check(case)


test_same_with_other_numbers_of_partitions = with_other_partitions(CASES)


@pytest.fixture
def ssc(sc: SparkContext) -> Iterator[StreamingContext]:
    made = StreamingContext(sc, 1)
    yield made
    made.stop(stopSparkContext=False)


def advance(ssc: StreamingContext, intervals: int = 1) -> None:
    clock = ManualClock(ssc)
    clock.advance(intervals)


def test_outputs_keep_their_order_over_queries(ssc: StreamingContext) -> None:
    """An output of a later query that was defined first runs first, in every interval."""
    recorder = Recorder()
    ran: list[tuple[str, float]] = []

    def note(name: str) -> Callable[[Any, Any], None]:
        return lambda time, rdd: ran.append((name, time.timestamp()))

    words = ssc.queueStream([["a"], ["b"], ["c"]])
    running(words).foreachRDD(note("state"))
    words.foreachRDD(note("words"))
    words.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc)
    recorder.wait(1)
    advance(ssc, 2)
    recorder.wait(3)
    assert ran == [(name, at) for at in (1.0, 2.0, 3.0) for name in ("state", "words")]


def test_parts_of_all_queries_have_names_of_their_own(ssc: StreamingContext) -> None:
    """Outputs over the RDD of one query may run in the thread of another one, as it is told."""
    words = ssc.queueStream([["a"]])
    running(words.map(str.upper).repartition(2)).foreachRDD(lambda rdd: rdd.count())
    running(words).transform(lambda rdd: rdd).reduceByKeyAndWindow(add, subtract, 2).pprint()
    ssc.start()
    assert ssc._job is not None
    names = [name for run in ssc._job.runs for name in run.plan.parts_to_ship()]
    assert len(names) > 4 and len(names) == len(set(names))


def test_functions_of_the_driver_run_once(ssc: StreamingContext) -> None:
    recorder = Recorder()
    times: list[float] = []

    def noting(time: Any, rdd: Any) -> Any:
        times.append(time.timestamp())
        return rdd.map(lambda word: (word, 1))

    pairs = ssc.queueStream([["a"], ["b"]]).transform(noting)
    pairs.updateStateByKey(total).foreachRDD(lambda rdd: rdd.count())
    pairs.foreachRDD(lambda rdd: rdd.count())
    pairs.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc, 2)
    recorder.wait(2)
    assert times == [1.0, 2.0]


def test_map_with_state_behind_transform(ssc: StreamingContext) -> None:
    recorder = Recorder()

    def count(key: str, value: int | None, state: Any) -> tuple[str, int]:
        state.update((state.get() if state.exists() else 0) + (value or 0))
        return key, state.get()

    counted = paired(ssc.queueStream([list(batch) for batch in WORDS])).mapWithState(
        StateSpec.function(count)
    )
    counted.foreachRDD(recorder.output("counted"))
    counted.stateSnapshots().foreachRDD(recorder.output("snapshots"))
    counted.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc, 2)
    recorder.wait(2)
    for number in (3, 4, 5):
        advance(ssc)
        recorder.wait(number)
    flat = {
        name: [sorted(r for part in parts for r in part) for parts in outcome.batches.values()]
        for name, outcome in recorder.outcomes.items()
    }
    assert flat["counted"] == [
        [("a", 1), ("a", 2), ("b", 1)],
        [("b", 2), ("c", 1)],
        [],
        [("a", 3)],
        [("b", 3), ("c", 2), ("c", 3)],
    ]
    assert flat["snapshots"][-1] == [("a", 3), ("b", 3), ("c", 3)]


def test_failing_function_of_the_driver_cancels_the_batch(ssc: StreamingContext) -> None:
    recorder = Recorder()
    ran: list[float] = []

    def fail_on_two(time: Any, rdd: Any) -> Any:
        if time.timestamp() == 2.0:
            raise KeyError("two")
        return rdd.map(lambda word: (word, 1))

    words = ssc.queueStream([["a"], ["b"], ["c"], ["d"]])
    words.foreachRDD(lambda time, rdd: ran.append(time.timestamp()))
    words.transform(fail_on_two).window(2, 1).foreachRDD(recorder.output("window"))
    words.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc, 4)
    recorder.wait(4)
    assert ran == [1.0, 3.0, 4.0]
    with pytest.raises(BatchFailedError, match="KeyError: 'two'"):
        ssc.awaitTermination()
    batches = recorder.outcomes["window"].batches
    assert batches[3.0] == "error: KeyError: 'two'", "the window still holds the failed batch"
    assert sorted(r for part in batches[4.0] for r in part) == [("c", 1), ("d", 1)]


@pytest.mark.parametrize("gracefully", [False, True], ids=["hard", "gracefully"])
def test_stop_in_the_middle(ssc: StreamingContext, gracefully: bool) -> None:
    entered, leave = threading.Event(), threading.Event()
    seen: list[Any] = []

    def slow(rdd: Any) -> None:
        records = sorted(rdd.collect())
        entered.set()
        assert leave.wait(DEADLINE)
        seen.append(records)

    running(ssc.queueStream([["a"], ["b"]])).foreachRDD(slow)
    ssc.start()
    advance(ssc)
    assert entered.wait(DEADLINE)
    (stop_gracefully if gracefully else stop_hard)(ssc, leave)
    assert seen[0] == [("a", 1)]
    if gracefully:
        assert seen[1] == [("a", 1), ("b", 1)]
    assert ssc.awaitTerminationOrTimeout(0) is True
