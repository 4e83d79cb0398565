"""Streaming models of MLlib."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    "from pyspark.mllib.clustering import StreamingKMeans\n",
    "from pyspark.mllib.regression import LabeledPoint, StreamingLinearRegressionWithSGD\n",
    "from pyspark.mllib.classification import StreamingLogisticRegressionWithSGD as S\n",
]
SILENT = [
    "from pyspark.mllib.clustering import KMeans\nimport pyspark.streaming\n",
    "from pyspark.mllib.clustering import StreamingKMeansModel\n",
    "from mylib.clustering import StreamingKMeans\n",
    "# from pyspark.mllib.clustering import StreamingKMeans\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D106" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D106" not in [c.partition(":")[2] for c in codes(source)]
