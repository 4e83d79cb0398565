"""Queues of RDDs and lists, against DStreams."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import chain
from pickle import PicklingError
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext
from pyspark.serializers import MarshalSerializer

from dstream_compat import StreamingContext
from dstream_compat.source.queues.source import QueueSource, queue_of
from dstream_compat.testing import ManualClock
from dstream_compat.wire.frames import decode, unpack
from dstream_compat.worker.reading.entries import Partition, read_entries
from tests.support.streaming.differential import Recorder
from tests.support.streaming.inputs import opened

pytestmark = pytest.mark.slow


def queue_shapes(ssc: Any) -> list[Any]:
    sc = ssc.sparkContext
    return [
        ssc.queueStream([sc.parallelize(range(5), 3), sc.parallelize([], 2), sc.emptyRDD()]),
        ssc.queueStream([["a"], ["b"], ["c"]], oneAtATime=False),
        ssc.queueStream([["a"]], default=["x", "y"]),
        ssc.queueStream([], default=["z"]),
        ssc.queueStream([["a"], []], True, sc.parallelize([0], 4)),
    ]


def queues_of_all_kinds(ssc: Any) -> list[Any]:
    """Whatever PySpark makes an RDD of, and RDDs that its JVM holds in different forms."""
    sc = ssc.sparkContext
    pairs = sc.parallelize([(n % 3, n) for n in range(20)], 3)
    with_strings = [
        sc.parallelize("ab", 2),
        sc.textFile(__file__, 3).filter(lambda line: "import" in line),
        sc.textFile(__file__, 2),
    ]
    computed = [
        pairs.reduceByKey(lambda a, b: a + b, 2),
        pairs.mapValues(str).partitionBy(4),
        pairs.keys().zip(pairs.values()),
        pairs.cartesian(sc.parallelize([1], 1)),
    ]
    by_key = [pairs.partitionBy(2), pairs.mapValues(str).partitionBy(2)]
    return [
        ssc.queueStream([range(7), (), (n for n in range(5)), "text", {"a": 1, "b": 2}]),
        ssc.queueStream([range(10, 0, -3), range(1), range(0), {1}, [[]]], oneAtATime=False),
        ssc.queueStream([list(range(3000)), list(range(2)), [None] * 5], default=range(3)),
        ssc.queueStream(with_strings),
        ssc.queueStream(computed),
        ssc.queueStream(by_key, oneAtATime=False, default=["x"]),
        ssc.queueStream([pairs] * 2, default=pairs.map(str)),
        ssc.queueStream([sc.parallelize([n]) for n in range(15)]),
        ssc.queueStream([sc.parallelize(range(1, 8), 3), sc.parallelize(range(5)).map(str)]),
    ]


def queues_of_kept_rdds(ssc: Any) -> list[Any]:
    """Spark knows where partitions of these lie, which changes how it deals them to tasks."""
    sc = ssc.sparkContext
    cached = sc.parallelize(list("abcdefghi"), 4).cache()
    cached.count()
    later = sc.parallelize(list("klmnop"), 3).cache()
    return [
        ssc.queueStream([cached] * 20).glom(),
        ssc.queueStream([sc.parallelize(["x"], 2), cached, later] * 5).glom(),
        ssc.queueStream([later] * 8, oneAtATime=False).glom(),
    ]


def broken_queues(ssc: Any) -> list[Any]:
    """An RDD that fails does so in its own interval only, and a default one in each of its own."""
    sc = ssc.sparkContext
    good, bad = sc.parallelize([1, 2], 2), sc.parallelize([0, 1], 2).map(lambda n: 1 // n)
    return [
        ssc.queueStream([good, bad, good, good]),
        ssc.queueStream([bad, good], oneAtATime=False),
        ssc.queueStream([good, good], default=bad),
        ssc.queueStream([good] * 4),
    ]


@pytest.mark.parametrize("pace", ["one by one", "late"])
@pytest.mark.parametrize(
    "shapes", [queue_shapes, queues_of_all_kinds, queues_of_kept_rdds, broken_queues]
)
def test_queues_same_as_dstreams(
    sc: SparkContext, shapes: Callable[[Any], list[Any]], pace: str
) -> None:
    results = []
    for make in (real.StreamingContext, StreamingContext):
        ssc: Any = make(sc, 1)
        recorder = Recorder()
        streams = shapes(ssc)
        for number, stream in enumerate(streams):
            stream.foreachRDD(recorder.output(f"shape {number}"))
            stream.count().foreachRDD(recorder.output(f"count {number}"))
        streams[0].foreachRDD(recorder.last())
        ssc.start()
        try:
            clock = ManualClock(ssc)
            if pace == "late":
                clock.advance(3)
                recorder.wait(3)
            for number in range(4 if pace == "late" else 1, 5):
                clock.advance(1)
                recorder.wait(number)
        finally:
            ssc.stop(stopSparkContext=False)
        results.append({name: out.batches for name, out in recorder.outcomes.items()})
    assert results[0] == results[1]


@pytest.fixture
def plan(sc: SparkContext) -> Callable[..., tuple[list[Any], int]]:
    """Give each item of a queue to a batch; returns the plans, and how many jobs they took."""

    def plan_one_by_one(
        items: list[Any], default: Any = None, batches: int = 0
    ) -> tuple[list[Any], int]:
        source = opened(QueueSource(*one_by_one(queue_of(sc, items, default))))
        scheduler: Any = sc._jsc.sc().dagScheduler()
        before = scheduler.numTotalJobs()
        ticks = range(1000, 1000 * max(batches, len(items)) + 1, 1000)
        return [source.plan(sc, [t])[t] for t in ticks], scheduler.numTotalJobs() - before

    return plan_one_by_one


def one_by_one(made: tuple[Any, Any]) -> tuple[Any, bool, Any]:
    return made[0], True, made[1]


def records(planned: Any) -> list[list[Any]]:
    frames = read_entries(Partition(1, 1, part, items) for part, items in enumerate(planned))
    parts: list[list[Any]] = [[] for _ in planned]
    for frame in map(unpack, frames):
        parts[frame.src[0]] += decode(frame)
    return parts


def test_lists_take_no_job(sc: SparkContext, plan: Any) -> None:
    lists = [list(range(n)) for n in range(20)]
    planned, jobs = plan([*lists, range(9)], default=["x"], batches=25)
    assert jobs == 0
    assert [sorted(chain.from_iterable(records(parts))) for parts in planned[:20]] == lists
    assert records(planned[20]) == [[0, 1, 2, 3], [4, 5, 6, 7, 8]]
    assert records(planned[24]) == [[], ["x"]]


def test_parallelized_lists_are_read_ahead_and_functions_are_not(
    sc: SparkContext, plan: Any
) -> None:
    planned, jobs = plan([sc.parallelize([n, -n], 2) for n in range(25)])
    assert [records(parts) for parts in planned] == [[[n], [-n]] for n in range(25)]
    assert jobs == 3
    ranges = [range(9), range(7, 1, -2), range(5, 6), range(0)]
    planned, jobs = plan([sc.parallelize(numbers, 3) for numbers in ranges])
    assert [records(parts) for parts in planned] == [
        [[0, 1, 2], [3, 4, 5], [6, 7, 8]],
        [[7], [5], [3]],
        [[], [], [5]],
        [[], [], []],
    ]
    assert jobs <= 1, "an empty range is an empty list"
    planned, jobs = plan([], sc.parallelize([1], 1), batches=5)
    assert [records(parts) for parts in planned] == [[[], []], *[[[1]]] * 4]
    assert jobs == 1
    touched = sc.accumulator(0)

    def touch(number: int) -> int:
        touched.add(1)
        return number

    rdds = [sc.parallelize([n], 1).map(touch) for n in range(5)]
    source = opened(QueueSource(rdds, True, None))
    assert records(source.plan(sc, [1000])[1000]) == [[0]]
    assert touched.value == 1
    late = source.plan(sc, [2000, 3000, 4000])
    assert [records(late[tick]) for tick in (2000, 3000, 4000)] == [[[1]], [[2]], [[3]]]
    assert touched.value == 4


def test_what_pyspark_refuses_is_refused_at_definition(sc: SparkContext) -> None:
    ssc = StreamingContext(sc, 1)
    with pytest.raises(PicklingError, match="Could not serialize object: TypeError"):
        ssc.queueStream([[threading.Lock()]])
    lock = threading.Lock()
    with pytest.raises(PicklingError):
        ssc.queueStream([sc.parallelize([1]).map(lambda _: lock)])
    with pytest.raises(IndexError):
        ssc.queueStream([], default=[])
    with pytest.raises(TypeError):
        ssc.queueStream([[1], sc.parallelize([1])])
    with pytest.raises(AttributeError):
        ssc.queueStream([sc.parallelize([1]), [1]])


def test_later_changes_are_not_seen(sc: SparkContext, plan: Any) -> None:
    inner = ["a"]
    items = [[inner], [inner]]
    made, default = queue_of(sc, items, [inner])
    inner.append("b")
    items[0].append(["c"])
    assert default is not None
    assert [records(item) for item in (*made, default)] == [[[], [["a"]]]] * 3


def test_a_serializer_of_the_context_is_used(
    sc: SparkContext, plan: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sc, "_unbatched_serializer", MarshalSerializer())
    with pytest.raises(ValueError, match="unmarshallable"):
        plan([[object()]])
    planned, jobs = plan([["a"], ["b"]])
    assert [records(parts) for parts in planned] == [[[], ["a"]], [[], ["b"]]]
    assert jobs > 0
