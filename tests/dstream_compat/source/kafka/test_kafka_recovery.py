"""Direct streams of jobs that are stopped and recovered."""

from __future__ import annotations

import ast
import time
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat import StreamingContext
from dstream_compat.kafka import KafkaUtils
from dstream_compat.testing import ManualClock
from tests.support.components.kafka import Broker
from tests.support.streaming.kafka_fixtures import *  # noqa: F403
from tests.support.streaming.kafka_params import params
from tests.support.streaming.settings import setting
from tests.support.streaming.stepwise import DEADLINE

pytestmark = pytest.mark.slow

TOTALS: list[list[tuple[str, int]]] = []


def keep_totals(rdd: Any) -> None:
    TOTALS.append(sorted(rdd.collect()))


@pytest.mark.parametrize("rebuild", [False, True], ids=["", "rebuilt"])
@pytest.mark.full
def test_initial_state_of_a_job_that_ended_before_its_first_batch(
    kafka_sc: SparkContext, broker: Broker, topic: str, tmp_path: Path, rebuild: bool
) -> None:
    """Today's code may have another step in front of the state."""
    TOTALS.clear()
    lives: list[None] = []

    def setup() -> StreamingContext:
        ssc = StreamingContext(kafka_sc, 1)
        ssc.checkpoint(str(tmp_path))
        stream = KafkaUtils.createDirectStream(ssc, [topic], params(broker))
        pairs = stream.map(lambda x: (x[1], 1))
        pairs = pairs.map(tuple) if lives else pairs
        totals = pairs.updateStateByKey(
            lambda new, old: sum(new) + (old or 0), initialRDD=[("a", 10)]
        )
        totals.foreachRDD(keep_totals)
        return ssc

    StreamingContext.getOrCreate(str(tmp_path), setup).start()
    StreamingContext.getActive().stop(stopSparkContext=False)
    broker.send(topic, [(None, b"a", 0), (None, b"b", 1)])
    lives.append(None)
    with setting(kafka_sc, "spark.streaming.compat.rebuildGraph", str(rebuild).lower()):
        ssc = StreamingContext.getOrCreate(str(tmp_path), setup)
        ssc.start()
    try:
        ManualClock(ssc).advance(1)
        until = time.monotonic() + DEADLINE
        while not TOTALS and time.monotonic() < until:
            ssc.awaitTerminationOrTimeout(0.05)
    finally:
        ssc.stop(stopSparkContext=False)
    assert TOTALS[0] == [("a", 11), ("b", 1)]


def test_state_goes_on_in_the_next_context(
    kafka_sc: SparkContext, broker: Broker, topic: str, tmp_path: Path
) -> None:
    """The graph of a direct stream is saved and restored with its offsets and its state."""
    totals = tmp_path / "totals"
    arguments = [broker.address, topic, str(tmp_path / "checkpoint"), str(totals)]
    from tests.support.streaming.jobs import kafka_totals

    broker.send(topic, [(b"a", b"1", 0), (b"b", b"2", 1)])
    kafka_totals.run(kafka_sc, *arguments, [1, 2])
    broker.send(topic, [(b"a", b"10", 0)])
    kafka_totals.run(kafka_sc, *arguments, [2])
    # a batch that was running at the stop is processed again, with the same result
    lines = sorted(set(totals.read_text().splitlines()))
    before = [("a", 1), ("b", 2)]
    assert [ast.literal_eval(line) for line in lines] == [
        *[(second * 1000, before, [1, 1]) for second in (1, 2, 3)],
        (4000, before, [1, 1]),  # its time is that of the wall clock, behind all intervals
        (5000, [("a", 11), ("b", 2)], [2, 1]),
    ]
