"""Streams behind RDD functions: evaluated per batch, in the driver, with RDD operators."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pyspark import RDD, SparkContext

from ..graph import (
    Graph,
    NarrowNode,
    Node,
    RDDNode,
    ShuffleNode,
    UnionNode,
    in_driver,
)
from ..ops.base import SlotOp
from ..ops.combine import CombineByKey
from ..ops.partition import PartitionBy, Repartition
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
        what the query computed
    tick : int
        batch time in milliseconds
    """

    def __init__(self, sc: SparkContext, graph: Graph, batch: MicroBatch, tick: int) -> None:
        self._sc = sc
        self._graph = graph
        self._batch = batch
        self._tick = tick
        self._time = datetime.fromtimestamp(tick / 1000)
        self._made: dict[int, RDD[Any]] = {}
        self._driver: dict[int, bool] = {}
        self._kept: list[RDD[Any]] = []

    def rdd(self, node: Node) -> RDD[Any]:
        """Return a stream's RDD; runs the RDD functions that it needs, each once."""
        if node.id not in self._made:
            rdd = self._make(node)
            level = self._graph.persisted.get(node.id)
            if level is not None and in_driver(node, self._driver) and not rdd.is_cached:
                self._kept.append(rdd.persist(level))
            self._made[node.id] = rdd
        return self._made[node.id]

    def release(self) -> None:
        """Free what was persisted for this interval."""
        for rdd in self._kept:
            rdd.unpersist()

    def _make(self, node: Node) -> RDD[Any]:
        if not in_driver(node, self._driver):
            return self._batch.rdd(node.id, self._tick)
        parents = [self.rdd(parent) for parent in node.parents]
        match node:
            case RDDNode():
                return checked_rdd(node, node.fn(self._time, *parents))
            case NarrowNode():
                fn: Any = node.fn
                return parents[0].mapPartitionsWithIndex(fn)
            case UnionNode():
                return self._sc.union(parents)
            case ShuffleNode():
                return shuffled_rdd(node.op, parents[0])
        raise TypeError(f"{node.label} cannot run behind an RDD function")


def shuffled_rdd(op: SlotOp, rdd: RDD[Any]) -> RDD[Any]:
    """Return what a stateless operator makes of an RDD."""
    match op:
        case CombineByKey():
            return rdd.combineByKey(op.create, op.merge_value, op.merge_combiners, op.partitions)
        case Repartition():
            return rdd.repartition(op.partitions)
        case PartitionBy():
            return rdd.partitionBy(op.partitions, op.partition_of)
    raise TypeError(f"{type(op).__name__} cannot run behind an RDD function")


def checked_rdd(node: Node, result: Any) -> RDD[Any]:
    """Return the result of an RDD function.

    Raises
    ------
    TypeError
        if it is not an RDD
    """
    if not isinstance(result, RDD):
        raise TypeError(
            f"the function given to {node.label} must return an RDD, not {type(result).__name__}"
        )
    return result
