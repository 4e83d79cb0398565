"""Operators that shuffle one batch by key, against DStreams."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from tests.support.streaming.differential import Case, all_but
from tests.support.streaming.engines import Engines, engines_for
from tests.support.streaming.partitions import with_other_partitions

WORDS = [["a", "b", "a", "c"], ["b"], [], ["d"] * 7 + ["a"]]
PAIRS = [[(w, i) for i, w in enumerate(batch)] for batch in WORDS]
KEYS: list[list[Any]] = [
    [(None, 1), (1, 2), (1.0, 3), (True, 4), ("1", 5), (b"1", 6), ((1, None), 7), ((1, None), 8)],
    [(0, "zero"), (False, "false"), (0.0, "float"), (-1, "minus"), ("żółć", "u"), (2**70, "big")],
    [(frozenset((1, 2)), 1), (frozenset((2, 1)), 2), (("a", ("b", 1)), 3)],
]


def boom(a: int, b: int) -> int:
    raise RuntimeError("no sum today")


def listed(s: Any) -> Any:
    return s.mapValues(lambda values: sorted(values, key=repr))


CASES = [
    Case("reduceByKey", lambda s, _: s.reduceByKey(operator.add), PAIRS),
    Case("reduceByKey-3", lambda s, _: s.reduceByKey(operator.add, 3), PAIRS),
    Case("reduceByKey-1", lambda s, _: s.reduceByKey(operator.add, 1), PAIRS),
    Case("reduceByKey-max", lambda s, _: s.reduceByKey(max), PAIRS),
    Case("word-count", lambda s, _: s.map(lambda w: (w, 1)).reduceByKey(operator.add), WORDS),
    Case("count", lambda s, _: s.count(), WORDS),
    Case("count-after-shuffle", lambda s, _: s.reduceByKey(operator.add).count(), PAIRS),
    Case("count-filtered", lambda s, _: s.filter(lambda w: w == "zzz").count(), WORDS),
    Case("reduce", lambda s, _: s.reduce(operator.add), WORDS),
    Case("groupByKey", lambda s, _: listed(s.groupByKey()), PAIRS),
    Case("groupByKey-types", lambda s, _: listed(s.groupByKey(4)), KEYS, intervals=4),
    Case(
        "groupByKey-iterable",
        lambda s, _: s.groupByKey().mapValues(
            lambda values: (type(values).__name__, len(values), sorted(values), max(values))
        ),
        PAIRS,
    ),
    Case("groupByKey-5", lambda s, _: listed(s.groupByKey(5)), PAIRS),
    Case("countByValue", lambda s, _: s.countByValue(), WORDS),
    Case(
        "combineByKey",
        lambda s, _: s.combineByKey(
            lambda v: (v, 1),
            lambda c, v: (c[0] + v, c[1] + 1),
            lambda a, b: (a[0] + b[0], a[1] + b[1]),
        ),
        PAIRS,
    ),
    Case("partitionBy", lambda s, _: s.partitionBy(3), PAIRS),
    Case("partitionBy-default", lambda s, _: s.partitionBy(None), PAIRS),
    Case("partitionBy-negative", lambda s, _: s.partitionBy(3, lambda k: -ord(k)), PAIRS),
    Case("partitionBy-twice", lambda s, _: s.partitionBy(3).partitionBy(2), PAIRS),
    Case("partitionBy-types", lambda s, _: s.partitionBy(4), KEYS, intervals=4),
    Case("partitionBy-func", lambda s, _: s.partitionBy(3, lambda k: ord(k)), PAIRS),
    Case(
        "two-shuffles",
        lambda s, _: (
            s.reduceByKey(operator.add).map(lambda kv: (kv[1] % 2, 1)).reduceByKey(operator.add)
        ),
        PAIRS,
    ),
    Case(
        "union-of-shuffles",
        lambda s, _: s.reduceByKey(operator.add).union(s.reduceByKey(max)),
        PAIRS,
    ),
    Case("shuffle-of-union", lambda s, _: s.union(s).reduceByKey(operator.add), PAIRS),
    Case(
        "union-across-layers",
        lambda s, _: (
            s.reduceByKey(operator.add)
            .reduceByKey(max)
            .union(s.map(lambda kv: kv))
            .reduceByKey(operator.add)
        ),
        PAIRS,
    ),
    Case(
        "repartition-sizes",
        lambda s, _: s.repartition(3).mapPartitions(lambda it: [1 for _ in [0]]),
        WORDS,
    ),
    Case("repartition", lambda s, _: s.repartition(3), WORDS, partitions=False),
    Case("fails", lambda s, _: s.reduceByKey(boom), PAIRS),
    Case("fails-downstream", lambda s, _: s.reduceByKey(boom).map(str).count(), PAIRS),
    Case("unhashable", lambda s, _: s.map(lambda w: ([w], 1)).reduceByKey(operator.add), WORDS),
    Case("not-a-pair", lambda s, _: s.map(lambda w: (w, 1, 2)).reduceByKey(operator.add), [["x"]]),
    Case(
        "many-keys",
        lambda s, _: s.flatMap(lambda n: ((i % 9973, 1) for i in range(n))).reduceByKey(
            operator.add
        ),
        [[30_000, 20_000], [10]],
    ),
]

RARE = """
reduceByKey-3 reduceByKey-1 reduceByKey-max count-after-shuffle count-filtered groupByKey-5
partitionBy-default partitionBy-twice partitionBy-func union-of-shuffles union-across-layers
repartition-sizes fails-downstream
"""
CASES = all_but(RARE, CASES)
engines = engines_for(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(case: Case, engines: Engines) -> None:
    engines.check(case)


test_same_with_other_numbers_of_partitions = with_other_partitions(CASES)
