"""Variables that functions change in the driver go on after a recovery, as with DStreams."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext
from pyspark.mllib.clustering import StreamingKMeans
from pyspark.mllib.linalg import DenseVector

import dstream_compat as ours
from dstream_compat.exceptions import CheckpointError
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import DEADLINE
from tests.support.streaming.settings import setting

pytestmark = pytest.mark.slow

SEEN: list[Any] = []
CHANGED = threading.Condition()


def see(what: Any) -> None:
    with CHANGED:
        SEEN.append(what)
        CHANGED.notify_all()


def live(
    engine: Any, sc: SparkContext, folder: Path, define: Callable[[Any], None], until: int
) -> list[Any]:
    """Begin or go on with a job until a second; returns what its outputs saw, each batch once."""

    def setup() -> Any:
        made = engine.StreamingContext(sc, 1)
        made.checkpoint(str(folder / "checkpoint"))
        define(made)
        return made

    SEEN.clear()
    ssc = engine.StreamingContext.getOrCreate(str(folder / "checkpoint"), setup)
    ssc.start()
    clock = ManualClock(ssc)
    try:
        for second in range(1, until + 1):
            if clock.now() < second:
                clock.advance(1)
                with CHANGED:
                    assert CHANGED.wait_for(lambda: second in dict(SEEN), DEADLINE), SEEN  # noqa: B023
        if isinstance(ssc, ours.StreamingContext) and ssc._job is not None:
            ssc._job.scheduler.await_committed(round(clock.now() * 1000), lambda: None)
    finally:
        ssc.stop(stopSparkContext=False)
    return [what for _, what in sorted(dict(SEEN).items())]


def files(ssc: Any, folder: Path) -> Any:
    (folder / "in").mkdir(exist_ok=True)
    return ssc.textFileStream(str(folder / "in"))


@pytest.mark.parametrize("engine", [real, ours], ids=["real", "ours"])
def test_a_dict_that_an_output_fills(engine: Any, sc: SparkContext, tmp_path: Path) -> None:
    def define(ssc: Any) -> None:
        filled: dict[float, int] = {}

        def output(time: datetime, rdd: Any) -> None:
            filled[time.timestamp()] = rdd.count()
            see((time.timestamp(), sorted(filled)))

        files(ssc, tmp_path).foreachRDD(output)

    first = live(engine, sc, tmp_path, define, 3)
    assert first == [[1.0], [1.0, 2.0], [1.0, 2.0, 3.0]]
    second = live(engine, sc, tmp_path, define, 5)
    assert second[-1] == [1.0, 2.0, 3.0, 4.0, 5.0], "nothing was forgotten"


def test_a_model_that_was_trained(sc: SparkContext, tmp_path: Path) -> None:
    def define(ssc: Any) -> None:
        points = ssc.queueStream([[DenseVector([9.0])], [DenseVector([11.0])]])
        model = StreamingKMeans(k=1, decayFactor=1.0).setInitialCenters([[0.0]], [0.0])
        model.trainOn(points)
        latest = model.latestModel
        points.foreachRDD(
            lambda time, rdd: see((time.timestamp(), latest().clusterCenters.tolist()))
        )

    assert live(ours, sc, tmp_path, define, 1) == [[[9.0]]]
    assert live(ours, sc, tmp_path, define, 2)[-1] == [[10.0]]


def test_new_code_begins_with_its_own(sc: SparkContext, tmp_path: Path) -> None:
    def define(ssc: Any) -> None:
        filled: list[float] = []

        def output(time: datetime, rdd: Any) -> None:
            filled.append(time.timestamp())
            see((time.timestamp(), list(filled)))

        files(ssc, tmp_path).foreachRDD(output)

    assert live(ours, sc, tmp_path, define, 2)[-1] == [1.0, 2.0]
    with setting(sc, "spark.streaming.compat.rebuildGraph", "true"):
        assert live(ours, sc, tmp_path, define, 4)[-1] == [3.0, 4.0]
    assert live(ours, sc, tmp_path, define, 5)[-1] == [3.0, 4.0, 5.0]


def test_a_damaged_file(sc: SparkContext, tmp_path: Path) -> None:
    def define(ssc: Any) -> None:
        filled: list[float] = []

        def output(time: datetime, rdd: Any) -> None:
            filled.append(time.timestamp())
            see((time.timestamp(), None))

        files(ssc, tmp_path).foreachRDD(output)

    live(ours, sc, tmp_path, define, 1)
    (file,) = tmp_path.glob("checkpoint/dstream-compat/run-*/variables")
    file.write_bytes(file.read_bytes()[:-9])
    with pytest.raises(CheckpointError, match=r"variables cannot be read: .* nothing was changed"):
        live(ours, sc, tmp_path, define, 2)


def lock(rdd: Any) -> Any:
    return threading.Lock()


def broadcast(rdd: Any) -> Any:
    return rdd.context.broadcast(1)


@pytest.mark.parametrize("make", [lock, broadcast])
def test_what_cannot_be_saved_any_more(
    sc: SparkContext,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    make: Callable[[Any], Any],
) -> None:
    """It has the value of then, and the job goes on."""

    def define(ssc: Any) -> None:
        kept: list[Any] = []

        def output(time: datetime, rdd: Any) -> None:
            kept.append(time.timestamp() if len(kept) < 2 else make(rdd))
            see((time.timestamp(), len(kept)))

        files(ssc, tmp_path).foreachRDD(output)

    with caplog.at_level(logging.WARNING, "dstream_compat"):
        assert live(ours, sc, tmp_path, define, 4) == [1, 2, 3, 4]
    assert caplog.text.count("cannot be saved any more") == 1
    assert live(ours, sc, tmp_path, define, 5)[-1] == 3
