"""The shape of a graph: what a recovered job must have unchanged to use its state and inputs.

Decision 0009: State and input are stored by place, so that new code can continue with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from ..exceptions import CheckpointError
from ..graph.nodes import Graph, Node, SourceNode, of_kind, stream_names
from ..plan.compile import compile_graph

Shape = tuple[str, ...]

_PARTITIONS: Final = re.compile(r" \d+ partitions,")


class Origin(NamedTuple):
    """A source or a state, in the order in which a checkpoint refers to them.

    Parameters
    ----------
    text : str
        what it is, for people
    name : str
        what it is computed by, and of what; see ``stream_names``
    """

    text: str
    name: str

    @property
    def kind(self) -> str:
        """The name without what tells streams apart that are computed alike."""
        return self.name.rpartition("-")[0]


def shape_of(graph: Graph, partitions: int) -> Shape:
    """Return one line for each thing that a checkpoint refers to by its place.

    Parameters
    ----------
    graph : Graph
        what the user built
    partitions : int
        shuffle partitions of each query
    """
    lines = [f"batch interval of {graph.interval} ms"]
    labels = {node.id: node.label for node in graph.reachable()}
    for number, plan in enumerate(compile_graph(graph, partitions)):
        query = f"query {number + 1}"
        lines += [f"{query}: source {type(source).__name__}" for source in plan.sources.values()]
        lines += [f"{query}: reads a stream behind {node.label}" for node in plan.handed]
        stages = [stage for stage in plan.slot_stages if stage.stateful]
        placed = [(place, op) for place, stage in enumerate(stages, 1) for op in stage.ops]
        lines += [
            f"{query}, stage {place}: {labels[op.node]}, {op.partitions} partitions, input every "
            f"{op.input_slide} ms, result every {op.slide} ms{op.state_traits}"
            for place, op in sorted(placed, key=lambda found: found[1].number)
            if op.stateful
        ]
    return tuple(lines)


def origins_of(graph: Graph, partitions: int) -> tuple[Origin, ...]:
    """Return the sources of a graph, then its states; the parameters are those of ``shape_of``."""
    nodes = {node.id: node for node in graph.reachable()}
    names = stream_names(graph)
    origins: list[Node] = list(of_kind(nodes.values(), SourceNode))
    for plan in compile_graph(graph, partitions):
        ops = [op for stage in plan.slot_stages for op in stage.ops if op.stateful]
        origins += [nodes[op.node] for op in sorted(ops, key=lambda op: op.number)]
    return tuple(Origin(_text(node), names[node.id]) for node in origins)


def _text(node: Node) -> str:
    above: dict[int, Node] = {}
    todo = list(node.parents)
    while todo:
        parent = todo.pop()
        if parent.id not in above:
            above[parent.id] = parent
            todo.extend(parent.parents)
    sources = [above[i].label for i in sorted(above) if isinstance(above[i], SourceNode)]
    return f"{node.label} of {', '.join(sources)}" if sources else node.label


def check_origins(then: Sequence[Origin], now: Sequence[Origin], folder: str) -> None:
    """Refuse to give what a checkpoint has of one source or state to another one.

    What is new in its place may be an edited version of what was there; what stands in another
    place than before is not.

    Raises
    ------
    CheckpointError
        with those that have moved
    """
    changed = [(old, new) for old, new in zip(then, now, strict=True) if old.kind != new.kind]
    gone, come = {old.kind for old, _ in changed}, {new.kind for _, new in changed}
    moved = [
        f"{old.text} in the checkpoint, {new.text} in the code"
        for old, new in changed
        if old.kind in come or new.kind in gone
    ]
    if moved:
        raise CheckpointError(
            f"sources or states in {folder} have another order in the current code:\n  "
            + "\n  ".join(moved)
            + "\nThe checkpoint finds sources and states by their order. Define them in the order "
            "of the code that wrote it. Nothing was changed in the folder"
        )


def check_shape(then: Shape, now: Shape, folder: str) -> None:
    """Refuse to give a checkpoint's state to a graph that it does not fit.

    Raises
    ------
    CheckpointError
        with the lines that differ
    """
    if then == now:
        return
    gone = [line for line in then if then.count(line) > now.count(line)]
    new = [line for line in now if now.count(line) > then.count(line)]
    moved = [] if gone or new else ["the same parts in another order"]
    counts = ""
    if [_PARTITIONS.sub("", line) for line in then] == [_PARTITIONS.sub("", line) for line in now]:
        counts = (
            "Where numPartitions is not given, the number is that of the cores that executors "
            "have, or are to have: set spark.default.parallelism to the number in the "
            "checkpoint.\n"
        )
    raise CheckpointError(
        f"the state in {folder} does not fit the current code.\nIn the checkpoint only:\n  "
        + "\n  ".join(gone or moved or ["nothing"])
        + "\nIn the code only:\n  "
        + "\n  ".join(new or moved or ["nothing"])
        + f"\n{counts}Sources and operators with state must stay as they were, in number and "
        "order; what is between them may change. Nothing was changed in the folder"
    )
