"""Starting, stopping, waiting, errors and sessions of a StreamingContext."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import DStream, StreamingContext
from dstream_compat.exceptions import BatchFailedError, StreamingStateError
from tests.support.streaming.contexts import MakeContext, advance
from tests.support.streaming.differential import Recorder

pytestmark = pytest.mark.slow


def test_context_before_start(make: MakeContext) -> None:
    ssc = make()
    assert ssc.awaitTerminationOrTimeout(0) is False
    with pytest.raises(IndexError):
        ssc.queueStream([])
    with pytest.raises(ValueError, match="at least one DStream"):
        ssc.union()
    stream = ssc.queueStream([[1]])
    with pytest.raises(ValueError, match=r"windowDuration .*1000 ms.* 1500 ms"):
        stream.window(1.5)
    with pytest.raises(ValueError, match=r"slideDuration .*1000 ms"):
        stream.window(2, 0.5)
    with pytest.raises(ValueError, match="same slide duration"):
        stream.union(stream.window(2, 2))
    with pytest.raises(ValueError, match="same slide duration"):
        ssc.union(stream, stream.window(2, 2))
    with pytest.raises(AssertionError):
        stream.transform(lambda a, b, c: a)
    with pytest.raises(ValueError, match="batch interval"):
        StreamingContext(ssc.sparkContext)
    with pytest.raises(ValueError, match=r"0\.001"):
        StreamingContext(ssc.sparkContext, 0)
    ssc.stop(stopSparkContext=False)
    with pytest.raises(StreamingStateError, match="already been stopped"):
        ssc.start()


def test_one_life(make: MakeContext) -> None:
    ssc, recorder = make(), Recorder()
    stream = ssc.queueStream([["a"], ["b"]])
    stream.foreachRDD(recorder.last())
    assert StreamingContext.getActive() is None
    ssc.start()
    ssc.start()
    assert StreamingContext.getActive() is ssc
    assert StreamingContext.getActiveOrCreate(None, lambda: pytest.fail("called")) is ssc
    other = make()
    other.queueStream([[1]]).pprint()
    with pytest.raises(StreamingStateError, match="Only one StreamingContext"):
        other.start()
    with pytest.raises(StreamingStateError, match="after starting"):
        stream.map(len)
    with pytest.raises(StreamingStateError, match="after starting"):
        stream.pprint()
    assert ssc.awaitTerminationOrTimeout(0.05) is False
    advance(ssc)
    recorder.wait(1)
    ssc.stop(False)
    ssc.stop(stopSparkContext=False, stopGraceFully=True)
    assert StreamingContext.getActive() is None
    assert ssc.awaitTerminationOrTimeout(0.05) is True
    assert ssc.awaitTermination() is None  # type: ignore[func-returns-value]
    with pytest.raises(StreamingStateError):
        ssc.start()


def test_failing_outputs_are_contained(make: MakeContext, caplog: pytest.LogCaptureFixture) -> None:
    ssc, recorder = make(), Recorder()
    stream = ssc.queueStream([["1", "2"], ["x"], ["3"], ["y"]])
    seen: list[Any] = []

    def always_fails(rdd: Any) -> None:
        raise OSError("the database is down")

    stream.foreachRDD(always_fails)
    stream.map(int).foreachRDD(lambda rdd: seen.append(rdd.collect()))
    stream.map(len).foreachRDD(recorder.output("lengths"))
    stream.foreachRDD(recorder.last())
    ssc.start()
    for number in range(1, 5):
        advance(ssc)
        recorder.wait(number)
    assert seen == [[1, 2], [3]]
    lengths = [parts for _, parts in sorted(recorder.outcomes["lengths"].batches.items())]
    assert [[r for part in parts for r in part] for parts in lengths] == [[1, 1], [1], [1], [1]]
    for _ in range(2):
        with pytest.raises(BatchFailedError, match=r"invalid literal for int.*'y'") as raised:
            ssc.awaitTermination()
        assert "Traceback" in str(raised.value)
    with pytest.raises(BatchFailedError):
        ssc.awaitTerminationOrTimeout(0.1)
    assert StreamingContext.getActive() is ssc
    ssc.stop(stopSparkContext=False)
    with pytest.raises(BatchFailedError):
        ssc.awaitTermination()
    assert "the database is down" in caplog.text


def test_cause_is_the_users_exception(make: MakeContext) -> None:
    ssc = make()
    error = LookupError("mine")

    def fail(rdd: Any) -> None:
        raise error

    ssc.queueStream([[1]]).foreachRDD(fail)
    ssc.start()
    advance(ssc)
    with pytest.raises(BatchFailedError, match="LookupError: mine") as raised:
        ssc.awaitTermination(60)
    assert raised.value.__cause__ is error


def test_error_in_a_worker_keeps_its_type_and_lines(make: MakeContext) -> None:
    ssc = make()

    def divide(number: int) -> float:
        return 1 / number

    ssc.queueStream([[1, 0]]).map(divide).pprint()
    ssc.start()
    advance(ssc)
    with pytest.raises(BatchFailedError) as raised:
        ssc.awaitTermination(60)
    assert isinstance(raised.value.__cause__, ZeroDivisionError)
    text = str(raised.value)
    assert "return 1 / number" in text
    assert "dstream_compat/engine" not in text


@pytest.mark.parametrize("operator", ["transform", "transformWith", "ssc.transform"])
def test_failing_transform_cancels_all_outputs_of_its_batch(
    make: MakeContext, operator: str
) -> None:
    ssc, recorder = make(), Recorder()
    stream = ssc.queueStream([[1], [2], [3]])
    ran: list[Any] = []

    def fail_on_two(rdd: Any) -> Any:
        if rdd.collect() == [2]:
            raise KeyError("two")
        return rdd

    stream.foreachRDD(lambda rdd: ran.append(rdd.collect()))
    transformed = {
        "transform": lambda: stream.transform(lambda rdd: fail_on_two(rdd)),
        "transformWith": lambda: stream.transformWith(lambda a, b: fail_on_two(a), stream),
        "ssc.transform": lambda: ssc.transform([stream], lambda rdds: fail_on_two(*rdds)),
    }[operator]()
    transformed.foreachRDD(recorder.output("transformed"))
    stream.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc, 3)
    recorder.wait(3)
    assert ran == [[1], [3]]
    assert sorted(recorder.outcomes["transformed"].batches) == [1.0, 3.0]


def test_callables_of_every_kind(make: MakeContext) -> None:
    ssc, recorder = make(), Recorder()
    stream = ssc.queueStream([["a"]])
    seen: dict[str, Any] = {}

    class Sink:
        def one(self, rdd: Any) -> None:
            seen["method"] = rdd.collect()

        def two(self, time: Any, rdd: Any) -> None:
            seen["timed method"] = (time.timestamp(), rdd.collect())

        def __call__(self, rdd: Any) -> None:
            seen["callable"] = rdd.collect()

    def named(name: str, rdd: Any) -> str:
        seen[name] = rdd.collect()
        return "a truthy value that is not an RDD"

    stream.foreachRDD(Sink().one)
    stream.foreachRDD(Sink().two)
    stream.foreachRDD(Sink())
    stream.foreachRDD(functools.partial(named, "partial"))
    stream.foreachRDD(print)
    stream.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc)
    recorder.wait(1)
    assert seen == {
        "method": ["a"],
        "timed method": (1.0, ["a"]),
        "callable": ["a"],
        "partial": ["a"],
    }
    assert ssc.awaitTerminationOrTimeout(0.05) is False


def test_rdd_is_real(sc: SparkContext, make: MakeContext) -> None:
    ssc, recorder = make(), Recorder()
    seen: dict[str, Any] = {}
    counter = sc.accumulator(0)
    table = sc.broadcast({"a": 1, "b": 2})

    def use(rdd: Any) -> None:
        seen["context"] = rdd.context is sc
        seen["empty"] = rdd.isEmpty()
        seen["partitions"] = rdd.getNumPartitions()
        rdd.foreachPartition(lambda records: counter.add(sum(1 for _ in records)))
        seen["joined"] = sorted(rdd.join(sc.parallelize([("a", "x")])).collect())
        seen["cached"] = rdd.cache().count()
        seen["sorted"] = rdd.sortByKey(ascending=False).keys().collect()
        seen["coalesced"] = rdd.coalesce(1).glom().map(len).collect()
        seen["top"] = rdd.top(1)

    looked_up = ssc.queueStream([["a", "b", "a"]]).map(lambda w: (w, table.value[w]))
    counted = looked_up.map(lambda kv: counter.add(100) or kv)
    counted.foreachRDD(use)
    counted.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc)
    recorder.wait(1)
    assert seen == {
        "context": True,
        "empty": False,
        "partitions": 2,
        "joined": [("a", (1, "x")), ("a", (1, "x"))],
        "cached": 3,
        "sorted": ["b", "a", "a"],
        "coalesced": [3],
        "top": [("b", 2)],
    }
    assert counter.value == 303, "each function runs once per batch"


def test_functions_run_once_however_many_actions_an_output_has(
    sc: SparkContext, make: MakeContext
) -> None:
    ssc, recorder = make(), Recorder()
    counters = [sc.accumulator(0) for _ in range(3)]
    words = ssc.queueStream([["a", "b", "a"]])

    def counting(counter: Any) -> DStream:
        return words.map(lambda word: counter.add(1) or word)

    counting(counters[0]).foreachRDD(lambda rdd: None)
    counting(counters[1]).foreachRDD(lambda rdd: rdd.take(1))
    counting(counters[2]).foreachRDD(lambda rdd: [rdd.count() for _ in range(3)])
    words.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc)
    recorder.wait(1)
    assert [counter.value for counter in counters] == [3, 3, 3]


@pytest.mark.parametrize("how", [DStream.cache, lambda stream: stream.checkpoint(2)])
def test_persisted_behind_transform_is_computed_once(
    sc: SparkContext, make: MakeContext, how: Callable[[DStream], DStream]
) -> None:
    ssc, recorder = make(), Recorder()
    counter = sc.accumulator(0)
    stream = ssc.queueStream([["a", "b"]]).transform(lambda rdd: rdd)
    counted = how(stream.map(lambda word: counter.add(1) or word))
    counted.foreachRDD(lambda rdd: rdd.count())
    counted.foreachRDD(lambda rdd: rdd.count())
    counted.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc)
    recorder.wait(1)
    assert counter.value == 2
