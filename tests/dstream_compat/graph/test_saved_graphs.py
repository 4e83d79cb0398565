"""What of a graph is saved, and graphs that earlier versions have saved."""

from __future__ import annotations

import pickle
from typing import Any

from dstream_compat.graph.nodes import Graph, OutputNode, ShuffleNode, SourceNode
from dstream_compat.plan.compile import compile_graph
from dstream_compat.source.queues.source import QueueSource
from dstream_compat.worker.operators.update_state import UpdateStateByKey


def graph_of_a_state() -> tuple[Graph, ShuffleNode]:
    graph = Graph(1000)
    source = SourceNode(graph.next_id(), (), 1000, "queue", QueueSource([], True, None))
    number = graph.next_id()
    op = UpdateStateByKey(number, 2, 1000, 1000, max)
    state = ShuffleNode(number, (source,), 1000, "updateStateByKey", op, True)
    graph.outputs.append(OutputNode(graph.next_id(), (state,), 1000, "out", print))
    return graph, state


def again(graph: Graph) -> Graph:
    found: Graph = pickle.loads(pickle.dumps(graph))
    return found


def test_initial_states_are_not_saved() -> None:
    graph, state = graph_of_a_state()
    rdd: Any = lambda: "cannot be pickled"  # noqa: E731
    graph.initial[state.id] = rdd
    [plan] = compile_graph(graph, 2)
    assert plan.initial == {state: rdd}
    [recovered] = compile_graph(again(graph), 2)
    assert recovered.initial == {}
    assert graph.initial == {state.id: rdd}


def test_nodes_that_were_saved_with_their_initial_state() -> None:
    graph, state = graph_of_a_state()
    vars(state)["initial"] = None
    for later in ("initial", "checkpointed", "imported"):
        del vars(graph)[later]
    vars(graph)["checkpointed"] = {state.id: 5000}
    state_before = {**vars(graph)}
    found = Graph(0)
    found.__setstate__(pickle.loads(pickle.dumps(state_before)))
    assert (found.initial, found.checkpointed, found.imported) == ({}, {state.id: 5000}, None)
    [plan] = compile_graph(found, 2)
    assert plan.initial == {}
    assert [op.node for stage in plan.slot_stages for op in stage.ops] == [state.id]
