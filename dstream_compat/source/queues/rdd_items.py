"""Reads RDDs into planned items, many of them in one Spark job."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from pyspark import RDD, SparkContext
from pyspark.serializers import (
    AutoBatchedSerializer,
    BatchedSerializer,
    CPickleSerializer,
    NoOpSerializer,
    PickleSerializer,
)

from ...wire import errors
from ...worker.reading.entries import Numbers, Pickled
from ..base import Items

Read = list[Items] | bytes
"""The partitions of an RDD, or the captured error that it has."""

_TOGETHER: Final = 500
"""RDDs of one job at most: its result is in the driver's memory as a whole."""
_PLAIN: Final = "org.apache.spark.rdd.ParallelCollectionRDD"
_OF_RANGE: Final = f"{SparkContext.parallelize.__qualname__}.<locals>.f"
"""PySpark's function that gives an RDD of a range its numbers."""


def is_plain(rdd: RDD[Any]) -> bool:
    """Return whether an RDD is what ``sc.parallelize`` gave: no function of the user runs in it."""
    rdd_class: Any = rdd._jrdd.rdd().getClass()
    return bool(rdd_class.getName() == _PLAIN) or _is_range(rdd)


def _is_range(rdd: RDD[Any]) -> bool:
    function = getattr(rdd, "func", None)
    named = getattr(function, "__module__", ""), getattr(function, "__qualname__", "")
    return named == (SparkContext.__module__, _OF_RANGE)


def _can_be_dealt(rdd: RDD[Any]) -> bool:
    """Return whether a few tasks may read many partitions of a plain RDD, in their order.

    Spark gives each of those tasks the partitions that lie on its machine, if it knows where they
    lie. Then they come in another order.
    """
    java_rdd: Any = rdd._jrdd.rdd()
    return (
        is_plain(rdd) and not java_rdd.getStorageLevel().isValid() and not java_rdd.isCheckpointed()
    )


def _numbers(rdd: Any) -> list[Items]:
    """Return the partitions of an RDD of a range."""
    parts = [rdd.func(split, iter(())) for split in range(rdd.getNumPartitions())]
    return [(Numbers(part),) if part else () for part in parts]


def read_rdds(sc: SparkContext, rdds: Sequence[RDD[Any]]) -> list[Read]:
    """Return the partitions of each RDD; one that fails has an error, and the others do not.

    Their batches of records travel as PySpark has pickled them, so the driver unpickles none.

    Parameters
    ----------
    sc : SparkContext
        runs the jobs: one for many RDDs, and some more where one of them fails
    rdds : sequence of RDD
        the same one may be there several times
    """
    results: dict[int, Read] = {n: _numbers(rdd) for n, rdd in enumerate(rdds) if _is_range(rdd)}
    plain = {n: _can_be_dealt(rdd) for n, rdd in enumerate(rdds) if n not in results}
    for kind, tasks in ((True, sc.defaultParallelism), (False, None)):
        numbers = iter([number for number, one in plain.items() if one is kind])
        job = partial(_union, sc, tasks)
        while group := list(islice(numbers, _TOGETHER)):
            reads = _read_group(job, [rdds[number] for number in group])
            results.update(zip(group, reads, strict=True))
    return [results[number] for number in range(len(rdds))]


def _read_group(
    job: Callable[[Sequence[RDD[Any]]], list[Read]], rdds: Sequence[RDD[Any]]
) -> list[Read]:
    """Run a job of some RDDs; if it fails, find out of which one by jobs of halves."""
    try:
        return job(rdds)
    except errors.SPARK_ERRORS as error:  # of the user's code, or of what it reads
        if len(rdds) == 1:
            return [errors.dump(errors.capture_root(error))]
    half = len(rdds) // 2
    return [*_read_group(job, rdds[:half]), *_read_group(job, rdds[half:])]


def _union(sc: SparkContext, tasks: int | None, rdds: Sequence[RDD[Any]]) -> list[Read]:
    """Read RDDs in one job.

    Each partition becomes one element, in the JVM, so that none has to be told from the next one.

    Parameters
    ----------
    sc : SparkContext
        runs the job
    tasks : int, optional
        number of tasks; None gives each partition one
    rdds : sequence of RDD
        at least one
    """
    batched = [_batched_rdd(rdd) for rdd in rdds]
    counts = [rdd.getNumPartitions() for rdd in batched]
    glommed: list[RDD[Any]] = [RDD(rdd._jrdd.glom(), sc, NoOpSerializer()) for rdd in batched]
    union = (glommed[0] if len(glommed) == 1 else sc.union(glommed))._jrdd
    if tasks is not None:
        union = union.coalesce(tasks)
    jvm: Any = sc._jvm
    parts = iter(RDD[Any](jvm.SerDeUtil.javaToPython(union), sc).collect())
    return [[_items(part) for part in islice(parts, count)] for count in counts]


def _items(batches: Sequence[bytes | bytearray]) -> Items:
    return (Pickled(tuple(map(bytes, batches))),) if batches else ()


def _batched_rdd(rdd: RDD[Any]) -> RDD[Any]:
    """Return an RDD whose elements in the JVM are pickled batches of records."""
    serializer: Any = rdd._jrdd_deserializer
    is_batched = type(serializer) in (BatchedSerializer, AutoBatchedSerializer)
    if is_batched and type(serializer.serializer) in (CPickleSerializer, PickleSerializer):
        return rdd
    pickled: RDD[Any] = rdd._pickled()
    return pickled
