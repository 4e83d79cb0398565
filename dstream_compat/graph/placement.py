"""Finds which streams are partitioned by key, so that unions and windows merge their partitions.

In DStreams this is ``RDD.partitioner``: a union or window of RDDs with the same one has as
many partitions as each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ..worker.operators.whole_partition import Whole
from ..worker.operators.window import Window
from .nodes import NarrowNode, Node, RDDNode, ShuffleNode, UnionNode


class Placement(NamedTuple):
    """Key k is in partition ``function(k) % partitions``."""

    partitions: int
    function: Callable[[Any], int]


def placement_of(node: Node) -> Placement | None:
    """Return how a stream is partitioned, or None if nothing is known of it."""
    while True:
        match node:
            case NarrowNode(keeps=True) | RDDNode(keeps=True) | UnionNode(merged=True):
                node = node.parents[0]
            case ShuffleNode(op=Window() | Whole()):
                node = node.parents[0]
            case ShuffleNode(op=op):
                function = op.partitioner()
                return None if function is None else Placement(op.partitions, function)
            case _:
                return None


def common_placement(nodes: Sequence[Node]) -> Placement | None:
    """Return how all of these streams are partitioned, or None if they are not alike."""
    first, *others = map(placement_of, nodes)
    alike = all(
        other is not None
        and first is not None
        and other.partitions == first.partitions
        and other.function is first.function
        for other in others
    )
    return first if alike else None


def pieces_of(node: Node) -> int:
    """Return how many pieces a partition may be in, which meet behind the next shuffle."""
    while isinstance(node, NarrowNode):
        (node,) = node.parents
    if not isinstance(node, UnionNode):
        return 1
    counts = map(pieces_of, node.parents)
    return sum(counts) if node.merged else max(counts)
