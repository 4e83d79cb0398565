"""Which partitions unions and windows have: those of streams partitioned alike are merged."""

from __future__ import annotations

from operator import add, sub
from typing import Any

import pytest

from dstream_compat import StreamingContext
from tests.support.streaming.differential import Case
from tests.support.streaming.engines import Engines, engines_for

WORDS = [["a", "b", "a", "c"], ["b"], [], ["d"] * 7 + ["a"], ["e", "f"]]
PAIRS = [[(word, i) for i, word in enumerate(batch)] for batch in WORDS]


def by_length(key: Any) -> int:
    return len(str(key))


def by_first(key: Any) -> int:
    return ord(str(key)[0])


def total(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def sums(s: Any, partitions: int | None = None) -> Any:
    return s.reduceByKey(add, partitions)


def tagged(number: int, records: Any) -> Any:
    return ((number, record) for record in records)


def size(records: Any) -> Any:
    return [sum(1 for _ in records)]


def unchanged(number: int, records: Any) -> Any:
    return records


def first_and_last(s: Any) -> Any:
    """Reduce to what comes first and last; the shuffle reads partition by partition."""
    ends = s.map(lambda kv: (kv[0], (kv[1], kv[1])))
    return ends.reduceByKey(lambda a, b: (a[0], b[1]), 4)


BUILDS: dict[str, Any] = {
    "union": lambda s, _: sums(s).union(s.reduceByKey(max)),
    "union-same-stream-twice": lambda s, _: (lambda t: t.union(t))(sums(s)),
    "union-group": lambda s, _: sums(s, 3).union(s.groupByKey(3).mapValues(len)),
    "union-other-number": lambda s, _: sums(s, 2).union(sums(s, 3)),
    "union-with-source": lambda s, _: sums(s).union(s),
    "union-after-map": lambda s, _: sums(s).map(lambda kv: kv).union(sums(s)),
    "union-after-map-that-keeps": lambda s, _: (
        sums(s).map(lambda kv: (kv[0], 1), preservesPartitioning=True).union(sums(s))
    ),
    "union-after-flatMap-that-keeps": lambda s, _: (
        sums(s).flatMap(lambda kv: [kv, kv], True).union(sums(s))
    ),
    "union-after-mapPartitions-that-keeps": lambda s, _: (
        sums(s).mapPartitions(list, True).union(sums(s))
    ),
    "union-after-values": lambda s, _: (
        sums(s).mapValues(str).union(sums(s).flatMapValues(lambda v: [v, -v]))
    ),
    "union-after-filter": lambda s, _: sums(s).filter(lambda kv: kv[0] != "a").union(sums(s)),
    "union-of-unions": lambda s, _: sums(s).union(s.reduceByKey(max)).union(sums(s)),
    "union-merged-and-not": lambda s, _: sums(s).union(sums(s)).union(s),
    "union-not-and-merged": lambda s, _: s.union(sums(s).union(sums(s))),
    "order-of-sides": lambda s, _: first_and_last(
        sums(s, 2).union(s.mapValues(str).reduceByKey(max, 2)).union(s.partitionBy(2))
    ),
    "order-of-sides-to-the-right": lambda s, _: first_and_last(
        sums(s, 2).union(s.mapValues(str).reduceByKey(max, 2).union(s.partitionBy(2)))
    ),
    "order-of-sides-of-ssc-union": lambda s, ssc: first_and_last(
        ssc.union(
            s.mapValues(str).reduceByKey(max, 2), sums(s, 2).union(s.partitionBy(2)), sums(s, 2)
        )
    ),
    "index-that-keeps": lambda s, _: (
        sums(s, 2).union(sums(s, 2)).mapPartitionsWithIndex(unchanged, True).window(2, 1)
    ),
    "index-that-keeps-union": lambda s, _: (
        sums(s, 2).union(sums(s, 2)).mapPartitionsWithIndex(unchanged, True).union(sums(s, 2))
    ),
    "index-that-keeps-not": lambda s, _: (
        sums(s, 2).union(sums(s, 2)).mapPartitionsWithIndex(unchanged).window(2, 1)
    ),
    "union-of-layers": lambda s, _: sums(s).union(sums(sums(s).map(lambda kv: (kv[0] * 2, 1)))),
    "union-join": lambda s, _: s.join(s, 3).union(s.cogroup(s, 3).mapValues(lambda v: len(v[0]))),
    "union-count": lambda s, _: sums(s).union(sums(s)).count(),
    "union-then-reduce": lambda s, _: sums(sums(s).union(sums(s))),
    "union-partitionBy": lambda s, _: s.partitionBy(3, by_length).union(
        s.partitionBy(3, by_length)
    ),
    "union-other-function": lambda s, _: s.partitionBy(3, by_length).union(
        s.partitionBy(3, by_first)
    ),
    "union-default-function": lambda s, _: s.partitionBy(3).union(sums(s, 3)),
    "union-repartition": lambda s, _: s.repartition(1).union(s.repartition(1)),
    "ssc-union": lambda s, ssc: ssc.union(sums(s), s.reduceByKey(max), sums(s)),
    "ssc-union-mixed": lambda s, ssc: ssc.union(sums(s), s.reduceByKey(max), sums(s, 3)),
    "glom": lambda s, _: sums(s, 2).union(sums(s, 2)).glom().map(len),
    "glom-after-map": lambda s, _: sums(s, 2).union(sums(s, 2)).map(str).glom().map(len),
    "glom-of-mixed": lambda s, _: sums(s, 2).union(sums(s, 2)).union(s).glom().map(len),
    "mapPartitions": lambda s, _: sums(s, 2).union(sums(s, 2)).mapPartitions(size),
    "mapPartitions-then-state": lambda s, _: (
        sums(s, 2).union(sums(s, 2)).mapPartitions(size).map(lambda n: ("n", n))
    ).updateStateByKey(total),
    "mapPartitionsWithIndex": lambda s, _: (
        sums(s, 2).union(sums(s, 2)).mapPartitionsWithIndex(tagged)
    ),
    "window": lambda s, _: sums(s).window(3, 1),
    "window-slide": lambda s, _: sums(s, 3).window(4, 2),
    "window-after-map": lambda s, _: sums(s).map(str).window(2, 1),
    "window-of-window": lambda s, _: sums(s).window(2, 1).window(2, 2),
    "window-of-union": lambda s, _: sums(s).union(sums(s)).window(2, 1),
    "window-of-mixed": lambda s, _: sums(s).union(sums(s)).union(s).window(2, 1),
    "window-glom": lambda s, _: sums(s).window(3, 1).glom().map(len),
    "window-with-index": lambda s, _: sums(s, 3).window(3, 1).mapPartitionsWithIndex(tagged),
    "window-union-shuffle": lambda s, _: sums(s).window(3, 1).union(sums(s)),
    "reduced-window-union": lambda s, _: s.reduceByKeyAndWindow(add, None, 3, 1).union(sums(s)),
    "inverse-window-union": lambda s, _: s.reduceByKeyAndWindow(add, sub, 5, 1).union(sums(s)),
    "inverse-window-window": lambda s, _: s.reduceByKeyAndWindow(add, sub, 5, 1, 3).window(2, 1),
    "state-union-shuffle": lambda s, _: s.updateStateByKey(total).union(sums(s)),
    "state-window": lambda s, _: s.updateStateByKey(total, 3).window(2, 1),
    "driver-union": lambda s, _: sums(
        s.transform(lambda rdd: rdd.map(lambda kv: (kv[0], 2)))
    ).union(sums(s)),
    "driver-union-glom": lambda s, _: (
        sums(s.transform(lambda rdd: rdd)).union(sums(s)).glom().map(len)
    ),
    "driver-unions": lambda s, _: (lambda t: sums(t).union(t.reduceByKey(max)))(
        s.transform(lambda rdd: rdd)
    ),
    "driver-window": lambda s, _: sums(s.transform(lambda rdd: rdd), 3).window(2, 1),
    "union-fails-on-one-side": lambda s, _: (
        sums(s).union(s.mapValues(lambda v: 1 // (v - 3)).reduceByKey(add)).glom().map(len)
    ),
}
CASES = [Case(name, build, PAIRS) for name, build in BUILDS.items()]

engines = engines_for(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.full
def test_same_as_dstreams(case: Case, engines: Engines) -> None:
    engines.check(case)


@pytest.mark.slow
def test_functions_are_alike_only_if_they_are_the_same(sc: Any) -> None:
    """Two lambdas that read alike are two functions, as for DStreams."""
    from dstream_compat.graph.placement import common_placement

    ssc = StreamingContext(sc, 1)
    s = ssc.queueStream([PAIRS[0]])
    one = s.partitionBy(2, lambda key: len(key))
    other = s.partitionBy(2, lambda key: len(key))
    assert common_placement([one._node, one._node]) is not None
    assert common_placement([one._node, other._node]) is None
    assert common_placement([one._node, s._node]) is None
    assert not one.union(other)._node.merged  # type: ignore[attr-defined]
    ssc.stop(False)
