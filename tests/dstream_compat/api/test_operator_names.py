"""An operator that is made of others goes by the name that the user called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.plan.compile import compile_graph
from dstream_compat.spark.query_names import query_name

CASES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "count": (lambda pairs: pairs.count(), "count"),
    "reduce": (lambda pairs: pairs.reduce(max), "reduce"),
    "countByValue": (lambda pairs: pairs.countByValue(), "countByValue"),
    "reduceByKey": (lambda pairs: pairs.reduceByKey(max), "reduceByKey"),
    "combineByKey": (lambda pairs: pairs.combineByKey(str, max, max), "combineByKey"),
    "groupByKey": (lambda pairs: pairs.groupByKey(), "groupByKey"),
    "cogroup": (lambda pairs: pairs.cogroup(pairs), "cogroup"),
    "leftOuterJoin": (lambda pairs: pairs.leftOuterJoin(pairs), "leftOuterJoin"),
    "countByWindow": (lambda pairs: pairs.countByWindow(6, 1), "countByWindow"),
    "reduceByWindow": (lambda pairs: pairs.reduceByWindow(max, None, 2, 1), "reduceByWindow"),
    "countByValueAndWindow": (
        lambda pairs: pairs.countByValueAndWindow(6, 1),
        "countByValueAndWindow",
    ),
    "groupByKeyAndWindow": (lambda pairs: pairs.groupByKeyAndWindow(6, 1), "groupByKeyAndWindow"),
    "reduceByKeyAndWindow": (
        lambda pairs: pairs.reduceByKeyAndWindow(max, None, 6, 1),
        "reduceByKeyAndWindow",
    ),
    "once each": (
        lambda pairs: pairs.map(tuple).map(tuple).count().count().map(str),
        "map -> map -> count -> count -> map",
    ),
    "behind a composed one": (
        lambda pairs: pairs.countByWindow(6, 1).map(str).reduceByKey(max),
        "countByWindow -> map -> reduceByKey",
    ),
}


@pytest.fixture
def ssc(sc: SparkContext) -> Iterator[StreamingContext]:
    context = StreamingContext(sc, 1)
    yield context
    context.stop(stopSparkContext=False)


@pytest.mark.parametrize("case", CASES)
def test_query_has_the_names_that_the_user_called(ssc: StreamingContext, case: str) -> None:
    define, name = CASES[case]
    define(ssc.queueStream([[]])).foreachRDD(print)
    [plan] = compile_graph(ssc._graph, 1)
    assert query_name(plan.labels) == f"queueStream -> {name}"


@pytest.mark.parametrize("case", ["countByWindow", "countByValueAndWindow", "groupByKeyAndWindow"])
def test_message_names_what_the_user_called(ssc: StreamingContext, case: str) -> None:
    stream = CASES[case][0](ssc.queueStream([[]]))
    stream.checkpoint(0.5)
    stream.foreachRDD(print)
    with pytest.raises(ValueError, match=f"The checkpoint interval for {case} has been set"):
        ssc.start()


def test_name_is_free_again_after_an_error(ssc: StreamingContext) -> None:
    stream = ssc.queueStream([[]])
    with pytest.raises(ValueError, match="windowDuration"):
        stream.countByWindow(1.5, 1)
    assert stream.map(str)._node.label == "map"


def test_signature_is_that_of_the_method(ssc: StreamingContext) -> None:
    names = inspect.signature(ssc.queueStream([[]]).countByWindow).parameters
    assert list(names) == ["windowDuration", "slideDuration"]
