"""Waiting for the end of a context that is not started yet, or could not be."""

from __future__ import annotations

import threading

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.exceptions import StreamingStateError
from tests.support.streaming.contexts import MakeContext
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.settings import setting

pytestmark = pytest.mark.slow


def test_waiting_begins_before_the_start(make: MakeContext) -> None:
    """As a program does that starts the context in another thread."""
    ssc = make()
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: None)
    ended: list[bool] = []
    waiter = threading.Thread(target=lambda: ended.append(ssc.awaitTerminationOrTimeout(DEADLINE)))
    waiter.start()
    assert ssc.awaitTerminationOrTimeout(0.2) is False, "it waits, and nothing has ended"
    ssc.start()
    assert not ended
    ssc.stop(stopSparkContext=False)
    waiter.join(DEADLINE)
    assert ended == [True]


def test_waiting_for_a_context_that_is_never_started(make: MakeContext) -> None:
    ssc = make()
    ended: list[bool] = []
    waiter = threading.Thread(target=lambda: ended.append(ssc.awaitTerminationOrTimeout(None)))
    waiter.start()
    ssc.stop(stopSparkContext=False)
    waiter.join(DEADLINE)
    assert ended == [True]


def test_a_start_that_failed_is_the_only_one(make: MakeContext) -> None:
    """As with DStreams: what had begun cannot begin again."""
    ssc = make()
    with pytest.raises(StreamingStateError, match="No output operations"):
        ssc.start()
    with pytest.raises(StreamingStateError, match="already been stopped"):
        ssc.start()
    assert StreamingContext.getActive() is None


def test_a_wrong_setting_is_refused_before_anything_runs(
    sc: SparkContext, make: MakeContext
) -> None:
    """Some are read only when the job runs, and its checkpoint would keep the value."""
    ran: list[int] = []
    ssc = make()
    ssc.queueStream([[1]]).foreachRDD(lambda rdd: ran.append(rdd.count()))
    key = "spark.streaming.stopGracefullyOnShutdown"
    with setting(sc, key, "yes"), pytest.raises(ValueError, match=f"{key}=yes is not true or"):
        ssc.start()
    assert ssc._job is None
    assert ran == []
