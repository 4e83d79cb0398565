"""What state and planned inputs depend on: the parts of a graph that a recovery must find again."""

from __future__ import annotations

from ..compile import compile_graph
from ..exceptions import CheckpointError
from ..graph import Graph

Shape = tuple[str, ...]


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
            f"{op.input_slide} ms, result every {op.slide} ms{op.kept}"
            for place, op in sorted(placed, key=lambda found: found[1].number)
            if op.stateful
        ]
    return tuple(lines)


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
    raise CheckpointError(
        f"the state in {folder} does not fit today's code.\nIn the checkpoint only:\n  "
        + "\n  ".join(gone or moved or ["nothing"])
        + "\nIn the code only:\n  "
        + "\n  ".join(new or moved or ["nothing"])
        + "\nSources and operators with state must stay as they were, in number and order; what is "
        "between them may change. Nothing was changed in the folder"
    )
