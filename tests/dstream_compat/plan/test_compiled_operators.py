"""The operators of a plan are copies, complete when they are made."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import pytest

from dstream_compat.graph.nodes import Graph, OutputNode, ShuffleNode, SnapshotsNode, SourceNode
from dstream_compat.intervals.imported import Imported
from dstream_compat.plan.compile import compile_graph
from dstream_compat.source.queues.source import QueueSource
from dstream_compat.worker.operators.map_with_state import MapWithState
from dstream_compat.worker.operators.update_state import UpdateStateByKey

pytestmark = pytest.mark.slow


def test_the_operators_of_a_plan_are_made_for_it() -> None:
    """The graph stays as it was: it may be compiled again, for other partitions."""
    graph = Graph(1000, imported=Imported(0, 3000, 5000))
    source = SourceNode(graph.next_id(), (), 1000, "queue", QueueSource([], True, None))
    update = UpdateStateByKey(graph.next_id(), 2, 1000, 1000, max)
    updated = ShuffleNode(update.node, (source,), 1000, "updateStateByKey", update, True)
    mapped = MapWithState(graph.next_id(), 2, 1000, 1000, max, False, None, hash)
    states = ShuffleNode(mapped.node, (source,), 1000, "mapWithState", mapped, True)
    snapshots = SnapshotsNode(graph.next_id(), (states,), 1000, "stateSnapshots")
    for stream in (updated, states, snapshots):
        graph.outputs.append(OutputNode(graph.next_id(), (stream,), 1000, "out", print))
    [plan] = compile_graph(graph, 2)
    first, second = (op for stage in plan.slot_stages for op in stage.ops)
    assert (first.number, first.restored_until) == (0, 5000)
    assert (second.number, second.restored_until) == (1, 5000)
    assert second == replace(mapped, snapshots=True)
    assert (update.number, update.restored_until, mapped.number) == (0, 0, 0)
    assert not mapped.snapshots
    with pytest.raises(FrozenInstanceError):
        second.number = 2  # type: ignore[misc]
