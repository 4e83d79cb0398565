"""The streaming models of pyspark.mllib, against DStreams."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext
from pyspark.mllib.classification import StreamingLogisticRegressionWithSGD
from pyspark.mllib.clustering import StreamingKMeans
from pyspark.mllib.linalg import Vectors
from pyspark.mllib.regression import LabeledPoint, StreamingLinearRegressionWithSGD

import dstream_compat as ours
from dstream_compat.testing import ManualClock
from tests.support.streaming.differential import PACES, Recorder, steps

INTERVALS = 5
POINTS = [
    [(0.0, 1.0), (0.1, 1.2), (9.0, 8.5)],
    [(1.0, 0.5), (8.0, 9.5)],
    [],
    [(5.0, 5.0), (4.5, 4.0), (0.3, 0.1), (9.5, 9.9)],
]
LABELS = [
    [(0.0, (-1.0, 0.2)), (1.0, (1.5, 0.1))],
    [(1.0, (0.9, 0.3)), (0.0, (-0.4, 0.9)), (1.0, (2.0, 0.0))],
    [],
    [(0.0, (-3.0, 1.0)), (1.0, (0.2, 0.2))],
]


def clusters(ssc: Any) -> tuple[Callable[[], Any], Any, Any]:
    model = StreamingKMeans(k=2, decayFactor=0.5).setInitialCenters(
        [[0.0, 0.0], [1.0, 1.0]], [1.0, 1.0]
    )
    points = ssc.queueStream([list(batch) for batch in POINTS]).map(Vectors.dense)
    model.trainOn(points)  # before the predictions, which must still be made by the old model

    def state() -> Any:
        latest = model.latestModel()
        return latest.centers.tolist(), [float(weight) for weight in latest.clusterWeights]

    return (
        state,
        model.predictOn(points),
        model.predictOnValues(points.map(lambda p: (str(p), p))),
    )


def regression(algorithm: Any) -> Callable[[Any], tuple[Callable[[], Any], Any, Any]]:
    def define(ssc: Any) -> tuple[Callable[[], Any], Any, Any]:
        model = algorithm(stepSize=0.2, numIterations=20)
        model.setInitialWeights([0.0, 0.0])
        labelled = ssc.queueStream([list(batch) for batch in LABELS]).map(
            lambda point: LabeledPoint(*point)
        )
        predicted = model.predictOn(labelled.map(lambda p: p.features))
        model.trainOn(labelled)
        by_label = model.predictOnValues(labelled.map(lambda p: (p.label, p.features)))
        return lambda: model.latestModel().weights.tolist(), predicted, by_label

    return define


MODELS = {
    "kmeans": clusters,
    "linear": regression(StreamingLinearRegressionWithSGD),
    "logistic": regression(StreamingLogisticRegressionWithSGD),
}


def run(ssc: Any, advances: list[int]) -> dict[str, list[Any]]:
    """Run all models in one context; gives predictions and model of each batch."""
    recorder = Recorder()
    found: dict[str, list[Any]] = {name: [] for name in MODELS}
    for name, define in MODELS.items():
        state, predicted, by_key = define(ssc)

        def record(
            time: datetime,
            rdds: Any,
            name: str = name,
            state: Callable[[], Any] = state,
        ) -> None:
            found[name].append((time.timestamp(), "model", state()))

        def predictions(time: datetime, rdd: Any, name: str = name) -> None:
            found[name].append((time.timestamp(), "predictions", sorted(rdd.collect(), key=repr)))

        predicted.foreachRDD(predictions)
        by_key.foreachRDD(predictions)
        predicted.foreachRDD(record)
    ssc.queueStream([[]]).foreachRDD(recorder.last())
    ssc.start()
    try:
        clock, now = ManualClock(ssc), 0
        for step in advances:
            now += step
            clock.advance(step)
            recorder.wait(now)
    finally:
        ssc.stop(stopSparkContext=False)
    return found


@pytest.fixture(scope="module")
def expected(sc: SparkContext) -> dict[str, list[Any]]:
    ssc = real.StreamingContext(sc, 1)
    return run(ssc, [1] * INTERVALS)


@pytest.mark.slow
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.full
def test_same_as_dstreams(sc: SparkContext, expected: dict[str, list[Any]], pace: str) -> None:
    ssc = ours.StreamingContext(sc, 1)
    found = run(ssc, steps(INTERVALS, pace))
    for name in MODELS:
        assert found[name] == expected[name], name
        models = [value for _, what, value in found[name] if what == "model"]
        assert len(models) == INTERVALS
        assert models[0] != models[1] != models[3]


@pytest.mark.slow
def test_streams_pass_for_those_of_spark(sc: SparkContext) -> None:
    ssc = ours.StreamingContext(sc, 1)
    stream = ssc.queueStream([[1]])
    assert isinstance(stream, real.DStream)
    assert isinstance(stream, ours.DStream)
    assert isinstance(stream.transform(lambda rdd: rdd), ours.DStream)
    assert type(stream) is ours.DStream
    assert not isinstance(ssc, real.DStream)
    with pytest.raises(TypeError, match="DStream"):
        StreamingKMeans(k=1).setInitialCenters([[0.0]], [1.0]).trainOn([1])


@pytest.mark.slow
def test_models_take_installed_streams() -> None:
    """Run install() in a process of its own: there, the models know our class only."""
    script = """
import dstream_compat
dstream_compat.install()
from pyspark.mllib import clustering, regression
assert clustering.DStream is regression.DStream is dstream_compat.DStream
class Fake(dstream_compat.DStream):
    def __init__(self): pass
assert Fake().__class__ is Fake
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
