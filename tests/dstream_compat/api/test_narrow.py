"""map, flatMap, filter and their relatives, against DStreams."""

from __future__ import annotations

import operator
from typing import Any

import pytest
from pyspark import StorageLevel

from tests.support.streaming.differential import Case
from tests.support.streaming.engines import Engines, engines_for

LINES = [["to be or", "not to be"], ["that is", ""], [], ["the question", "żółć ☃ 🎈"]]
PAIRS = [[("a", 1), ("b", 2), ("a", 3)], [("a", 4)], [], [("c", 5), (None, 6)]]
MEMORY = StorageLevel.MEMORY_AND_DISK
MIXED = [[1, 1.0, True, None, "x", b"y"], [(1, "t"), {"k": [1]}, [1, 2]], [{3}], [frozenset("q")]]


def fails_on(what: Any) -> Any:
    def function(record: Any) -> Any:
        if record == what:
            raise ValueError(f"cannot take {what!r}")
        return record

    return function


def stops_early(record: Any) -> Any:
    raise StopIteration("from user code")


def first_two(records: Any) -> Any:
    for _ in range(2):
        value = next(records, None)
        if value is not None:
            yield value


NUMBERS = [list(range(20)), list(range(5)), [5], list(range(3, 3000))]


def stops_at_five(n: int) -> int:
    if n == 5:
        raise StopIteration
    return n


def stops_at_five_twice(n: int) -> list[int]:
    return [n, stops_at_five(n)]


CASES = [
    Case("map", lambda s, _: s.map(len), LINES),
    Case("map-types", lambda s, _: s.map(lambda x: (x, type(x).__name__)), MIXED),
    Case("flatMap", lambda s, _: s.flatMap(str.split), LINES),
    Case("flatMap-none", lambda s, _: s.flatMap(lambda x: []), LINES),
    Case("filter", lambda s, _: s.filter(lambda x: "b" in x), LINES),
    Case("filter-truthy", lambda s, _: s.filter(lambda x: x), LINES),
    Case("mapValues", lambda s, _: s.mapValues(lambda v: v * 2), PAIRS),
    Case("flatMapValues", lambda s, _: s.flatMapValues(range), PAIRS),
    Case("mapPartitions", lambda s, _: s.mapPartitions(lambda it: [sum(1 for _ in it)]), LINES),
    Case("mapPartitions-lazy", lambda s, _: s.mapPartitions(first_two), LINES),
    Case(
        "mapPartitionsWithIndex",
        lambda s, _: s.mapPartitionsWithIndex(lambda i, it: [(i, list(it))]),
        LINES,
    ),
    Case(
        "mapPartitionsWithIndex-union",
        lambda s, _: s.union(s).mapPartitionsWithIndex(lambda i, it: [(i, list(it))]),
        LINES,
    ),
    Case("glom", lambda s, _: s.glom(), LINES),
    Case("union", lambda s, _: s.union(s.map(str.upper)), LINES),
    Case("union-self", lambda s, _: s.union(s), LINES),
    Case("union-other", lambda s, ssc: s.union(ssc.queueStream([["x"], ["y"]])), LINES),
    Case(
        "ssc-union",
        lambda s, ssc: ssc.union(s, ssc.queueStream([["x"], ["y"]]), ssc.queueStream([["z"]])),
        LINES,
    ),
    Case("chain", lambda s, _: s.flatMap(str.split).map(len).filter(lambda n: n > 2), LINES),
    Case("fails", lambda s, _: s.map(fails_on("that is")), LINES),
    Case("fails-before", lambda s, _: s.map(fails_on("that is")).map(len).filter(bool), LINES),
    Case("fails-int", lambda s, _: s.map(int), [["1"], ["2", "two"], ["3"]]),
    Case("fails-in-mapPartitions", lambda s, _: s.mapPartitions(lambda it: 1 / 0), LINES),
    Case("stop-iteration", lambda s, _: s.map(stops_early), [["x"]]),
    Case("stop-iteration-values", lambda s, _: s.mapValues(stops_early), PAIRS),
    Case("stop-in-the-middle-glom", lambda s, _: s.map(stops_at_five).glom(), NUMBERS),
    Case("stop-in-the-middle-flatMap", lambda s, _: s.flatMap(stops_at_five_twice).glom(), NUMBERS),
    Case("stop-in-the-middle-filter", lambda s, _: s.filter(stops_at_five).glom(), NUMBERS),
    Case(
        "stop-in-the-middle-reduce",
        lambda s, _: s.map(stops_at_five).map(lambda n: (n % 3, 1)).reduceByKey(operator.add),
        NUMBERS,
    ),
    Case(
        "stop-in-the-middle-group",
        lambda s, _: (
            s.map(stops_at_five).map(lambda n: (n % 3, 1)).groupByKey().mapValues(lambda v: len(v))
        ),
        NUMBERS,
    ),
    Case(
        "stop-in-the-middle-values",
        lambda s, _: s.map(lambda n: (n, n)).mapValues(stops_at_five).partitionBy(2),
        NUMBERS,
    ),
    Case("stop-in-the-middle-window", lambda s, _: s.map(stops_at_five).window(2, 1), NUMBERS),
    Case("stop-in-the-middle-count", lambda s, _: s.map(stops_at_five).count(), NUMBERS),
    Case("many", lambda s, _: s.map(lambda x: x * 2), [list(range(30_000)), [], list(range(11))]),
    Case("large", lambda s, _: s.map(len), [["x" * 300_000] * 9, ["y" * 3_000_000]]),
    Case("cache", lambda s, _: s.map(len).cache().map(str), LINES),
    Case("persist", lambda s, _: s.persist(StorageLevel.DISK_ONLY).map(len).persist(MEMORY), LINES),
    Case("checkpoint", lambda s, _: s.map(len).checkpoint(2).map(str), LINES),
    Case(
        "preserves", lambda s, _: s.map(len, True).flatMap(range, preservesPartitioning=True), LINES
    ),
    Case("itemgetter", lambda s, _: s.map(operator.itemgetter(0)), PAIRS),
]

engines = engines_for(CASES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(case: Case, engines: Engines) -> None:
    engines.check(case)
