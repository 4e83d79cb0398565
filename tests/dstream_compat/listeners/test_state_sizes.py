"""Listeners are told how many keys each operator with state holds after each batch."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StateSpec, StreamingContext, StreamingListener
from tests.support.streaming.contexts import MakeContext, advance
from tests.support.streaming.differential import DEADLINE

pytestmark = pytest.mark.slow

# 100 keys, then 50 more, then 30 of the first are removed, then nothing.
BATCHES: list[list[tuple[int, int]]] = [
    [(key, 1) for key in range(100)],
    [(key, 1) for key in range(100, 150)],
    [(key, -1) for key in range(30)],
    [],
]


class Sizes(StreamingListener):
    def __init__(self) -> None:
        self.seen: dict[int, dict[str, int]] = {}
        self.started: list[int] = []
        self.changed = threading.Condition()

    def onBatchStarted(self, batchStarted: Any) -> None:
        self.started.append(len(batchStarted.batchInfo().stateOperatorInfos()))

    def onBatchCompleted(self, batchCompleted: Any) -> None:
        info = batchCompleted.batchInfo()
        states = info.stateOperatorInfos().values()
        with self.changed:
            self.seen[info.batchTime().milliseconds()] = {s.name(): s.numKeys() for s in states}
            self.changed.notify_all()

    def wait(self, tick: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: tick in self.seen, DEADLINE)


def total(new: list[int], old: int | None) -> int | None:
    return sum(new) + (old or 0) or None


def track(key: int, value: int | None, state: Any) -> None:
    if value == -1:
        state.remove()
    else:
        state.update(value)


def listened(ssc: StreamingContext, *steps: int) -> Sizes:
    listener = Sizes()
    ssc.addStreamingListener(listener)
    ssc.start()
    now = 0
    for step in steps:
        now += step
        advance(ssc, step)
        listener.wait(now * 1000)
    return listener


@pytest.mark.parametrize("steps", [(1, 1, 1, 1), (1, 3)], ids=["prompt", "late"])
def test_keys_of_each_operator(make: MakeContext, steps: tuple[int, ...]) -> None:
    ssc = make()
    pairs = ssc.queueStream([list(batch) for batch in BATCHES])
    pairs.updateStateByKey(total, 3).foreachRDD(lambda rdd: None)
    pairs.mapWithState(StateSpec.function(track).numPartitions(1)).foreachRDD(lambda rdd: None)
    pairs.reduceByKeyAndWindow(lambda a, b: a + b, lambda a, b: a - b, 5, 1).foreachRDD(
        lambda rdd: None
    )
    pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 2, 1).foreachRDD(lambda rdd: None)
    listener = listened(ssc, *steps)
    held = [[*sizes.values()] for _, sizes in sorted(listener.seen.items())]
    assert held == [[100, 100, 100], [150, 150, 150], [120, 120, 150], [120, 120, 150]]
    assert [name.partition("(")[0] for name in listener.seen[1000]] == [
        "updateStateByKey",
        "mapWithState",
        "reduceByKeyAndWindow",
    ]


def test_state_of_a_further_query_and_of_longer_slides(make: MakeContext) -> None:
    ssc = make()
    pairs = ssc.queueStream([list(batch) for batch in BATCHES])
    behind = pairs.transform(lambda rdd: rdd.filter(lambda pair: pair[0] % 2 == 0))
    behind.updateStateByKey(total).foreachRDD(lambda rdd: None)
    pairs.window(2, 2).mapWithState(StateSpec.function(track)).foreachRDD(lambda rdd: None)
    listener = listened(ssc, 1, 3)
    held = [[*sizes.values()] for _, sizes in sorted(listener.seen.items())]
    assert [len(sizes) for sizes in held] == [1, 2, 1, 2]
    assert [sum(sizes) for sizes in held] == [50, 75 + 150, 60, 60 + 120]


def test_an_operator_that_failed_is_left_out(sc: SparkContext, make: MakeContext) -> None:
    def refuse(new: list[int], old: int | None) -> int:
        if -1 in new:
            raise ValueError("negative")
        return 1

    ssc = make()
    pairs = ssc.queueStream([list(batch) for batch in BATCHES])
    pairs.updateStateByKey(refuse).foreachRDD(lambda rdd: rdd.count())
    pairs.updateStateByKey(total).foreachRDD(lambda rdd: rdd.count())
    listener = listened(ssc, 1, 1, 1)
    held = [[*sizes.values()] for _, sizes in sorted(listener.seen.items())]
    assert [sum(sizes) for sizes in held] == [100, 150, 120], "operators of one name are one here"
    assert [len(ids) for ids in held] == [1, 1, 1]
