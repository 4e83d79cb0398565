"""A session of the test process, as its users have it."""

from __future__ import annotations

import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark(sc: SparkContext) -> SparkSession:
    session = SparkSession.builder.getOrCreate()
    assert session.conf.get("spark.sql.ansi.enabled") == "true"
    return session
