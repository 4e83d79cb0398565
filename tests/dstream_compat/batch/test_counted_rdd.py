"""Large results are counted in the driver, and are RDDs like any other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pyspark import SparkContext

from dstream_compat.batch.rdds import CountedRDD

GROUP = "test-counted-rdd"


@pytest.fixture
def jobs(sc: SparkContext) -> Iterator[Any]:
    """A function that counts the jobs that the test has started."""
    sc.setJobGroup(GROUP, "")
    before = len(sc.statusTracker().getJobIdsForGroup(GROUP))
    yield lambda: len(sc.statusTracker().getJobIdsForGroup(GROUP)) - before
    sc.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]


def counted(sc: SparkContext, records: list[Any]) -> CountedRDD:
    given = sc.parallelize(records, 2)
    return CountedRDD(given._jrdd, sc, given._jrdd_deserializer, len(records))


def test_it_is_counted_without_a_job(sc: SparkContext, jobs: Any) -> None:
    rdd = counted(sc, [3, 1, 2])
    assert (rdd.count(), rdd.isEmpty()) == (3, False)
    assert jobs() == 0
    assert rdd.collect() == [3, 1, 2]
    assert rdd.map(str).count() == 3
    assert rdd.filter(lambda one: one > 2).count() == 1
    assert jobs() == 3


def test_without_records(sc: SparkContext, jobs: Any) -> None:
    rdd = counted(sc, [])
    assert (rdd.count(), rdd.isEmpty()) == (0, True)
    assert jobs() == 0


@pytest.mark.parametrize("ask", [CountedRDD.count, CountedRDD.isEmpty])
def test_an_rdd_that_is_to_be_saved_is_saved(sc: SparkContext, jobs: Any, ask: Any) -> None:
    rdd = counted(sc, [1, 2])
    rdd.cache()
    assert ask(rdd) in (2, False)
    assert jobs() == 1
    assert rdd.unpersist().count() == 2
    assert jobs() == 1


def test_a_checkpoint_is_written_by_counting(sc: SparkContext) -> None:
    rdd = counted(sc, [1, 2])
    rdd.checkpoint()
    assert rdd.count() == 2
    assert rdd.getCheckpointFile() is not None
