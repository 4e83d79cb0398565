"""Migrated jobs run: on Structured Streaming, with the output that they have on DStreams."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.migrator.runs import Run

Migrate = Callable[..., Run]
ROOT = Path(__file__).parents[3]

LEARNING = """\
from pyspark import SparkConf, SparkContext
from pyspark.mllib.clustering import StreamingKMeans
from pyspark.mllib.linalg import Vectors
from pyspark.mllib.regression import LabeledPoint, StreamingLinearRegressionWithSGD
from pyspark.streaming import StreamingContext

POINTS = [[[0.0, 0.1], [9.0, 9.1]], [[0.2, 0.1]], [[8.8, 9.0], [0.1, 0.0], [9.2, 9.1]]]

conf = SparkConf().setMaster("local[1]").setAppName("learning")
sc = SparkContext(conf=conf.set("spark.ui.showConsoleProgress", "false"))
ssc = StreamingContext(sc, 1)
points = ssc.queueStream(POINTS).map(Vectors.dense)
clusters = StreamingKMeans(k=2, decayFactor=1.0)
clusters.setInitialCenters([[1.0, 1.0], [8.0, 8.0]], [1.0, 1.0])
clusters.trainOn(points)
line = StreamingLinearRegressionWithSGD(stepSize=0.01, numIterations=5)
line.setInitialWeights([0.0, 0.0])
line.trainOn(points.map(lambda p: LabeledPoint(float(p[0] + p[1]), p)))
batches = []


def show(rdd):
    found = rdd.collect()
    if not found:
        return
    batches.append(found)
    centers = [[round(float(x), 6) for x in c] for c in clusters.latestModel().centers]
    weights = [round(float(w), 6) for w in line.latestModel().weights]
    print("batch", sorted(found), centers, weights)


clusters.predictOnValues(points.map(lambda p: (str(p), p))).foreachRDD(show)
ssc.start()
while len(batches) < len(POINTS):
    ssc.awaitTerminationOrTimeout(1)
ssc.stop(stopSparkContext=True, stopGraceFully=False)
print("package", type(points).__module__.partition(".")[0])
"""

JOB = """\
from pyspark.streaming import StreamingContext


def make(sc):
    return StreamingContext(sc, 5)
"""
TESTS = """\
import importlib
import sys
import unittest
from unittest import mock
from unittest.mock import patch


class TestJob(unittest.TestCase):
    @patch("pyspark.streaming.context.StreamingContext.__init__", return_value=None)
    def test_private_names_stay(self, init):
        pass

    @patch("pyspark.streaming.context.StreamingContext.start")
    def test_method(self, start):
        import job

        with mock.patch.object(job.StreamingContext, "__init__", return_value=None):
            job.make(None).start()
        start.assert_called_once_with()

    def test_class(self):
        sys.modules.pop("job", None)
        with mock.patch("pyspark.streaming.StreamingContext") as fake:
            import job

            job.make("sc")
        fake.assert_called_once_with("sc", 5)
        del sys.modules["job"]

    def test_module(self):
        import job

        streaming = importlib.import_module("pyspark.streaming")
        self.assertIs(job.StreamingContext, streaming.StreamingContext)

    def test_stub(self):
        sys.modules.pop("job", None)
        with patch.dict(sys.modules, {"pyspark.streaming": mock.MagicMock()}):
            import job

            self.assertIsInstance(job.StreamingContext, mock.MagicMock)
        sys.modules.pop("job", None)


unittest.main()
"""


def run(path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", path.name],
        cwd=path.parent,
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def _environment() -> dict[str, str]:
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.mark.slow
@pytest.mark.full
def test_streaming_models_of_mllib(migrate: Migrate, tmp_path: Path) -> None:
    job = tmp_path / "learning.py"
    job.write_text(LEARNING)
    before = run(job)
    assert migrate(job, "--in-place").code == 0
    assert "from dstream_compat import StreamingContext" in job.read_text()
    after = run(job)
    assert before.returncode == 0, before.stderr
    assert after.returncode == 0, after.stderr
    assert before.stdout.count("batch") == 3
    assert "package pyspark\n" in before.stdout
    assert after.stdout == before.stdout.replace("package pyspark", "package dstream_compat")


@pytest.mark.slow
def test_tests_with_patches(migrate: Migrate, tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(JOB)
    tests = tmp_path / "test_job.py"
    tests.write_text(TESTS)
    before = run(tests)
    assert before.returncode == 0, before.stderr
    assert migrate(tmp_path, "--in-place").code == 1
    # all but the private name move
    assert [n for n, line in enumerate(tests.read_text().splitlines()) if "pyspark" in line] == [8]
    after = run(tests)
    assert after.returncode == 0, after.stderr
    assert "Ran 5 tests" in before.stderr and "Ran 5 tests" in after.stderr
