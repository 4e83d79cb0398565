"""Which item of a queue a batch gets, where outputs leave out some of its batches."""

from __future__ import annotations

from operator import add, sub
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.graph.demand import OutputDemand
from tests.support.streaming.differential import Case, all_but
from tests.support.streaming.engines import Engines, engines_for

BATCHES: list[list[Any]] = [[(f"k{i % 3}", i)] for i in range(1, 30)]


def total(new: list[int], old: int | None) -> int:
    return sum(new) + (old or 0)


def first_of(rdds: Any) -> Any:
    return rdds[0].union(rdds[1])


def slower(s: Any) -> Any:
    return s.window(2, 3)


def other(ssc: Any) -> Any:
    return ssc.queueStream([[(f"k{i % 3}", -i)] for i in range(1, 30)])


BUILDS: dict[str, Any] = {
    "window": lambda s, _: s.window(2, 3),
    "window-of-window": lambda s, _: s.window(1, 2).window(2, 4),
    "window-of-window-of-all": lambda s, _: s.window(3, 1).window(2, 4),
    "long-window-late": lambda s, _: s.window(5, 3),
    "reduce": lambda s, _: s.reduceByKeyAndWindow(add, None, 2, 3),
    "inverse-unused": lambda s, _: s.reduceByKeyAndWindow(add, sub, 2, 3),
    "inverse-used": lambda s, _: s.reduceByKeyAndWindow(add, sub, 10, 2),
    "inverse-behind-a-gap": lambda s, _: s.window(1, 2).reduceByKeyAndWindow(add, sub, 20, 4),
    "gap-behind-an-inverse": lambda s, _: s.reduceByKeyAndWindow(add, sub, 5, 1).window(1, 3),
    "gap-behind-state": lambda s, _: s.updateStateByKey(total).window(1, 3),
    "state-behind-a-gap": lambda s, _: s.window(1, 3).updateStateByKey(total),
    "count": lambda s, _: s.countByWindow(2, 3),
    "values": lambda s, _: s.countByValueAndWindow(2, 3),
    "groups": lambda s, _: s.groupByKeyAndWindow(2, 3).mapValues(list),
    "union": lambda s, ssc: slower(s).union(slower(other(ssc))),
    "two-windows": lambda s, ssc: ssc.union(s.window(1, 4), s.window(3, 4)),
    "two-windows-swapped": lambda s, ssc: ssc.union(s.window(3, 4), s.window(1, 4)),
    "slower-with-faster": lambda s, ssc: slower(s).transformWith(
        lambda a, b: a.union(b), other(ssc)
    ),
    "slides-that-meet-late": lambda s, ssc: other(ssc).window(1, 4).fullOuterJoin(s.window(1, 3)),
    "state-that-catches-up": lambda s, ssc: (
        other(ssc).window(1, 4).join(s.window(3, 3).updateStateByKey(total))
    ),
    "joined": lambda s, ssc: slower(s).join(other(ssc)),
    "transform-of-several": lambda s, ssc: ssc.transform([slower(s), slower(other(ssc))], first_of),
    "behind-transform": lambda s, _: slower(s.transform(lambda rdd: rdd.map(str))),
}

CASES = [
    Case(name, build, BATCHES, partitions=False, intervals=13) for name, build in BUILDS.items()
]
RARE = """
window-of-window-of-all long-window-late reduce inverse-unused inverse-behind-a-gap
gap-behind-an-inverse state-behind-a-gap count values groups two-windows-swapped
slower-with-faster joined transform-of-several
"""
CASES = all_but(RARE, CASES)
engines = engines_for(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(case: Case, engines: Engines) -> None:
    engines.check(case)


def test_places(sc: SparkContext) -> None:
    ssc = StreamingContext(sc, 1)
    stream = ssc.queueStream([[1]])
    stream.window(2, 3).pprint()
    demand = OutputDemand(ssc._graph, stream._node)
    places = [demand.place(1000 * n, 99) for n in range(1, 10)]
    assert places == [None, 0, 1, None, 2, 3, None, 4, 5]
    again = OutputDemand(ssc._graph, stream._node)
    places = [again.place(1000 * n, 99) for n in (8, 9, 10)]
    assert places == [4, 5, None], "a recovery begins later"
    few = OutputDemand(ssc._graph, stream._node)
    assert few.place(365 * 86_400_000, 3) == 3
    assert few._now < 10_000, "outputs are not followed behind the last item"
    assert [few.place(1000 * n, 3) for n in (2, 3, 5, 6)] == [0, 1, 2, 3]
    ssc.stop(stopSparkContext=False)


def test_windows_that_are_needed_in_another_order(sc: SparkContext) -> None:
    """What a later output needs of earlier batches is computed after what an earlier one needs."""
    ssc = StreamingContext(sc, 1)
    stream = ssc.queueStream([[1]])
    stream.window(1, 3).pprint()
    stream.window(3, 3).pprint()
    demand = OutputDemand(ssc._graph, stream._node)
    assert [demand.place(1000 * n, 99) for n in range(1, 7)] == [1, 2, 0, 4, 5, 3]
    ssc.stop(stopSparkContext=False)
