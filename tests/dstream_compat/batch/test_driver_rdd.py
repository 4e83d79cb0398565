"""Small results are looked at in the driver, and are RDDs like any other."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark import SparkContext, StorageLevel
from pyspark.sql import SparkSession

from dstream_compat.batch.driver_rdd import DriverRDD
from dstream_compat.kafka import OffsetRange, _BatchRDD
from dstream_compat.wire.frames import RECORDS, dumps, pack

PARTITIONS: list[list[Any]] = [[1, 2], [], [3], [4, 5, 6]]


def frames(records: list[Any]) -> list[bytes]:
    """Return a partition in frames of two records."""
    cut = [records[first : first + 2] for first in range(0, len(records), 2)]
    packed = [pack(RECORDS, 1, 2, (0,), dumps(part), count=len(part)) for part in cut]
    return packed or [pack(RECORDS, 1, 2, (0,))]


def rdd_of(sc: SparkContext, partitions: list[list[Any]]) -> DriverRDD:
    return DriverRDD(sc, [frames(part) for part in partitions])


@pytest.fixture
def jobs(sc: SparkContext) -> Any:
    """A function that counts the jobs that the test has started."""
    sc.setJobGroup("test-driver-rdd", "")
    before = len(sc.statusTracker().getJobIdsForGroup("test-driver-rdd"))
    yield lambda: len(sc.statusTracker().getJobIdsForGroup("test-driver-rdd")) - before
    sc.setLocalProperty("spark.jobGroup.id", None)  # type: ignore[arg-type]


def test_it_is_looked_at_without_a_job(sc: SparkContext, jobs: Any) -> None:
    rdd = rdd_of(sc, PARTITIONS)
    assert rdd.collect() == [1, 2, 3, 4, 5, 6]
    assert rdd.count() == 6
    assert [rdd.take(n) for n in (-1, 0, 1, 3, 9)] == [[], [], [1], [1, 2, 3], [1, 2, 3, 4, 5, 6]]
    assert rdd.first() == 1
    assert not rdd.isEmpty()
    assert rdd.getNumPartitions() == 4
    assert jobs() == 0
    assert rdd.map(str).count() == 6
    assert jobs() == 1, "it counts"


def test_batches_of_kafka_are_looked_at_alike(sc: SparkContext, jobs: Any) -> None:
    """Each partition of a topic is one of the RDD, also without records."""
    rdd = _BatchRDD(rdd_of(sc, PARTITIONS), [OffsetRange("topic", 0, 0, 2)])
    assert rdd.collect() == [1, 2, 3, 4, 5, 6]
    assert (rdd.count(), rdd.take(4), rdd.first()) == (6, [1, 2, 3, 4], 1)
    assert not rdd.isEmpty()
    assert _BatchRDD(rdd_of(sc, [[], []]), []).isEmpty()
    assert jobs() == 0
    assert rdd.map(str).count() == rdd.cache().count() == 6
    assert jobs() == 2, "what is to be saved is computed"
    rdd.unpersist()


def test_without_records(sc: SparkContext, jobs: Any) -> None:
    for rdd in (rdd_of(sc, []), rdd_of(sc, [[], []])):
        assert rdd.isEmpty()
        assert (rdd.collect(), rdd.take(3), rdd.count()) == ([], [], 0)
        with pytest.raises(ValueError, match="RDD is empty"):
            rdd.first()
    assert jobs() == 0
    assert rdd_of(sc, []).map(str).collect() == []
    assert rdd_of(sc, []).getNumPartitions() == 0
    assert rdd_of(sc, [[], []]).glom().collect() == [[], []]


def test_each_look_gets_objects_of_its_own(sc: SparkContext) -> None:
    rdd = rdd_of(sc, [[["a"]]])
    rdd.collect()[0].append("b")
    rdd.take(1)[0].append("c")
    assert rdd.collect() == [["a"]]


@pytest.mark.slow
def test_it_is_an_rdd_for_everything_else(sc: SparkContext) -> None:
    rdd = rdd_of(sc, PARTITIONS)
    assert rdd.glom().collect() == PARTITIONS
    assert rdd.map(lambda x: x * 2).filter(lambda x: x > 4).collect() == [6, 8, 10, 12]
    numbered = rdd.mapPartitionsWithIndex(lambda i, part: [(i, list(part))]).collect()
    assert numbered == list(enumerate(PARTITIONS))
    assert sorted(rdd.union(rdd).collect()) == sorted([1, 2, 3, 4, 5, 6] * 2)
    assert rdd.zip(rdd).collect() == [(x, x) for x in range(1, 7)]
    assert len(rdd.cartesian(rdd).collect()) == 36
    odd = rdd.keyBy(lambda x: x % 2)
    assert odd.reduceByKey(lambda a, b: a + b).collectAsMap() == {0: 12, 1: 9}
    assert rdd.sum() == 21
    assert rdd.coalesce(1).glom().collect() == [[1, 2, 3, 4, 5, 6]]
    assert rdd.repartition(2).count() == 6
    assert list(rdd.toLocalIterator()) == [1, 2, 3, 4, 5, 6]
    assert rdd.context is sc
    assert rdd.id() == rdd.id()


@pytest.mark.slow
def test_it_can_be_kept(sc: SparkContext) -> None:
    rdd = rdd_of(sc, PARTITIONS)
    assert rdd.persist(StorageLevel.MEMORY_ONLY) is rdd
    assert rdd.is_cached
    assert rdd.map(str).count() == 6
    assert rdd.collect() == [1, 2, 3, 4, 5, 6]
    rdd.unpersist()
    assert not rdd.is_cached
    rdd.setName("small")
    assert rdd.name() == "small"
    saved = rdd_of(sc, PARTITIONS)
    saved.checkpoint()
    assert saved.map(str).count() == 6
    assert saved.isCheckpointed()


@pytest.mark.slow
@pytest.mark.parametrize("first", ["count", "collect", "first", "isEmpty"])
def test_the_first_job_saves_what_is_to_be_saved(sc: SparkContext, first: str) -> None:
    saved, plain = rdd_of(sc, PARTITIONS), rdd_of(sc, PARTITIONS)
    saved.checkpoint()
    assert getattr(saved, first)() == getattr(plain, first)()
    assert saved.isCheckpointed()
    assert saved.take(2) == plain.take(2) and saved.count() == 6


@pytest.mark.slow
def test_it_becomes_a_dataframe(sc: SparkContext) -> None:
    spark = SparkSession(sc)
    rows = rdd_of(sc, [[("a", 1)], [("b", 2)]])
    assert [tuple(row) for row in spark.createDataFrame(rows, ["k", "n"]).collect()] == [
        ("a", 1),
        ("b", 2),
    ]
