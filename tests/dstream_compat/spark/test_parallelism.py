"""How many partitions streams and states have where nobody says so."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from pyspark import SparkConf

from dstream_compat.spark.parallelism import default_parallelism, state_partitions

INSTANCES = "spark.executor.instances"
CORES = "spark.executor.cores"
DYNAMIC = {"spark.dynamicAllocation.enabled": "true"}
MOST = "spark.dynamicAllocation.maxExecutors"


@pytest.mark.parametrize(
    ("master", "settings", "expected"),
    [
        ("local[2]", {}, 2),
        ("local[2]", {INSTANCES: "5", CORES: "4"}, 2),
        ("yarn", {}, 2),
        ("yarn", {INSTANCES: "5"}, 5),
        ("yarn", {INSTANCES: "5", CORES: "4"}, 20),
        ("k8s://https://host", {INSTANCES: "5"}, 5),
        # a standalone cluster does not look at the number of executors
        ("spark://host:7077", {INSTANCES: "5", CORES: "4"}, 2),
        ("spark://host:7077", {**DYNAMIC, MOST: "8", CORES: "2"}, 16),
        ("spark://host:7077", {**DYNAMIC, MOST: "8", CORES: "2", "spark.cores.max": "4"}, 4),
        ("spark://host:7077", {**DYNAMIC, MOST: "8"}, 2),  # one has all cores of its worker
        ("yarn", {INSTANCES: "1"}, 2),  # more are there
        ("yarn", {MOST: "8"}, 2),
        ("yarn", {**DYNAMIC, MOST: "8", CORES: "2"}, 16),
        ("yarn", {**DYNAMIC, MOST: "8", INSTANCES: "3"}, 8),
        ("yarn", {**DYNAMIC, INSTANCES: "3"}, 3),
        ("yarn", {**DYNAMIC, MOST: "2147483647"}, 2),  # Spark's default: as many as it gets
        ("yarn", {**DYNAMIC, MOST: "many"}, 2),  # Spark says what is wrong with it
        ("yarn", {INSTANCES: "5", "spark.default.parallelism": "2"}, 2),
    ],
)
def test_partitions(master: str, settings: dict[str, str], expected: int) -> None:
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    sc = Mock(master=master, defaultParallelism=2, _conf=conf)
    assert default_parallelism(sc) == state_partitions(sc) == expected
    conf.set("spark.streaming.compat.partitions", "3")
    assert (default_parallelism(sc), state_partitions(sc)) == (expected, 3)
