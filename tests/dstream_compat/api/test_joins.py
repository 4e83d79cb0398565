"""cogroup, joins and transformWith, against DStreams."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.streaming.differential import Case, all_but
from tests.support.streaming.engines import Engines, engines_for
from tests.support.streaming.partitions import with_other_partitions

LEFT: list[list[Any]] = [[("a", 1), ("b", 2), ("a", 3)], [("c", 4)], [], [("d", 5), (None, 6)]]
RIGHT: list[list[Any]] = [
    [("a", "x"), ("c", "y")],
    [("c", "z"), ("c", "w")],
    [("e", "v")],
    [(None, 0)],
]


def case(name: str, build: Any) -> Case:
    def with_right(left: Any, ssc: Any) -> Any:
        right = ssc.queueStream(RIGHT)
        for stream in (left, right):
            # Else DStreams take an item only in intervals in which a batch wants it.
            stream.foreachRDD(lambda rdd: None)
        return build(left, right)

    return Case(name, with_right, LEFT)


def sorted_groups(groups: Any) -> Any:
    return tuple(sorted(group, key=repr) for group in groups)


def kinds(groups: Any) -> Any:
    return type(groups).__name__, [(type(group).__name__, len(group)) for group in groups]


CASES = [
    case("join", lambda a, b: a.join(b)),
    case("join-3", lambda a, b: a.join(b, 3)),
    case("leftOuterJoin", lambda a, b: a.leftOuterJoin(b)),
    case("rightOuterJoin", lambda a, b: a.rightOuterJoin(b)),
    case("fullOuterJoin", lambda a, b: a.fullOuterJoin(b, 1)),
    case("cogroup", lambda a, b: a.cogroup(b).mapValues(sorted_groups)),
    case("cogroup-iterables", lambda a, b: a.cogroup(b).mapValues(kinds)),
    case("join-self", lambda a, b: a.join(a)),
    case("join-of-windows", lambda a, b: a.window(2).join(b.window(3))),
    case("join-with-slower", lambda a, b: a.join(b.window(2, 2))),
    case("join-slower", lambda a, b: a.window(2, 2).leftOuterJoin(b)),
    case("cogroup-of-slides", lambda a, b: a.cogroup(b.window(3, 3)).mapValues(sorted_groups)),
    case("outer-of-slides", lambda a, b: a.window(2, 2).fullOuterJoin(b.window(3, 3), 3)),
    case(
        "transformWith-slower",
        lambda a, b: a.transformWith(lambda x, y: x.union(y), b.window(2, 2)),
    ),
    case(
        "transformWith-slower-of-the-driver",
        lambda a, b: a.transformWith(
            lambda x, y: x.union(y),
            b.window(2, 2).transform(
                lambda rdd: rdd.context.parallelize([("static", rdd.count())])
            ),
        ),
    ),
    case(
        "slower-transformWith",
        lambda a, b: a.window(2, 2).transformWith(lambda x, y: x.cogroup(y).mapValues(len), b),
    ),
    case("join-then-reduce", lambda a, b: a.join(b).map(lambda kv: (kv[0], 1)).reduceByKey(max)),
    case("transformWith", lambda a, b: a.transformWith(lambda x, y: x.union(y), b)),
    case("transformWith-default", lambda a, b: a.transformWith(lambda t, x, y=None: y, b)),
    case("transformWith-keep", lambda a, b: a.transformWith(lambda x, y: y.map(str), b, True)),
    case(
        "transformWith-time",
        lambda a, b: a.transformWith(lambda t, x, y: x.map(lambda kv: (t, kv)), b),
    ),
    case(
        "join-of-states",
        lambda a, b: a.updateStateByKey(lambda new, old: (old or 0) + len(new)).join(
            b.updateStateByKey(lambda new, old: (old or 0) + 10 * len(new))
        ),
    ),
]

RARE = """
join-3 join-self join-slower cogroup-of-slides transformWith-slower
transformWith-slower-of-the-driver slower-transformWith transformWith-keep
"""
CASES = all_but(RARE, CASES)
engines = engines_for(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(case: Case, engines: Engines) -> None:
    engines.check(case)


test_same_with_other_numbers_of_partitions = with_other_partitions(CASES)
