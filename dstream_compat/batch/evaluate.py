"""Streams behind RDD functions: evaluated per batch, in the driver, with RDD operators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any

from pyspark import RDD, SparkContext, StorageLevel

from ..graph.nodes import (
    Graph,
    NarrowNode,
    Node,
    QueryPlace,
    RDDNode,
    ShuffleNode,
    UnionNode,
    place_of,
)
from ..source.base import Items
from ..source.queues.source import rdd_partitions
from ..wire import errors
from ..wire.frames import RECORDS
from ..worker.operators.base import SlotOp
from ..worker.operators.combine import CombineByKey
from ..worker.operators.partition import PartitionBy, Repartition
from ..worker.operators.whole_partition import Whole
from ..worker.reading.entries import Chunk
from .driver_rdd import DriverRDD
from .rdds import MicroBatch


class Evaluator:
    """Gives the RDDs of one interval.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    graph : Graph
        says what the user wants persisted
    batch : MicroBatch
        what the first query computed; what later ones make of it is added
    tick : int
        batch time in milliseconds
    """

    def __init__(self, sc: SparkContext, graph: Graph, batch: MicroBatch, tick: int) -> None:
        self._sc = sc
        self._graph = graph
        self._batches = [batch]
        self._tick = tick
        self._time = datetime.fromtimestamp(tick / 1000)
        self._made: dict[int, RDD[Any] | None] = {}
        self._places: dict[int, QueryPlace] = {}
        self._failed: dict[int, BaseException] = {}
        self._holders = 0
        self._closed = False
        self._kept: list[RDD[Any]] = []

    def add(self, batch: MicroBatch) -> None:
        """Take what the next query made of this interval."""
        self._batches.append(batch)

    def error(self, node: Node) -> errors.CapturedError | None:
        """Return the user error that a stream's batch depends on, if it was raised in a query.

        What state has kept since an interval of the same micro-batch is not committed yet, so it
        counts as raised in this one.
        """
        todo = [node]
        while todo:
            node = todo.pop()
            for batch in self._batches:
                if (error := batch.error(node.id, self._tick)) is not None:
                    is_open = batch.intervals is not None and error.since > batch.intervals.lo
                    return error._replace(since=0) if is_open else error
            todo.extend(node.parents)
        return None

    def rdd(self, node: Node) -> RDD[Any] | None:
        """Return a stream's RDD; runs the RDD functions that it needs, each once.

        A function may return nothing: then the stream has no RDD in this batch, and what reads it
        has nothing to do.
        """
        if node.id in self._failed:
            raise self._failed[node.id]
        if node.id not in self._made:
            try:
                rdd = self._make(node)
            except errors.USER_ERRORS as error:
                self._failed[node.id] = error  # a function of the driver runs once per interval
                raise
            level = self._graph.persisted.get(node.id)
            driver = place_of(node, self._places).driver
            if rdd is not None and level is not None and driver and not rdd.is_cached:
                self._kept.append(rdd.persist(level))
            self._made[node.id] = rdd
        return self._made[node.id]

    def partitions(self, node: Node, shared: bool) -> list[Items] | None:
        """Return the records of a stream of the driver, pickled; ``shared`` if it is read again.

        None if it has no RDD in this batch.
        """
        rdd = self.rdd(node)
        if rdd is None:
            return None
        if isinstance(rdd, DriverRDD):
            return rdd_items(rdd)
        if shared and not rdd.is_cached:
            self._kept.append(rdd.persist(StorageLevel.MEMORY_AND_DISK))
        return rdd_partitions(rdd)

    @property
    def batches(self) -> Sequence[MicroBatch]:
        """What the queries computed, in their order."""
        return self._batches

    def hold(self) -> None:
        """Keep the RDDs of this interval until they are released."""
        self._holders += 1
        for batch in self._batches:
            batch.hold()

    def release(self) -> None:
        """Undo one hold."""
        self._holders -= 1
        for batch in self._batches:
            batch.release()
        self._free()

    def close(self) -> None:
        """End the interval: free what was persisted for it as soon as nobody holds it."""
        self._closed = True
        self._free()

    def _free(self) -> None:
        if self._closed and not self._holders:
            for rdd in self._kept:
                rdd.unpersist()

    def _make(self, node: Node) -> RDD[Any] | None:
        query, driver = place_of(node, self._places)
        if not driver:
            return self._batches[query].rdd(node.id, self._tick)
        rdds = [self.rdd(parent) if self._is_due(parent) else None for parent in node.parents]
        if isinstance(node, RDDNode) and len(rdds) == 1:
            return checked_rdd(node, node.fn(self._time, *rdds))
        parents = [self._present(node, rdd) for rdd in rdds]
        match node:
            case RDDNode():
                return checked_rdd(node, node.fn(self._time, *parents))
            case NarrowNode():
                fn: Any = node.fn
                return parents[0].mapPartitionsWithIndex(fn, node.keeps)
            case UnionNode():
                return united_rdd(self._sc, parents, node.merged)
            case ShuffleNode():
                return shuffled_rdd(node.op, parents[0])
        raise TypeError(f"{node.label} cannot run behind an RDD function")

    def _is_due(self, node: Node) -> bool:
        """Return whether a stream has this batch: those of transformWith may differ in slides."""
        intervals = self._batches[0].intervals
        return intervals is None or intervals.is_valid(self._tick, node.slide)

    def _present(self, node: Node, rdd: RDD[Any] | None) -> RDD[Any]:
        """Return a parent's RDD for an operator that cannot do without."""
        if rdd is not None:
            return rdd
        if isinstance(node, UnionNode) or node.label == "transformWith":
            return self._sc.emptyRDD()
        raise TypeError(
            f"{node.label} cannot be computed: a function given to transform returned None, and "
            "only outputs and windows of that stream can do without its RDD"
        )


def rdd_items(rdd: DriverRDD) -> list[Items]:
    """Return the records of an RDD that the driver has, its partitions kept, without a job."""
    return [
        tuple(Chunk(RECORDS, frame.count, bytes(frame.payload)) for frame in held if frame.count)
        for held in rdd.frames()
    ]


def united_rdd(sc: SparkContext, rdds: list[RDD[Any]], merged: bool) -> RDD[Any]:
    """Return the union of RDDs, their partitions one beside the other or ``merged`` by number."""
    united = sc.union(rdds)
    count = max(rdd.getNumPartitions() for rdd in rdds)
    if not merged or united.getNumPartitions() == count:
        return united
    # Spark does not know how what queries computed is partitioned.
    numbered = [rdd.mapPartitionsWithIndex(_with_number) for rdd in rdds]
    return sc.union(numbered).partitionBy(count, int).map(itemgetter(1))


def _with_number(number: int, records: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    return ((number, record) for record in records)


def shuffled_rdd(op: SlotOp, rdd: RDD[Any]) -> RDD[Any]:
    """Return what a stateless operator makes of an RDD."""
    match op:
        case CombineByKey():
            return rdd.combineByKey(op.create, op.merge_value, op.merge_combiners, op.partitions)
        case Repartition():
            return rdd.repartition(op.partitions)
        case PartitionBy():
            return rdd.partitionBy(op.partitions, op.partition_of)
        case Whole():
            return rdd  # its partitions are in one piece
    raise TypeError(f"{type(op).__name__} cannot run behind an RDD function")


def checked_rdd(node: Node, result: Any) -> RDD[Any] | None:
    """Return the result of an RDD function; None, as with DStreams, for all that is false.

    Raises
    ------
    TypeError
        if it is something else than an RDD
    """
    if not result:
        return None
    if not isinstance(result, RDD):
        raise TypeError(
            f"the function given to {node.label} must return an RDD, not {type(result).__name__}"
        )
    return result
