"""The models of MLlib that take streams: which of their calls give what."""

from __future__ import annotations

from migrator.spark.api_entries import Api, each
from migrator.spark.kinds import Kind

_SETTERS = (
    *("setK", "setDecayFactor", "setHalfLife", "setInitialCenters", "setRandomCenters"),
    "setInitialWeights",
)
STREAMING_MODEL = {
    **each("predictOn", "predictOnValues", gives=Kind.DSTREAM),
    "trainOn": Api(Kind.NONE),
    "latestModel": Api(Kind.OTHER),
    **each(*_SETTERS, gives="self"),
}

CLASSES = (
    "pyspark.mllib.clustering.StreamingKMeans",
    "pyspark.mllib.regression.StreamingLinearAlgorithm",
    "pyspark.mllib.regression.StreamingLinearRegressionWithSGD",
    "pyspark.mllib.classification.StreamingLogisticRegressionWithSGD",
)
