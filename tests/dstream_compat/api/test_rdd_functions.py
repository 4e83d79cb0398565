"""transform and what may follow it, against DStreams."""

from __future__ import annotations

import operator
from typing import Any

import pytest

from tests.support.streaming.differential import Case
from tests.support.streaming.engines import Engines, engines_for

WORDS = [["a", "b", "a", "c"], ["b"], [], ["d"] * 3 + ["a"]]
PAIRS = [[(w, i) for i, w in enumerate(batch)] for batch in WORDS]


def without_blacklist(ssc: Any) -> Any:
    static = ssc.sparkContext.parallelize([("a", True)])
    return lambda rdd: (
        rdd.map(lambda w: (w, 1))
        .leftOuterJoin(static)
        .filter(lambda kv: not kv[1][1])
        .map(lambda kv: kv[0])
    )


def same_rdd(ssc: Any) -> Any:
    static = ssc.sparkContext.parallelize(range(3), 2).cache()
    return lambda rdd: static


CASES = [
    Case("map", lambda s, _: s.transform(lambda rdd: rdd.map(str.upper)), WORDS),
    Case("default-counts", lambda s, _: s.transform(lambda t, rdd=None: rdd.map(len)), WORDS),
    Case("zip-then-map", lambda s, _: s.transform(lambda rdd: rdd.zipWithIndex()).map(str), WORDS),
    Case("cached", lambda s, _: s.transform(lambda rdd: rdd.map(len).cache()), WORDS),
    Case("static-each-time", lambda s, ssc: s.transform(same_rdd(ssc)), WORDS),
    Case("time", lambda s, _: s.transform(lambda t, rdd: rdd.map(lambda x: (t, x))), WORDS),
    Case("sort", lambda s, _: s.transform(lambda rdd: rdd.sortByKey(ascending=False)), PAIRS),
    Case("empty", lambda s, ssc: s.transform(lambda rdd: rdd.context.emptyRDD()), WORDS),
    Case(
        "static",
        lambda s, ssc: s.transform(lambda rdd: ssc.sparkContext.parallelize([1, 2], 2)),
        WORDS,
    ),
    Case("blacklist", lambda s, ssc: s.transform(without_blacklist(ssc)), WORDS),
    Case(
        "then-map",
        lambda s, _: s.transform(lambda rdd: rdd.distinct()).map(lambda w: (w, 1)),
        WORDS,
    ),
    Case(
        "then-reduce",
        lambda s, _: s.transform(lambda rdd: rdd.map(lambda w: (w, 1))).reduceByKey(
            operator.add, 3
        ),
        WORDS,
    ),
    Case("then-count", lambda s, _: s.transform(lambda rdd: rdd.distinct()).count(), WORDS),
    Case("then-union", lambda s, _: s.transform(lambda rdd: rdd.map(str.upper)).union(s), WORDS),
    Case(
        "then-transform",
        lambda s, _: s.transform(lambda r: r.map(len)).transform(lambda r: r.map(str)),
        WORDS,
    ),
    Case(
        "after-reduce", lambda s, _: s.reduceByKey(max).transform(lambda r: r.mapValues(str)), PAIRS
    ),
    Case("after-window", lambda s, _: s.window(2, 2).transform(lambda r: r.mapValues(str)), PAIRS),
    Case(
        "repartition-after",
        lambda s, _: s.transform(lambda r: r).repartition(3).glom().count(),
        WORDS,
    ),
    Case("partitionBy-after", lambda s, _: s.transform(lambda r: r).partitionBy(3), PAIRS),
    Case(
        "ssc-transform-tuple",
        lambda s, ssc: ssc.transform(
            [s, s], lambda rdds: rdds[0].context.parallelize([type(rdds).__name__, len(rdds)], 1)
        ),
        WORDS,
    ),
    Case(
        "ssc-transform",
        lambda s, ssc: ssc.transform([s, s.map(len)], lambda rdds: rdds[0].map(len).union(rdds[1])),
        WORDS,
    ),
]

engines = engines_for(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(case: Case, engines: Engines) -> None:
    engines.check(case)
