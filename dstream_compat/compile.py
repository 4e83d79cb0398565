"""From a graph to the stages of one streaming query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from .engine.chain import Consumer, Layout, Narrow, ToOutput, ToShuffle, UnionSide
from .engine.runner import SlotStage, SourceStage
from .graph import (
    Graph,
    NarrowNode,
    Node,
    OutputNode,
    RDDNode,
    ShuffleNode,
    SnapshotsNode,
    SourceNode,
    UnionNode,
    children_of,
    in_driver,
    of_kind,
)
from .ops.base import MAIN, SNAPSHOTS
from .ops.map_with_state import MapWithState
from .slots import slots_for
from .source.base import Source


@dataclass(frozen=True)
class Plan:
    """What a query consists of.

    Parameters
    ----------
    sources : dict
        source node id to source
    source_stage : SourceStage
        the stage behind the sources
    slot_stages : tuple of SlotStage
        one per shuffle, in order
    initial : tuple of ShuffleNode
        operators with an initial state
    labels : tuple of str
        what each stage does, in the user's words
    """

    layout: Layout
    sources: dict[int, Source]
    source_stage: SourceStage
    slot_stages: tuple[SlotStage, ...]
    initial: tuple[ShuffleNode, ...]
    labels: tuple[str, ...]

    @property
    def stateful(self) -> bool:
        """Whether any stage keeps state."""
        return any(stage.stateful for stage in self.slot_stages)


class _Compiler:
    def __init__(self, graph: Graph, layout: Layout) -> None:
        self.layout = layout
        self.nodes = graph.reachable()
        self.children = children_of(self.nodes)
        self.known: dict[int, bool] = {}
        self.consumers: dict[int, list[Consumer]] = {}
        self.layers: dict[int, int] = {}

    def consumers_of(self, node: Node) -> list[Consumer]:
        """Return what happens to a stream's partitions until they leave their stage."""
        if node.id in self.consumers:
            return self.consumers[node.id]
        made: list[Consumer] = []
        exits = False
        for child in dict.fromkeys(self.children.get(node.id, ())):
            if in_driver(child, self.known):
                exits = True
            elif isinstance(child, NarrowNode):
                made.append(Narrow(child.fn, self.consumers_of(child)))
            elif isinstance(child, UnionNode):
                sides = [i for i, parent in enumerate(child.parents) if parent is node]
                made.extend(UnionSide(i, self.consumers_of(child)) for i in sides)
            elif isinstance(child, ShuffleNode):
                made.append(ToShuffle(child.id, child.op, child.op.by_partition))
        if exits:
            made.append(ToOutput(node.id))
        self.consumers[node.id] = made
        return made

    def layer(self, node: Node) -> int:
        """Return the number of shuffles on the longest way to a node."""
        if node.id not in self.layers:
            above = max((self.layer(parent) for parent in node.parents), default=0)
            self.layers[node.id] = above + (1 if isinstance(node, ShuffleNode) else 0)
        return self.layers[node.id]

    def slot_stages(self) -> tuple[SlotStage, ...]:
        """Return one stage per layer of shuffles."""
        layers: dict[int, list[ShuffleNode]] = {}
        for node in of_kind(self.nodes, ShuffleNode):
            if not in_driver(node, self.known):
                layers.setdefault(self.layer(node), []).append(node)
        return tuple(self._slot_stage(layers[number]) for number in sorted(layers))

    def _slot_stage(self, nodes: Sequence[ShuffleNode]) -> SlotStage:
        consumers = {}
        ops = []
        for node in nodes:
            op = node.op
            consumers[node.id, MAIN] = self.consumers_of(node)
            for child in self.children.get(node.id, ()):
                if isinstance(child, SnapshotsNode):
                    assert isinstance(op, MapWithState)
                    op = replace(op, snapshots=True)
                    key = node.id, SNAPSHOTS
                    consumers[key] = consumers.get(key, []) + self.consumers_of(child)
            ops.append(op)
        return SlotStage(self.layout, ops, consumers)


def compile_graph(graph: Graph, partitions: int) -> Plan:
    """Return the plan of a graph.

    Parameters
    ----------
    graph : Graph
        what the user built
    partitions : int
        number of shuffle partitions of the query
    """
    layout = Layout(slots_for(partitions))
    compiler = _Compiler(graph, layout)
    nodes = compiler.nodes
    stages = compiler.slot_stages()
    sources = {node.id: node for node in of_kind(nodes, SourceNode)}
    consumers = {i: compiler.consumers_of(node) for i, node in sources.items()}
    initial = tuple(n for n in of_kind(nodes, ShuffleNode) if n.initial is not None)
    return Plan(
        layout=layout,
        sources={i: node.source for i, node in sources.items()},
        source_stage=SourceStage(layout, consumers, last=not stages),
        slot_stages=stages,
        initial=initial,
        labels=_labels(compiler),
    )


def _labels(compiler: _Compiler) -> tuple[str, ...]:
    layers: dict[int, list[str]] = {}
    for node in compiler.nodes:
        if not isinstance(node, (OutputNode, RDDNode)):
            layers.setdefault(compiler.layer(node), []).append(node.label)
    return tuple(" -> ".join(layers[i]) for i in sorted(layers))
