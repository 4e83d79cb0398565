"""window and reduceByKeyAndWindow, against DStreams."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from tests.support.streaming.differential import Case, all_but
from tests.support.streaming.engines import Engines, engines_for
from tests.support.streaming.partitions import with_other_partitions

PAIRS: list[list[Any]] = [
    [("a", 1), ("b", 2), ("a", 3)],
    [("a", 10)],
    [],
    [("c", 5), ("b", -2)],
    [],
    [("a", 7), ("d", 1), ("d", 1)],
    [],
]
N = 12


def boom_on_c(pair: Any) -> Any:
    if pair[0] == "c":
        raise KeyError("c is not allowed")
    return pair


def case(name: str, build: Any, **more: Any) -> Case:
    return Case(name, build, PAIRS, intervals=N, **more)


def values(stream: Any) -> Any:
    return stream.map(lambda pair: pair[1])


add, sub = operator.add, operator.sub

CASES = [
    case("window", lambda s, _: s.window(3)),
    case("window-one", lambda s, _: s.window(1, 1)),
    case("window-slide", lambda s, _: s.window(4, 2)),
    # The second output makes DStreams take a queue item in each interval, window or not.
    case("window-slide-longer", lambda s, _: s.foreachRDD(lambda rdd: None) or s.window(2, 3)),
    case("window-float", lambda s, _: s.window(2.0, 2.0)),
    case("window-of-window", lambda s, _: s.window(2, 2).window(4, 2)),
    case("window-then-reduce", lambda s, _: s.window(3, 1).reduceByKey(add)),
    case("reduce-then-window", lambda s, _: s.reduceByKey(add).window(3, 1)),
    case("window-count", lambda s, _: s.window(2, 1).count()),
    case(
        "window-mapPartitions", lambda s, _: s.window(2, 1).mapPartitions(lambda i: [len(list(i))])
    ),
    case("no-inverse", lambda s, _: s.reduceByKeyAndWindow(add, None, 3, 1)),
    case("no-inverse-slide", lambda s, _: s.reduceByKeyAndWindow(add, None, 4, 2)),
    case(
        "no-inverse-filter",
        lambda s, _: s.reduceByKeyAndWindow(add, None, 3, 1, 2, lambda kv: False),
    ),
    case("inverse-used", lambda s, _: s.reduceByKeyAndWindow(add, sub, 5, 1)),
    case("inverse-used-slide", lambda s, _: s.reduceByKeyAndWindow(add, sub, 10, 2)),
    case("inverse-not-used", lambda s, _: s.reduceByKeyAndWindow(add, sub, 4, 1)),
    case(
        "inverse-filter", lambda s, _: s.reduceByKeyAndWindow(add, sub, 5, 1, 2, lambda kv: kv[1])
    ),
    case(
        "inverse-not-used-filter",
        lambda s, _: s.reduceByKeyAndWindow(add, sub, 3, 1, 2, lambda kv: kv[1] > 2),
    ),
    case("inverse-partitions", lambda s, _: s.reduceByKeyAndWindow(add, sub, 5, 1, 3)),
    case("inverse-six", lambda s, _: s.reduceByKeyAndWindow(add, sub, 6, 1)),
    case(
        "window-of-inverse",
        lambda s, _: s.reduceByKeyAndWindow(add, sub, 5, 1).window(2, 2),
    ),
    case("inverse-of-window", lambda s, _: s.window(2, 1).reduceByKeyAndWindow(add, sub, 5, 1)),
    case("countByWindow", lambda s, _: s.countByWindow(3, 1)),
    case("countByWindow-inverse", lambda s, _: s.countByWindow(5, 1)),
    case("reduceByWindow-inverse", lambda s, _: values(s).reduceByWindow(add, sub, 5, 1)),
    case("reduceByWindow-unused", lambda s, _: values(s).reduceByWindow(add, sub, 3, 1)),
    case("no-inverse-tumbling", lambda s, _: s.reduceByKeyAndWindow(add, None, 2, 2)),
    case("no-slide", lambda s, _: s.window(2, 2).reduceByKeyAndWindow(add, sub, 10)),
    case("longer-than-the-run", lambda s, _: s.window(60, 2).countByValue()),
    case("window-of-union", lambda s, _: s.union(s.mapValues(abs)).window(2, 1)),
    case("union-of-windows", lambda s, _: s.window(2, 2).union(s.window(4, 2))),
    case("reduceByWindow", lambda s, _: s.map(lambda kv: kv[1]).reduceByWindow(max, None, 3, 2)),
    case("countByValueAndWindow", lambda s, _: s.countByValueAndWindow(6, 1)),
    case("countByValueAndWindow-3", lambda s, _: s.countByValueAndWindow(2, 2, 3)),
    case(
        "groupByKeyAndWindow",
        lambda s, _: s.groupByKeyAndWindow(3, 1).mapValues(lambda values: sorted(values)),
    ),
    case(
        "groupByKeyAndWindow-inverse",
        lambda s, _: s.groupByKeyAndWindow(5, 1, 3).mapValues(lambda values: sorted(values)),
    ),
    case("fails-then-recovers", lambda s, _: s.map(boom_on_c).window(3, 1)),
    case("fails-no-inverse", lambda s, _: s.map(boom_on_c).reduceByKeyAndWindow(add, None, 3, 1)),
    case("fails-inverse", lambda s, _: s.map(boom_on_c).reduceByKeyAndWindow(add, sub, 5, 1)),
]

RARE = """
window-one window-float window-then-reduce reduce-then-window window-count no-inverse-slide
no-inverse-filter inverse-used-slide inverse-not-used inverse-not-used-filter
inverse-partitions inverse-six inverse-of-window countByWindow-inverse reduceByWindow-unused
no-inverse-tumbling no-slide longer-than-the-run window-of-union countByValueAndWindow-3
groupByKeyAndWindow-inverse fails-no-inverse
"""
CASES = all_but(RARE, CASES)
engines = engines_for(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(case: Case, engines: Engines) -> None:
    engines.check(case)


test_same_with_other_numbers_of_partitions = with_other_partitions(CASES)
