"""Exceptions that are no ``Exception``, as asyncio's, gevent's and those of Rust are."""

from __future__ import annotations

from typing import Any

import pytest

from dstream_compat import StreamingContext
from dstream_compat.exceptions import BatchFailedError
from tests.support.streaming.contexts import MakeContext, advance
from tests.support.streaming.differential import Case, Recorder, all_but
from tests.support.streaming.engines import Engines, engines_for

pytestmark = pytest.mark.slow


class HastyExit(BaseException):
    """Ends a function."""

    __module__ = "__main__"  # tracebacks name it without a module


def hasty(record: Any) -> Any:
    if record == "b":
        raise HastyExit("too late")
    return record


def hasty_total(new: list[Any], old: int | None) -> int:
    if len(new) > 2:
        raise HastyExit("too many")
    return len(new) + (old or 0)


BATCHES = [["a"], ["b"], ["c"], ["d"]]
PAIRS = [[("a", 1)], [("a", 1)] * 2, [("a", 1)] * 3, []]
CASES = [
    Case("map", lambda s, _: s.map(hasty), BATCHES),
    Case("two-readers", lambda s, _: s.map(hasty).union(s.map(hasty).map(str)), BATCHES),
    Case("behind", lambda s, _: s.transform(lambda rdd: rdd.map(hasty)), BATCHES),
    Case("window", lambda s, _: s.map(hasty).window(2, 1), BATCHES),
    Case(
        "shuffle", lambda s, _: s.map(lambda x: (hasty(x), 1)).groupByKey(1).mapValues(len), BATCHES
    ),
    Case("state", lambda s, _: s.updateStateByKey(hasty_total), PAIRS),
]
CASES = all_but("two-readers behind window", CASES)
engines = engines_for(CASES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(engines: Engines, case: Case) -> None:
    engines.check(case)
    assert any("HastyExit" in str(batch) for batch in engines.real[case.name].batches.values())


@pytest.mark.parametrize("where", ["output", "transform"])
def test_a_function_of_the_driver(make: MakeContext, where: str) -> None:
    """Its batch fails, the next one runs."""
    ssc, recorder = make(), Recorder()
    words = ssc.queueStream([["b"], ["a"]])

    def look(rdd: Any) -> Any:
        hasty(rdd.first())
        return rdd

    if where == "output":
        words.foreachRDD(look)
    else:
        words.transform(look).foreachRDD(recorder.output("behind"))
    words.foreachRDD(recorder.output("words"))
    words.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc, 2)
    recorder.wait(2)
    with pytest.raises(BatchFailedError, match="HastyExit: too late"):
        ssc.awaitTermination()
    assert StreamingContext.getActive() is ssc
    expected = [2.0] if where == "transform" else [1.0, 2.0]
    assert list(recorder.outcomes["words"].batches) == expected


def test_an_interval_without_outputs(make: MakeContext, caplog: pytest.LogCaptureFixture) -> None:
    """A function fails in an interval whose outputs are not due: the state knows, at once."""
    ssc, recorder = make(), Recorder()
    pairs = ssc.queueStream([["b"], ["a"], ["a"], ["a"]])

    def look(rdd: Any) -> Any:
        return rdd.context.parallelize([(hasty(rdd.first()), 1)])

    totals = pairs.transform(look).updateStateByKey(hasty_total).window(2, 2)
    totals.foreachRDD(recorder.output("totals"))
    totals.foreachRDD(recorder.last())
    ssc.start()
    advance(ssc)
    assert ssc._job is not None
    ssc._job.scheduler.await_committed(1000, lambda: None)  # a micro-batch of its own
    advance(ssc)
    recorder.wait(2)
    assert recorder.outcomes["totals"].batches[2.0] == "error: HastyExit: too late"
    assert "running the batch again" not in caplog.text
