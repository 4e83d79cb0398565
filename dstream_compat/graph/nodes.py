"""The immutable graph that user calls build: a handful of node kinds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Any, NamedTuple

from pyspark import RDD

from ..intervals.imported import Imported
from ..source.base import Source
from ..worker.chain import PartitionFunction
from ..worker.operators.base import SlotOp
from ..worker.reading.entries import StoredPairs


@dataclass(eq=False, frozen=True)
class Node:
    """A stream: one collection of records per batch.

    Parameters
    ----------
    id : int
        number within the graph, in order of definition
    parents : tuple of Node
        what it is computed from
    slide : int
        milliseconds between two of its batches
    label : str
        the user's name for it, such as ``map`` or ``reduceByKey``
    whole : int, optional
        the first of the nodes that what the user called is made of, if it is of several
    """

    id: int
    parents: tuple[Node, ...]
    slide: int
    label: str
    whole: int | None = field(default=None, kw_only=True)


@dataclass(eq=False, frozen=True)
class SourceNode(Node):
    """A stream of records from outside."""

    source: Source


@dataclass(eq=False, frozen=True)
class NarrowNode(Node):
    """Each partition is a function of one partition of the parent.

    Parameters
    ----------
    keeps : bool
        keys stay as they are, so the result is partitioned as the parent is
    """

    fn: PartitionFunction
    keeps: bool = False


@dataclass(eq=False, frozen=True)
class UnionNode(Node):
    """The partitions of all parents, in order.

    Parameters
    ----------
    merged : bool
        the parents are partitioned alike: partition p is made of partition p of each
    """

    merged: bool = False


@dataclass(eq=False, frozen=True)
class ShuffleNode(Node):
    """The result of an operator behind a shuffle."""

    op: SlotOp
    needs_checkpoint: bool = False


@dataclass(eq=False, frozen=True)
class SnapshotsNode(Node):
    """All keys and states of a mapWithState parent."""


@dataclass(eq=False, frozen=True)
class RDDNode(Node):
    """A function of the driver over the RDDs of its parents.

    Parameters
    ----------
    keeps : bool
        the result is partitioned as the first parent is
    """

    fn: Callable[..., Any]
    keeps: bool = False


@dataclass(eq=False, frozen=True)
class OutputNode(Node):
    """An action of the driver on each RDD of its parent."""

    action: Callable[[datetime, Any], Any]


class InitialPairs(NamedTuple):
    """The (key, state) pairs that the state of an operator begins with.

    Parameters
    ----------
    rdd : RDD
        the pairs
    parts : sequence of StoredPairs
        where they are stored, if tasks can read them from there
    """

    rdd: RDD[Any]
    parts: Sequence[StoredPairs] = ()


@dataclass
class Graph:
    """The streams, outputs and settings that a program has defined on a StreamingContext.

    Parameters
    ----------
    interval : int
        batch interval in milliseconds
    outputs : list of OutputNode
        what to run, in order of definition
    persisted : dict
        node id to the storage level that the user asked for
    checkpointed : dict
        node id to the checkpoint interval (milliseconds) that the user asked for
    sites : dict
        output node id to the user's lines that defined it, innermost first
    inputs : dict
        source node id to its number among the sources, which listeners are told
    initial : dict
        operator's node id to what its state begins with; not saved
    remember : int, optional
        milliseconds for which past batches of all streams are kept
    imported : Imported, optional
        where it goes on, if its state came from a checkpoint of Spark's DStreams
    """

    interval: int
    outputs: list[OutputNode] = field(default_factory=list)
    persisted: dict[int, Any] = field(default_factory=dict)
    checkpointed: dict[int, int] = field(default_factory=dict)
    sites: dict[int, tuple[str, ...]] = field(default_factory=dict)
    inputs: dict[int, int] = field(default_factory=dict)
    initial: dict[int, InitialPairs] = field(default_factory=dict)
    remember: int | None = None
    size: int = 0
    imported: Imported | None = None

    def __getstate__(self) -> dict[str, Any]:
        # An RDD cannot be saved, and a run that can be recovered has taken its records over.
        return {**self.__dict__, "initial": {}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Graphs that were saved before there were these have none.
        self.__dict__.update({"checkpointed": {}, "imported": None, "initial": {}} | state)

    def next_id(self) -> int:
        """Return a fresh node id."""
        self.size += 1
        return self.size

    def reachable(self) -> list[Node]:
        """Return the nodes that outputs need, parents before children."""
        nodes: dict[int, Node] = {}
        todo: list[Node] = list(self.outputs)
        while todo:
            node = todo.pop()
            if node.id not in nodes:
                nodes[node.id] = node
                todo.extend(node.parents)
        return [nodes[i] for i in sorted(nodes)]


def with_sources(graph: Graph, sources: Mapping[int, Source]) -> Graph:
    """Return a graph that reads other sources.

    Parameters
    ----------
    graph : Graph
        what the user built; it stays as it is
    sources : mapping
        source node id to what stands there instead
    """
    copies: dict[int, Node] = {}
    for node in graph.reachable():
        if isinstance(node, SourceNode):
            copies[node.id] = replace(node, source=sources.get(node.id, node.source))
        else:
            copies[node.id] = replace(
                node, parents=tuple(copies[parent.id] for parent in node.parents)
            )
    outputs = [copies[output.id] for output in graph.outputs]
    return replace(graph, outputs=[node for node in outputs if isinstance(node, OutputNode)])


class QueryPlace(NamedTuple):
    """Where a stream is computed.

    Parameters
    ----------
    query : int
        number of the streaming query; state behind an RDD function begins a further one
    driver : bool
        True for what functions of the driver compute from the RDDs of that query and earlier ones
    """

    query: int
    driver: bool


def place_of(node: Node, places: dict[int, QueryPlace]) -> QueryPlace:
    """Return where a stream is computed; ``places`` remembers the answers."""
    if node.id not in places:
        above = [place_of(parent, places) for parent in node.parents]
        query = max((place.query for place in above), default=0)
        together = all(place == QueryPlace(query, False) for place in above)
        if isinstance(node, (RDDNode, OutputNode)):
            places[node.id] = QueryPlace(query, True)
        elif together:
            places[node.id] = QueryPlace(query, False)
        elif isinstance(node, ShuffleNode) and node.op.stateful:
            places[node.id] = QueryPlace(query + 1, False)
        else:
            places[node.id] = QueryPlace(query, True)
    return places[node.id]


def children_of(nodes: Iterable[Node]) -> dict[int, list[Node]]:
    """Return the children of each node, a self-union's twice."""
    children: dict[int, list[Node]] = {}
    for node in nodes:
        for parent in node.parents:
            children.setdefault(parent.id, []).append(node)
    return children


def inner_streams(nodes: Collection[Node]) -> frozenset[int]:
    """Return the streams of queries that nothing else reads: what they are is not kept."""
    places: dict[int, QueryPlace] = {}
    needed = {
        parent.id
        for node in nodes
        for parent in node.parents
        if place_of(parent, places) != place_of(node, places)
    }
    return frozenset(
        node.id for node in nodes if node.id not in needed and not place_of(node, places).driver
    )


def stream_names(graph: Graph) -> dict[int, str]:
    """Return a name for each stream of a graph: what it is computed by, and of what.

    Streams that are computed alike are told apart by their order.
    """
    digests: dict[int, str] = {}
    names: dict[int, str] = {}
    seen: dict[str, int] = {}
    for node in graph.reachable():
        above = [digests[parent.id] for parent in node.parents]
        text = repr((type(node).__name__, node.label, node.slide, above))
        digest = digests[node.id] = sha256(text.encode()).hexdigest()
        seen[digest] = seen.get(digest, 0) + 1
        names[node.id] = f"{digest}-{seen[digest]}"
    return names


def of_kind(nodes: Iterable[Node], kind: type) -> Iterator[Any]:
    """Yield the nodes of one kind."""
    return (node for node in nodes if isinstance(node, kind))
