"""Queues of RDDs and lists, against the real engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext

from .differential import Recorder

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
@pytest.mark.parametrize("shapes", [queue_shapes, broken_queues])
def test_queues_same_as_real_engine(
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
            clock = ssc._clock if make is StreamingContext else ssc._jssc.ssc().scheduler().clock()
            if pace == "late":
                clock.advance(3000)
                recorder.wait(3)
            for number in range(4 if pace == "late" else 1, 5):
                clock.advance(1000)
                recorder.wait(number)
        finally:
            ssc.stop(stopSparkContext=False)
        results.append({name: out.batches for name, out in recorder.outcomes.items()})
    assert results[0] == results[1]
