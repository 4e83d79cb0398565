"""Connectors that Python never had."""

from __future__ import annotations

import pytest

from tests.support.migrator.reports import codes

FIRES = [
    "from pyspark.streaming.twitter import TwitterUtils\n",
    "import pyspark.streaming.zeromq\n",
    "from pyspark.streaming.akka import AkkaUtils\n",
]
SILENT = [
    "from pyspark.streaming.kafka import KafkaUtils\n",
    "from pyspark.streaming.tests import X\n",
    "import tweepy  # StreamingContext\n",
    "from twitter import TwitterUtils  # DStream\n",
]


@pytest.mark.parametrize("source", FIRES)
def test_fires(source: str) -> None:
    assert "D206" in [c.partition(":")[2] for c in codes(source)]


@pytest.mark.parametrize("source", SILENT)
def test_silent(source: str) -> None:
    assert "D206" not in [c.partition(":")[2] for c in codes(source)]
