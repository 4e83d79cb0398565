"""Models that learn from streams become what PySpark makes of their methods; others stay."""

from __future__ import annotations

import pytest

from tests.migrator.structured.unfold.support import unfolded

HEAD = """from pyspark import SparkContext
from pyspark.mllib.clustering import StreamingKMeans
from pyspark.mllib.regression import StreamingLinearRegressionWithSGD
from pyspark.streaming import StreamingContext

ssc = StreamingContext(SparkContext(appName="Job"), 1)
queue = ssc.queueStream([])
other = ssc.queueStream([])
model = StreamingKMeans(k=2).setRandomCenters(2, 1.0, 0)
"""
UPDATE = 'lambda rdd: model.latestModel().update(rdd, 1.0, "batches")'
PREDICT = "lambda point: model.latestModel().predict(point)"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "model.trainOn(queue)\nmodel.predictOn(other).pprint()\nssc.start()\n",
            f"other.map({PREDICT}).pprint()\nqueue.foreachRDD({UPDATE})\nssc.start()\n",
        ),
        (
            "found = model.predictOnValues(other)\nfound.pprint()\nssc.start()\n",
            f"found = other.mapValues({PREDICT})\nfound.pprint()\nssc.start()\n",
        ),
        # the main program may look at it
        (
            "model.trainOn(queue)\nssc.start()\nprint(model.latestModel().centers)\n",
            f"queue.foreachRDD({UPDATE})\nssc.start()\nprint(model.latestModel().centers)\n",
        ),
    ],
)
def test_methods(body: str, expected: str) -> None:
    assert unfolded(HEAD, body) == (expected, ())


@pytest.mark.parametrize(
    "body",
    [
        # two queries: nobody knows which model a prediction comes from
        "lines = ssc.textFileStream('in')\nmodel.trainOn(lines)\n"
        "model.predictOn(queue).pprint()\nssc.start()\n",
        # a function of batches looks at it
        "model.trainOn(queue)\nother.foreachRDD(lambda rdd: print(model.latestModel().centers))\n"
        "ssc.start()\n",
        "other_model = StreamingKMeans(*SETTINGS)\nother_model.trainOn(queue)\nssc.start()\n",
        "more = StreamingKMeans(2, 0.5, 'points', 1)\nmore.trainOn(queue)\nssc.start()\n",
        "model.setHalfLife(2.0, 'points')\nmodel.trainOn(queue)\nssc.start()\n",
        "model = StreamingKMeans(k=3)\nmodel.trainOn(queue)\nssc.start()\n",
        "second = StreamingLinearRegressionWithSGD(*SETTINGS) if SETTINGS else None\n"
        "second.trainOn(queue)\nssc.start()\n",
        "if ssc.sparkContext.version:\n    model.trainOn(queue)\nother.pprint()\nssc.start()\n",
    ],
)
def test_other_models_stay(body: str) -> None:
    assert ".trainOn(" in unfolded(HEAD, body)[0]


LINEAR = """second = StreamingLinearRegressionWithSGD(stepSize=0.5)
second.setInitialWeights([0.0])
second.trainOn(queue)
second.predictOn(other).pprint()
ssc.start()
"""
TRAINED = """second = StreamingLinearRegressionWithSGD(stepSize=0.5)
second.setInitialWeights([0.0])
other.map(lambda point: second.latestModel().predict(point)).pprint()


def train_second(rdd):
    if not rdd.isEmpty():
        trained = LinearRegressionWithSGD.train(
            rdd,
            second.numIterations,
            second.stepSize,
            second.miniBatchFraction,
            second.latestModel().weights,
            convergenceTol=second.convergenceTol,
        )
        second.setInitialWeights(trained.weights)


queue.foreachRDD(train_second)
ssc.start()
"""


def test_linear_models() -> None:
    text, _ = unfolded("", HEAD + LINEAR)
    place = "import StreamingLinearRegressionWithSGD\n"
    name = "from pyspark.mllib.regression import LinearRegressionWithSGD\n"
    assert text == HEAD.replace(place, place + name) + TRAINED


def test_predictions_that_are_only_printed_as_an_object() -> None:
    """Streams without an output are not computed: no second query."""
    body = LINEAR.replace("second.predictOn(other).pprint()", "print(second.predictOn(lines))")
    text, _ = unfolded(HEAD, f"lines = ssc.textFileStream('in')\n{body}")
    assert "foreachRDD(train_second)" in text
    assert "predict" not in text


def test_a_linear_model_that_a_batch_asks() -> None:
    body = LINEAR + "other.foreachRDD(lambda rdd: print(second.latestModel().weights))\n"
    assert "second.trainOn(" in unfolded(HEAD, body)[0]
