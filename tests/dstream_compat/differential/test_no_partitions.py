"""Batches without any partition, as sources have that are idle, against DStreams."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, sub
from typing import Any

import pytest

from tests.support.streaming.differential import Case
from tests.support.streaming.engines import Engines, engines_for

# One list per batch: its partitions. Those of the first queue begin with none.
FIRST: list[list[list[Any]]] = [[], [[("a", 1), ("b", 2)], [("a", 3)]], [], [[], []], [], []]
FIRST += [[], [], [[("c", 4)], [], [("a", 5)]], []]
SECOND: list[list[list[Any]]] = [[[("a", "x")]], [], [], [[("a", "y")], [("c", "z")]], []]
SECOND += [[], [[("b", "w")]], [], [], [[("c", "v")]]]
N = 12


def rdd_of(sc: Any, parts: list[list[Any]]) -> Any:
    """Return an RDD with these partitions."""
    if not parts:
        return sc.emptyRDD()
    return sc.parallelize(parts, len(parts)).flatMap(lambda part: part)


def queue(ssc: Any, batches: list[list[list[Any]]], default: Any = None) -> Any:
    rdds = [rdd_of(ssc.sparkContext, parts) for parts in batches]
    stream = ssc.queueStream(rdds, default=default)
    # Else DStreams take an item only in intervals in which a batch wants it.
    stream.foreachRDD(lambda rdd: None)
    return stream


def case(name: str, build: Callable[[Any, Any], Any]) -> Case:
    def with_queues(_: Any, ssc: Any) -> Any:
        return build(queue(ssc, FIRST), queue(ssc, SECOND))

    return Case(name, with_queues, [[]], intervals=N)


def size(records: Any) -> Any:
    return [sum(1 for _ in records)]


def values(stream: Any) -> Any:
    return stream.map(lambda pair: pair[1])


def groups(stream: Any) -> Any:
    return stream.mapValues(lambda sides: [sorted(side) for side in sides])


def partitions(rdd: Any) -> Any:
    return rdd.context.parallelize([rdd.getNumPartitions()], 1)


def both_partitions(one: Any, other: Any) -> Any:
    return one.context.parallelize([one.getNumPartitions(), other.getNumPartitions()], 1)


def total(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def calls(new: list[int], old: int | None) -> int:
    return 1 + (old or 0)


CASES = [
    case("itself", lambda a, b: a.map(str)),
    case("count", lambda a, b: a.count()),
    case("countByValue", lambda a, b: a.countByValue()),
    case("reduce", lambda a, b: values(a).reduce(add)),
    case("reduceByKey", lambda a, b: a.reduceByKey(add)),
    case("groupByKey", lambda a, b: a.groupByKey(3).mapValues(sorted)),
    case("partitionBy", lambda a, b: a.partitionBy(3)),
    case("repartition", lambda a, b: a.repartition(3).mapPartitions(lambda records: ["one"])),
    case("repartition-one", lambda a, b: a.repartition(1)),
    case("window", lambda a, b: a.window(2, 1)),
    case("window-slide", lambda a, b: a.window(3, 2)),
    case("window-count", lambda a, b: a.window(3, 1).count()),
    case("window-mapPartitions", lambda a, b: a.window(3, 1).mapPartitions(size)),
    case("window-glom", lambda a, b: a.window(2, 2).glom()),
    case("window-of-reduced", lambda a, b: a.reduceByKey(add).window(3, 1)),
    case("countByWindow", lambda a, b: a.countByWindow(3, 1)),
    case("countByWindow-inverse", lambda a, b: a.countByWindow(5, 1)),
    case("reduceByWindow", lambda a, b: values(a).reduceByWindow(add, None, 3, 1)),
    case("reduceByWindow-inverse", lambda a, b: values(a).reduceByWindow(add, sub, 5, 1)),
    case("reduceByKeyAndWindow", lambda a, b: a.reduceByKeyAndWindow(add, None, 3, 1)),
    case("reduceByKeyAndWindow-inverse", lambda a, b: a.reduceByKeyAndWindow(add, sub, 5, 1, 3)),
    case("countByValueAndWindow", lambda a, b: a.countByValueAndWindow(5, 1)),
    case("glom", lambda a, b: a.glom()),
    case("mapPartitions", lambda a, b: a.mapPartitions(size)),
    case("mapPartitionsWithIndex", lambda a, b: a.mapPartitionsWithIndex(lambda i, it: [i])),
    case("join", lambda a, b: a.join(b)),
    case("join-3", lambda a, b: a.join(b, 3)),
    case("leftOuterJoin", lambda a, b: a.leftOuterJoin(b)),
    case("fullOuterJoin", lambda a, b: a.fullOuterJoin(b, 1)),
    case("cogroup", lambda a, b: groups(a.cogroup(b))),
    case("join-of-windows", lambda a, b: a.window(2, 2).join(b.window(4, 2))),
    case("union", lambda a, b: a.union(b)),
    case("union-glom", lambda a, b: a.union(b).glom()),
    case("union-partitions", lambda a, b: a.union(b).mapPartitions(size)),
    case("union-count", lambda a, b: a.union(b).count()),
    case("union-with-itself", lambda a, b: a.union(a)),
    case("union-with-partitioned", lambda a, b: a.union(b.partitionBy(2))),
    case("union-window", lambda a, b: a.union(b).window(2, 1).mapPartitions(size)),
    case("updateStateByKey", lambda a, b: a.updateStateByKey(total)),
    case("updateStateByKey-calls", lambda a, b: a.updateStateByKey(calls, 3, [("z", 7)])),
    case("updateStateByKey-slide", lambda a, b: a.window(2, 2).updateStateByKey(total, 3)),
    case("updateStateByKey-union", lambda a, b: a.union(b).updateStateByKey(calls)),
    case("transform", lambda a, b: a.transform(partitions)),
    case("transform-window", lambda a, b: a.window(2, 1).transform(partitions)),
    case("transform-union", lambda a, b: a.union(b).transform(partitions)),
    case("transform-count", lambda a, b: a.count().transform(partitions)),
    case("transform-reduced", lambda a, b: a.reduceByKey(add).transform(partitions)),
    case("transform-same", lambda a, b: a.transform(lambda rdd: rdd).count()),
    case("transform-distinct", lambda a, b: a.transform(lambda rdd: rdd.distinct(2))),
    case("transformWith", lambda a, b: a.transformWith(both_partitions, b)),
    case("transformWith-union", lambda a, b: a.transformWith(lambda x, y: x.union(y), b)),
    Case(
        "default",
        lambda _, ssc: queue(ssc, FIRST[:3], ssc.sparkContext.emptyRDD()).count(),
        [[]],
        intervals=N,
    ),
    Case(
        "all-at-once",
        lambda _, ssc: ssc.queueStream(
            [rdd_of(ssc.sparkContext, parts) for parts in FIRST], oneAtATime=False
        ).mapPartitions(size),
        [[]],
        intervals=N,
    ),
    Case(
        "all-at-once-of-nothing",
        lambda _, ssc: ssc.queueStream([ssc.sparkContext.emptyRDD()] * 2, False).mapPartitions(
            size
        ),
        [[]],
        intervals=N,
    ),
]

engines = engines_for(CASES)


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(case: Case, engines: Engines) -> None:
    engines.check(case)
