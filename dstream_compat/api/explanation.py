"""explain(): describes how each operator of a stream runs, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from ..batch.execution_mode import hindrance
from ..graph.nodes import (
    Graph,
    NarrowNode,
    Node,
    OutputNode,
    QueryPlace,
    RDDNode,
    ShuffleNode,
    SnapshotsNode,
    SourceNode,
    UnionNode,
    children_of,
    of_kind,
    place_of,
)
from ..plan.compile import layers_of
from ..plan.late_intervals import late_intervals
from ..settings import AUTO, NEVER, PARTITIONS
from ..source.tables.table import TableSource
from ..worker.columns.translated import Native, makes_pairs, native_of
from ..worker.operators.constant_pairs import ATOMS, Pairs
from ..worker.operators.record_functions import RecordFunction, count_records


class _Stage(NamedTuple):
    """Where operators run together: behind ``layer`` shuffles of a query, or in the driver."""

    query: int
    driver: bool
    layer: int

    @property
    def title(self) -> str:
        if self.driver:
            return f"Driver, on RDDs behind query {self.query + 1}"
        what = "reads the input" if self.layer == 0 else "behind a shuffle"
        return f"Query {self.query + 1}, stage {self.layer + 1}: {what}"


class _Line(NamedTuple):
    stage: _Stage
    node: int
    text: str


class _Explained:
    def __init__(self, graph: Graph, asked: Node, native: str, partitions: int, cores: int) -> None:
        self._native = native
        self._partitions, self._cores = partitions, cores
        output = OutputNode(graph.size + 1, (asked,), asked.slide, "explain", lambda _, __: None)
        whole = replace(graph, outputs=[*graph.outputs, output])
        self._all = [node for node in whole.reachable() if node is not output]
        self._children = children_of(self._all)
        self._nodes = replace(graph, outputs=[output]).reachable()[:-1]
        self._layers = layers_of(whole)
        self._whole = whole
        self._places: dict[int, QueryPlace] = {}

    def text(self) -> str:
        stages: dict[_Stage, list[str]] = {}
        for line in sorted(line for node in self._nodes for line in self._lines(node)):
            stages.setdefault(line.stage, []).append(line.text)
        blocks = ["\n".join([f"== {stage.title} ==", *stages[stage]]) for stage in stages]
        queries = sorted({stage.query for stage in stages if not stage.driver})
        tasks = [f"Query {query + 1}: {self._tasks(query)}" for query in queries]
        late = [f"Query {query + 1}: {self._late(query)}" for query in queries]
        ends = [["== Tasks ==", *tasks], ["== Late intervals ==", *late]]
        return "\n\n".join([*blocks, *map("\n".join, ends)]) + "\n"

    def _tasks(self, query: int) -> str:
        here = [
            node for node in self._all if place_of(node, self._places) == QueryPlace(query, False)
        ]
        stateful = any(node.op.stateful for node in of_kind(here, ShuffleNode))
        tables = any(isinstance(node.source, TableSource) for node in of_kind(here, SourceNode))
        why = hindrance(stateful, tables)
        if why is not None:
            advice = _advice(self._partitions, self._cores) if stateful else ""
            return f"one for each partition of each stage, as {why}{advice}"
        return "one for all stages of a small micro-batch, else one for each partition of each"

    def _late(self, query: int) -> str:
        if query:
            return f"one by one, each when query {query} has computed it"
        return late_intervals(self._whole).text

    def _stage(self, node: Node) -> _Stage:
        place = place_of(node, self._places)
        return _Stage(place.query, place.driver, self._layers.get(node.id, 0))

    def _lines(self, node: Node) -> Iterator[_Line]:
        stage = self._stage(node)
        if isinstance(node, ShuffleNode) and not stage.driver:
            for where, text in self._map_sides(node):
                yield _Line(where, node.id, f"{self._name(node)}, before its shuffle: {text}")
        yield _Line(stage, node.id, f"{self._name(node)}: {self._way(node, stage)}")

    def _name(self, node: Node) -> str:
        above = ", ".join(str(parent.id) for parent in node.parents)
        return f"({node.id}) {node.label}" + (f" of ({above})" if above else "")

    def _way(self, node: Node, stage: _Stage) -> str:
        match node:
            case SourceNode():
                return "input"
            case NarrowNode(fn=RecordFunction() as fn):
                return self._record_way(node, fn)
            case NarrowNode(fn=fn) if fn is count_records and self._gets_blocks(node):
                return "native: counts the texts of blocks"
            case NarrowNode():
                return "runs over each partition"
            case UnionNode(merged=True):
                return "puts partitions with the same number together, without a shuffle"
            case UnionNode():
                return "takes the partitions of all, without a shuffle"
            case ShuffleNode() if stage.driver:
                return "an operator of RDDs, as an RDD function comes before it"
            case ShuffleNode():
                return f"{node.op.slot_side}, in {_partitions(node.op.partitions)}"
            case SnapshotsNode():
                return "reads all states of that operator"
            case RDDNode():
                return "calls the function once per batch, with its RDD"
            case _:
                raise TypeError(f"{node.label} cannot be explained")

    def _record_way(self, node: Node, fn: RecordFunction) -> str:
        if not self._gets_blocks(node) or makes_pairs(fn):
            return fn.way
        native = native_of(fn)
        if isinstance(native, Native):
            ascii_only = " of ASCII; others are Python" if native.ascii else ""
            return f"native: {native.text} on blocks of texts{ascii_only}"
        return f"{fn.way}; not native: {native}"

    def _gets_blocks(self, node: Node) -> bool:
        """Return whether an operator reads texts, and may take them as blocks."""
        (parent,) = node.parents
        return self._native != NEVER and not self._stage(node).driver and self._is_text(parent)

    def _is_text(self, node: Node) -> bool:
        match node:
            case SourceNode():
                return node.source.texts
            case NarrowNode():
                return self._gets_blocks(node) and isinstance(native_of(node.fn), Native)
        return isinstance(node, UnionNode) and all(map(self._is_text, node.parents))

    def _map_sides(self, node: ShuffleNode) -> list[tuple[_Stage, str]]:
        """Return each way that records take to a shuffle, with the stage that they come from."""
        (parent,) = node.parents
        feeds = {
            (self._from(source, self._stage(node)), node.op.map_side(self._common_pairs(source)))
            for source in self._sources(parent)
        }
        return sorted(feeds)

    def _from(self, source: Node, stage: _Stage) -> _Stage:
        """Return the stage that a stream leaves; what the driver made is read like a source."""
        source_stage = self._stage(source)
        return stage._replace(layer=0) if source_stage.driver else source_stage

    def _sources(self, node: Node) -> Iterator[Node]:
        """Yield the streams whose records come to a stream as they are."""
        if isinstance(node, UnionNode) and not self._stage(node).driver:
            for parent in node.parents:
                yield from self._sources(parent)
        else:
            yield node

    def _common_pairs(self, node: Node) -> Pairs | None:
        """Return what all records of a stream have in common when an operator gets them."""
        if not (isinstance(node, NarrowNode) and isinstance(node.fn, RecordFunction)):
            return None
        pairs = node.fn.pairs
        if pairs is None or self._stage(node).driver:
            return None
        alone = len(self._children.get(node.id, ())) == 1
        return pairs if alone or type(pairs.constant) in ATOMS else None


def _partitions(number: int) -> str:
    return "one partition" if number == 1 else f"{number} partitions"


def _advice(partitions: int, cores: int) -> str:
    """Return what to do where cores have nothing to do with state."""
    if partitions >= cores:
        return ""
    return (
        f". The state is in {_partitions(partitions)}, and executors are to have {cores} cores: "
        f"{PARTITIONS}={cores} uses all in a new checkpoint folder, and in this one `python "
        f"-m dstream_compat checkpoint rescale FOLDER --partitions {cores}`"
    )


def explain_stream(
    graph: Graph, node: Node, native: str = AUTO, partitions: int = 1, cores: int = 1
) -> str:
    """Return what becomes of the records on their way to a stream, stage by stage.

    Parameters
    ----------
    graph : Graph
        what the user built so far
    node : Node
        the stream
    native : str
        whether texts are computed on blocks: ``auto``, ``always`` or ``never``
    partitions : int
        in which state is kept
    cores : int
        that executors have, or are to have
    """
    return _Explained(graph, node, native, partitions, cores).text()
