"""From a graph to the stages of one streaming query.

Decision 0001: One pipeline of stages in one streaming query.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..graph.nodes import (
    Graph,
    InitialPairs,
    NarrowNode,
    Node,
    QueryPlace,
    ShuffleNode,
    SnapshotsNode,
    SourceNode,
    UnionNode,
    children_of,
    of_kind,
    place_of,
)
from ..graph.placement import pieces_of
from ..settings import NEVER
from ..source.base import Source
from ..source.tables.table import Table, TableRun, TableSource
from ..worker.chain import Consumer, Layout, Narrow, ToOutput, ToShuffle, UnionSide
from ..worker.memory import worker_memory
from ..worker.operators.base import MAIN, SNAPSHOTS, SlotOp
from ..worker.operators.hashing import key_hash, partition_pairs
from ..worker.operators.map_with_state import MapWithState
from ..worker.stages import PairCutter, SlotStage, SourceStage
from .slots import slots_for


@dataclass(frozen=True)
class Plan:
    """The parts of one streaming query.

    Parameters
    ----------
    sources : dict
        source node id to source; empty in a query behind another one
    handed : tuple of Node
        streams of the driver that an earlier query hands over to this one
    source_stage : SourceStage
        the stage behind the sources
    tables : tuple of TableRun
        what Spark reads beside our own source
    slot_stages : tuple of SlotStage
        one per shuffle, in order
    initial : dict
        operators with an initial state, to its (key, state) pairs
    labels : tuple of str
        what each stage does, in the user's words
    """

    layout: Layout
    sources: dict[int, Source]
    handed: tuple[Node, ...]
    source_stage: SourceStage
    tables: tuple[TableRun, ...]
    slot_stages: tuple[SlotStage, ...]
    initial: Mapping[ShuffleNode, InitialPairs]
    labels: tuple[str, ...]

    def parts_to_ship(self) -> dict[str, object]:
        """Return the parts with functions that go to workers, by name."""
        stages = {self.slot_name(number): stage for number, stage in enumerate(self.slot_stages)}
        return {self.source_name: self.source_stage, **stages}

    # Names tell the parts of all queries of a context apart, by nodes of its graph.

    @property
    def source_name(self) -> str:
        """The name of the source stage."""
        return f"source-{min((*self.sources, *(node.id for node in self.handed)), default=0)}"

    def slot_name(self, number: int) -> str:
        """Return the name of a slot stage."""
        return f"slots-{self.slot_stages[number].ops[0].node}"

    @property
    def stateful(self) -> bool:
        """Whether any stage keeps state."""
        return any(stage.stateful for stage in self.slot_stages)


class _Compiler:
    def __init__(self, graph: Graph, layout: Layout, query: int) -> None:
        self.layout = layout
        reachable = graph.reachable()
        self.children = children_of(reachable)
        self.known: dict[int, QueryPlace] = {}
        self.here = QueryPlace(query, False)
        self.sliceable = graph.remember is not None
        self.nodes = [node for node in reachable if self.is_here(node)]
        self.ops = self._ops(0 if graph.imported is None else graph.imported.until)
        self.consumers: dict[int, list[Consumer]] = {}
        self.layers: dict[int, int] = {}

    def _ops(self, restored_until: int) -> dict[int, SlotOp]:
        """Return the operators as they are in the plan: the graph stays as the user built it."""
        nodes = list(of_kind(self.nodes, ShuffleNode))
        # State is stored by these numbers: node ids change with every edit of the user's code.
        stateful = [node.id for node in nodes if node.op.stateful]
        memory = worker_memory()
        ops: dict[int, SlotOp] = {}
        for node in nodes:
            op: SlotOp = replace(node.op, memory=memory)
            if op.stateful:
                number = stateful.index(node.id)
                op = replace(op, number=number, restored_until=restored_until)
            if any(isinstance(child, SnapshotsNode) for child in self.children.get(node.id, ())):
                assert isinstance(op, MapWithState)
                op = replace(op, snapshots=True)
            ops[node.id] = op
        return ops

    def is_here(self, node: Node) -> bool:
        """Return whether this query computes a stream."""
        return place_of(node, self.known) == self.here

    def driver_streams(self) -> tuple[Node, ...]:
        """Return the streams of the driver that operators of this query read."""
        parents = (parent for node in self.nodes for parent in node.parents)
        return tuple(dict.fromkeys(p for p in parents if not self.is_here(p)))

    def consumers_of(self, node: Node) -> list[Consumer]:
        """Return what happens to a stream's partitions until they leave their stage."""
        if node.id in self.consumers:
            return self.consumers[node.id]
        consumers: list[Consumer] = []
        exits = self.sliceable and self.is_here(node)
        for child in dict.fromkeys(self.children.get(node.id, ())):
            if not self.is_here(child):
                exits = exits or self.is_here(node)
            elif isinstance(child, NarrowNode):
                consumers.append(Narrow(child.fn, self.consumers_of(child)))
            elif isinstance(child, UnionNode):
                sides = [i for i, parent in enumerate(child.parents) if parent is node]
                then = self.consumers_of(child)
                if child.merged:
                    before = [sum(map(pieces_of, child.parents[:i])) for i in sides]
                    consumers.extend(UnionSide(first, then, merged=True) for first in before)
                else:
                    consumers.extend(UnionSide(i, then) for i in sides)
            elif isinstance(child, ShuffleNode):
                consumers.append(ToShuffle(child.id, self.ops[child.id], child.op.by_partition))
        if exits:
            consumers.append(ToOutput(node.id))
        self.consumers[node.id] = consumers
        return consumers

    def layer(self, node: Node) -> int:
        """Return the number of shuffles on the longest way to a node."""
        if node.id not in self.layers:
            parents = filter(self.is_here, node.parents)
            above = max((self.layer(parent) for parent in parents), default=0)
            self.layers[node.id] = above + (1 if isinstance(node, ShuffleNode) else 0)
        return self.layers[node.id]

    def slot_stages(self) -> tuple[SlotStage, ...]:
        """Return one stage per layer of shuffles."""
        layers: dict[int, list[ShuffleNode]] = {}
        for node in of_kind(self.nodes, ShuffleNode):
            layers.setdefault(self.layer(node), []).append(node)
        return tuple(self._slot_stage(layers[number]) for number in sorted(layers))

    def _slot_stage(self, nodes: Sequence[ShuffleNode]) -> SlotStage:
        consumers = {}
        for node in nodes:
            consumers[node.id, MAIN] = self.consumers_of(node)
            for child in self.children.get(node.id, ()):
                if isinstance(child, SnapshotsNode):
                    key = node.id, SNAPSHOTS
                    consumers[key] = consumers.get(key, []) + self.consumers_of(child)
        return SlotStage(self.layout, [self.ops[node.id] for node in nodes], consumers)


def compile_graph(graph: Graph, partitions: int, native: str = NEVER) -> tuple[Plan, ...]:
    """Return the plans of a graph's queries, each behind the one before.

    Parameters
    ----------
    graph : Graph
        what the user built
    partitions : int
        number of shuffle partitions of each query
    native : str
        whether texts are computed on blocks: ``auto``, ``always`` or ``never``
    """
    places: dict[int, QueryPlace] = {}
    last = max(place_of(node, places).query for node in graph.reachable())
    layout = Layout(slots_for(partitions))
    compilers = [_Compiler(graph, layout, query) for query in range(last + 1)]
    return tuple(_plan(compiler, graph.initial, native) for compiler in compilers)


def _plan(compiler: _Compiler, initial: Mapping[int, InitialPairs], native: str) -> Plan:
    nodes = compiler.nodes
    stages = compiler.slot_stages()
    sources = {node.id: node for node in of_kind(nodes, SourceNode)}
    handed = compiler.driver_streams()
    consumers = {node.id: compiler.consumers_of(node) for node in (*sources.values(), *handed)}
    tables = _tables(sources.values())
    stage = SourceStage(
        compiler.layout,
        consumers,
        last=not stages,
        tables=[table.reader for table in tables],
        texts=[i for i, node in sources.items() if node.source.texts],
        native=native,
        initial={op.node: _cutter(op) for op in compiler.ops.values() if op.stateful},
    )
    return Plan(
        layout=compiler.layout,
        sources={i: node.source for i, node in sources.items()},
        handed=handed,
        source_stage=stage,
        tables=tables,
        slot_stages=stages,
        initial={n: initial[n.id] for n in of_kind(nodes, ShuffleNode) if n.id in initial},
        labels=_labels(compiler),
    )


def _cutter(op: SlotOp) -> PairCutter:
    partition_of = getattr(op, "partition_of", key_hash)
    return partial(partition_pairs, partitions=op.partitions, partition_of=partition_of)


def _tables(nodes: Iterable[SourceNode]) -> tuple[TableRun, ...]:
    """Return each table that sources read, once."""
    tables: dict[Table, list[int]] = {}
    for node in nodes:
        if isinstance(node.source, TableSource):
            tables.setdefault(node.source.table, []).append(node.id)
    return tuple(TableRun(table, table.reader(ids), ids) for table, ids in tables.items())


def _labels(compiler: _Compiler) -> tuple[str, ...]:
    layers: dict[int, list[str]] = {}
    named: set[int] = set()
    for node in compiler.nodes:
        first = node.id if node.whole is None else node.whole
        if first not in named:
            named.add(first)
            layers.setdefault(compiler.layer(node), []).append(node.label)
    return tuple(" -> ".join(layers[i]) for i in sorted(layers))


def layers_of(graph: Graph) -> dict[int, int]:
    """Return for each stream that a query computes how many shuffles are in front of it there.

    Streams that functions of the driver compute are left out.

    Parameters
    ----------
    graph : Graph
        what the user built
    """
    places: dict[int, QueryPlace] = {}
    last = max(place_of(node, places).query for node in graph.reachable())
    compilers = [_Compiler(graph, Layout(()), query) for query in range(last + 1)]
    return {node.id: each.layer(node) for each in compilers for node in each.nodes}
