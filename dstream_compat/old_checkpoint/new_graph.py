"""What of a job's graph has a counterpart in an old checkpoint, in the order of the old one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..graph.nodes import Graph, Node, ShuffleNode, SourceNode
from ..source.base import Source
from ..source.files.source import FileSource
from ..source.kafka.source import DirectSource
from ..worker.operators.map_with_state import MapWithState
from ..worker.operators.reduce_window import ReduceByKeyAndWindow
from ..worker.operators.update_state import UpdateStateByKey
from ..worker.operators.window import Window
from . import content


class NewState(NamedTuple):
    """An operator that keeps something, as ``OldState``."""

    node: ShuffleNode
    kind: str
    length: int | None = None
    slide: int | None = None

    @property
    def label(self) -> str:
        """What it is, for people."""
        return content.label_of(self.kind, self.length)


def in_order(graph: Graph) -> Iterator[Node]:
    """Yield the streams that outputs need, in the order in which their parents come up."""
    seen: set[int] = set()
    todo: list[tuple[Node, bool]] = [(output, False) for output in reversed(graph.outputs)]
    while todo:
        node, is_done = todo.pop()
        if is_done:
            yield node
        elif node.id not in seen:
            seen.add(node.id)
            todo.append((node, True))
            todo += [(parent, False) for parent in reversed(node.parents)]


def states_of(graph: Graph) -> list[NewState]:
    """Return the operators that keep something."""
    nodes = (node for node in in_order(graph) if isinstance(node, ShuffleNode))
    return [state for node in nodes if (state := _state(node)) is not None]


def _state(node: ShuffleNode) -> NewState | None:
    op = node.op
    if isinstance(op, UpdateStateByKey):
        return NewState(node, content.UPDATE)
    if isinstance(op, MapWithState):
        return NewState(node, content.MAP_WITH_STATE)
    if isinstance(op, ReduceByKeyAndWindow):
        kind = content.WINDOW if op.inverse is None else content.REDUCE
        return NewState(node, kind, op.length, op.slide)
    if isinstance(op, Window):
        return NewState(node, content.WINDOW, op.length, op.slide)
    return None


def sources_of(graph: Graph) -> dict[int, Source]:
    """Return the sources by their nodes."""
    return {node.id: node.source for node in in_order(graph) if isinstance(node, SourceNode)}


def kind_of(source: Source) -> str:
    """Return which kind of an old checkpoint's sources one is."""
    if isinstance(source, FileSource):
        return content.FILES
    if isinstance(source, DirectSource):
        return content.KAFKA
    return content.RECEIVER if source.receiver else content.OTHER


def reach_of(graph: Graph) -> int:
    """Return how many milliseconds before a batch the windows need, one behind another."""
    reach: dict[int, int] = {}
    lengths = {state.node.id: state.length or 0 for state in states_of(graph)}
    for node in in_order(graph):
        above = max((reach[parent.id] for parent in node.parents), default=0)
        reach[node.id] = above + lengths.get(node.id, 0)
    return max(reach.values(), default=0)


def windows_of_states(graph: Graph) -> list[str]:
    """Return the windows over what depends on a state: they cannot be filled again."""
    states = {state.node.id: state for state in states_of(graph)}
    below: set[int] = set()
    labels: list[str] = []
    for node in in_order(graph):
        state = states.get(node.id)
        depends = any(parent.id in below for parent in node.parents)
        if depends and state is not None and state.length is not None:
            labels.append(state.label)
        if depends or (state is not None and state.kind != content.WINDOW):
            below.add(node.id)
    return labels
