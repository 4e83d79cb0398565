"""The infos about state that listeners get: how many keys each operator has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..batch.rdds import MicroBatch
from ..graph.nodes import Graph, ShuffleNode, of_kind
from ..wire.frames import COUNT_OF
from .java_values import Info


@dataclass(eq=False, repr=False)
class StateOperatorInfo(Info):
    """One operator with state by key, after a batch."""

    _number: int
    _name: str
    _keys: int

    _getters = ("id", "name", "numKeys")

    def id(self) -> int:
        """Return the position among the operators with state by key, in order of definition."""
        return self._number

    def name(self) -> str:
        """Return the operator, such as ``updateStateByKey``."""
        return self._name

    def numKeys(self) -> int:
        """Return how many keys it holds."""
        return self._keys


def states_of(graph: Graph, batches: Sequence[MicroBatch], tick: int) -> list[StateOperatorInfo]:
    """Return the operators that ran in a batch, without those that failed.

    Parameters
    ----------
    graph : Graph
        what runs
    batches : sequence of MicroBatch
        what each query computed
    tick : int
        batch time in milliseconds
    """
    nodes = [node for node in of_kind(graph.reachable(), ShuffleNode) if node.op.counts_keys]
    counts = ((node, _keys(node.id, batches, tick)) for node in nodes)
    return [
        StateOperatorInfo(number, node.label, keys)
        for number, (node, keys) in enumerate(counts)
        if keys is not None
    ]


def _keys(node: int, batches: Iterable[MicroBatch], tick: int) -> int | None:
    for batch in batches:
        counts = batch.counts(node | COUNT_OF, tick)
        if counts and len(counts) == batch.slots:
            return sum(counts)
    return None
