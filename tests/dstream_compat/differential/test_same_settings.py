"""Settings and batch intervals of all kinds, on both engines."""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE, Recorder
from tests.support.streaming.file_runs import both
from tests.support.streaming.files import put
from tests.support.streaming.settings import setting

pytestmark = pytest.mark.slow

MAKERS = (real.StreamingContext, ours.StreamingContext)


def test_how_old_a_file_may_be(sc: SparkContext, tmp_path: Path) -> None:
    """Batches of 5 and 9 s, where files of the last three seconds are looked at."""

    def script(root: Path) -> tuple[str, list[Callable[[], None]]]:
        def early() -> None:
            put(root, "again", 0.5, b"first\n")

        def nothing() -> None:
            pass

        def fifth() -> None:
            put(root, "old", 1.0, b"too old\n")
            put(root, "edge", 2.0, b"just too old\n")
            put(root, "within", 2.5, b"within\n")
            put(root, "new", 4.5, b"new\n")

        def ninth() -> None:
            put(root, "again", 8.5, b"again, long after\n")
            put(root, "new", 8.5, b"again, too early\n")

        return str(root), [early, nothing, nothing, nothing, fifth, *[nothing] * 3, ninth]

    with setting(sc, "spark.streaming.fileStream.minRememberDuration", "3s"):
        found = both(sc, tmp_path, script)
    assert found[0] == ["first"]
    assert found[4] == ["new", "within"]
    assert "again, long after" in found[8]


@pytest.mark.parametrize("interval", [0.01, 0.25, 60])
def test_batch_times_of_any_interval(sc: SparkContext, interval: float) -> None:
    found = []
    step = int(interval * 1000)
    for make in MAKERS:
        ssc, recorder = make(sc, interval), Recorder()
        clock = ManualClock(ssc)
        clock.advance((3 * step + 3) / 1000)
        numbers = ssc.queueStream([[1], [2], [3], [4], [5]])
        numbers.foreachRDD(recorder.output("all"))
        numbers.window(3 * interval, 2 * interval).foreachRDD(recorder.output("windows"))
        numbers.foreachRDD(recorder.last())
        ssc.start()
        try:
            for number in range(1, 6):
                clock.advance(step / 1000)
                recorder.wait((3 + number) * step / 1000)
        finally:
            ssc.stop(stopSparkContext=False)
        found.append(
            {
                name: {
                    at: sorted(chain.from_iterable(parts)) for at, parts in outcome.batches.items()
                }
                for name, outcome in recorder.outcomes.items()
            }
        )
    assert found[1] == found[0]
    assert [*found[1]["all"]] == [(3 + number) * step / 1000 for number in range(1, 6)]
    assert found[1]["windows"] == {5 * step / 1000: [1, 2], 7 * step / 1000: [2, 3, 4]}


@pytest.mark.parametrize("make", MAKERS, ids=["real", "ours"])
def test_two_outputs_of_a_batch_at_once(sc: SparkContext, make: Any) -> None:
    meeting = threading.Barrier(2, timeout=DEADLINE)
    recorder = Recorder()
    met: list[Any] = []

    def meet(rdd: Any) -> None:
        records = sorted(rdd.collect())
        meeting.wait()
        met.append(records)

    with setting(sc, "spark.streaming.concurrentJobs", "2"):
        ssc = make(sc, 1)
        numbers = ssc.queueStream([[1, 2], [3]])
        numbers.foreachRDD(meet)
        numbers.map(lambda n: 10 * n).foreachRDD(meet)
        numbers.foreachRDD(recorder.last())
        ssc.start()
        try:
            for number in (1, 2):
                ManualClock(ssc).advance(1)
                recorder.wait(number)
        finally:
            ssc.stop(stopSparkContext=False)
    assert sorted(met) == [[1, 2], [3], [10, 20], [30]]
