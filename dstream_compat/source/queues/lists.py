"""Cuts lists into partitions as ``SparkContext.parallelize`` does, without any Spark job."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Sequence
from itertools import chain, islice
from typing import Any, Final

from pyspark import RDD, SparkContext
from pyspark.serializers import CPickleSerializer

from ...wire.frames import RECORDS, chunks
from ...worker.reading.entries import Chunk, Numbers
from ..base import Items

_BATCH: Final = 1024
"""Records that PySpark pickles together at most, if the SparkContext does not say otherwise."""


def parallelize(sc: SparkContext, collection: Iterable[Any]) -> list[Items] | RDD[Any]:
    """Return the partitions of ``sc.parallelize(collection)`` as planned items.

    As in PySpark the records are pickled at once, so that later changes to them are not seen.

    Parameters
    ----------
    sc : SparkContext
        whose parallelism and batch size count; with a serializer of its own, which may change
        records, the result is an RDD
    collection : iterable
        what PySpark takes

    Raises
    ------
    TypeError
        if it is not iterable
    pickle.PicklingError
        if a record cannot be pickled
    """
    if type(sc._unbatched_serializer) is not CPickleSerializer:
        return sc.parallelize(collection)
    batch = sc._batchSize or _BATCH
    return [_items(part) for part in cut(collection, sc.defaultParallelism, batch)]


def cut(collection: Iterable[Any], slices: int, most: int) -> list[Sequence[Any]]:
    """Return the partitions that PySpark makes of a collection.

    It deals out not records but batches of them. Mirrors ``pyspark.SparkContext.parallelize`` and
    ``org.apache.spark.rdd.ParallelCollectionRDD.slice``.

    Parameters
    ----------
    collection : iterable
        a range stays one
    slices : int
        how many partitions
    most : int
        records in a batch at most
    """
    if isinstance(collection, range) and collection:
        first, step = collection[0], collection.step if len(collection) > 1 else 1
        starts = [
            first + int(number * len(collection) / slices) * step for number in range(slices + 1)
        ]
        return [range(starts[number], starts[number + 1], step) for number in range(slices)]
    records: Any = collection if "__len__" in dir(collection) else list(collection)
    size = max(1, min(len(records) // slices, most))
    rest = iter(records)
    batches = list(iter(lambda: list(islice(rest, size)), []))
    edges = [number * len(batches) // slices for number in range(slices + 1)]
    return [
        list(chain.from_iterable(batches[edges[number] : edges[number + 1]]))
        for number in range(slices)
    ]


def _items(records: Sequence[Any]) -> Items:
    if isinstance(records, range):
        return (Numbers(records),) if records else ()
    try:
        return tuple(Chunk(RECORDS, count, data) for count, data in chunks(records))
    except pickle.PickleError:
        raise
    except Exception as error:
        raise pickle.PicklingError(
            f"Could not serialize object: {type(error).__name__}: {error}"
        ) from error
