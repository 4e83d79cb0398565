"""Kinesis."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    "from pyspark.streaming.kinesis import KinesisUtils\nKinesisUtils.createStream(ssc, a, b)\n",
    "import pyspark.streaming.kinesis\npyspark.streaming.kinesis.KinesisUtils.createStream(1)\n",
]
SILENT = [
    "from pyspark.streaming.kinesis import KinesisUtils, InitialPositionInStream\n"
    "InitialPositionInStream.LATEST\n",
    "import boto3\nboto3.client('kinesis')  # StreamingContext\n",
    "from mylib import KinesisUtils\nKinesisUtils.createStream(1)\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D205" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D205" not in [c.partition(":")[2] for c in codes(source)]
