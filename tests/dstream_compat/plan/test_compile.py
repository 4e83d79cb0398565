"""Graphs become stages, one behind each layer of shuffles; without Spark."""

from __future__ import annotations

from typing import Any

import pytest

from dstream_compat.graph.nodes import (
    Graph,
    NarrowNode,
    Node,
    OutputNode,
    RDDNode,
    ShuffleNode,
    SnapshotsNode,
    SourceNode,
    UnionNode,
)
from dstream_compat.plan.compile import Plan, compile_graph, layers_of
from dstream_compat.source.queues.source import QueueSource
from dstream_compat.worker.chain import Narrow, ToOutput, ToShuffle, UnionSide
from dstream_compat.worker.operators.base import MAIN, SNAPSHOTS
from dstream_compat.worker.operators.map_with_state import MapWithState
from dstream_compat.worker.operators.partition import PartitionBy
from dstream_compat.worker.operators.update_state import UpdateStateByKey


def latest(new: list[Any], old: Any) -> Any:
    return new[-1] if new else old


def same(number: int, records: Any) -> Any:
    return records


class Building:
    """Makes a graph node by node."""

    def __init__(self) -> None:
        self.graph = Graph(1000)

    def source(self) -> Node:
        queue = QueueSource([], True, None)
        return SourceNode(self.graph.next_id(), (), 1000, "queueStream", queue)

    def map(self, *above: Node) -> Node:
        return NarrowNode(self.graph.next_id(), above, 1000, "map", same)

    def union(self, *above: Node, merged: bool = False) -> Node:
        return UnionNode(self.graph.next_id(), above, 1000, "union", merged)

    def transform(self, *above: Node) -> Node:
        return RDDNode(self.graph.next_id(), above, 1000, "transform", print)

    def shuffle(self, above: Node) -> Node:
        number = self.graph.next_id()
        return ShuffleNode(
            number, (above,), 1000, "partitionBy", PartitionBy(number, 2, 1000, 1000, hash)
        )

    def update(self, above: Node) -> Node:
        number = self.graph.next_id()
        op = UpdateStateByKey(number, 2, 1000, 1000, latest)
        return ShuffleNode(number, (above,), 1000, "updateStateByKey", op)

    def output(self, above: Node) -> None:
        made = OutputNode(self.graph.next_id(), (above,), 1000, "foreachRDD", print)
        self.graph.outputs.append(made)

    def plans(self) -> tuple[Plan, ...]:
        return compile_graph(self.graph, 3)


@pytest.fixture
def build() -> Building:
    return Building()


def operators(plan: Plan) -> list[list[int]]:
    """The nodes of the operators of each slot stage."""
    return [[op.node for op in stage.ops] for stage in plan.slot_stages]


def test_without_a_shuffle_there_is_one_stage(build: Building) -> None:
    source = build.source()
    mapped = build.map(source)
    build.output(mapped)
    [plan] = build.plans()
    assert [*plan.sources] == [source.id]
    assert (plan.slot_stages, plan.stateful) == ((), False)
    [consumer] = plan.source_stage._consumers[source.id]
    assert consumer == Narrow(same, [ToOutput(mapped.id)])
    assert plan.labels == ("queueStream -> map",)
    assert [*plan.parts_to_ship()] == [f"source-{source.id}"]


def test_a_stage_has_the_shuffles_of_one_layer(build: Building) -> None:
    source = build.source()
    first, beside = build.shuffle(source), build.shuffle(source)
    second = build.shuffle(build.union(build.map(first), source))
    for each in (beside, second):
        build.output(each)
    [plan] = build.plans()
    assert operators(plan) == [[first.id, beside.id], [second.id]]
    assert plan.slot_name(1) == f"slots-{second.id}"
    assert layers_of(build.graph) == {
        node.id: layer
        for layer, nodes in {
            0: [source],
            1: [first, beside, *second.parents, *second.parents[0].parents[:1]],
            2: [second],
        }.items()
        for node in nodes
    }


def test_what_several_outputs_read_leaves_its_stage_once(build: Building) -> None:
    source = build.source()
    build.output(source)
    build.output(source)
    [plan] = build.plans()
    assert plan.source_stage._consumers[source.id] == [ToOutput(source.id)]


def test_sides_of_a_union_keep_their_order(build: Building) -> None:
    source = build.source()
    both = build.union(source, build.map(source), source)
    build.output(both)
    [plan] = build.plans()
    found = plan.source_stage._consumers[source.id]
    then = [ToOutput(both.id)]
    assert found == [
        Narrow(same, [UnionSide(1, then)]),
        UnionSide(0, then),
        UnionSide(2, then),
    ]


def test_pieces_of_merged_partitions_are_numbered(build: Building) -> None:
    one, two = build.shuffle(build.source()), build.shuffle(build.source())
    pair = build.union(one, two, merged=True)
    whole = build.union(pair, one, merged=True)
    build.output(whole)
    [plan] = build.plans()
    [stage] = plan.slot_stages
    then = [ToOutput(whole.id)]
    [of_pair, beside] = stage._consumers[one.id, MAIN]
    assert of_pair == UnionSide(0, [UnionSide(0, then, merged=True)], merged=True)
    assert beside == UnionSide(2, then, merged=True)
    [second] = stage._consumers[two.id, MAIN]
    assert second == UnionSide(1, [UnionSide(0, then, merged=True)], merged=True)


def test_state_behind_a_function_of_the_driver_begins_a_query(build: Building) -> None:
    source = build.source()
    rdds = build.transform(source)
    state = build.update(rdds)
    build.output(state)
    first, second = build.plans()
    assert [*first.sources] == [source.id]
    assert (first.handed, first.stateful) == ((), False)
    assert not second.sources
    assert second.handed == (rdds,)
    assert second.stateful
    assert operators(second) == [[state.id]]
    [to_state] = second.source_stage._consumers[rdds.id]
    assert isinstance(to_state, ToShuffle)
    assert to_state.node == state.id
    assert second.source_name == f"source-{rdds.id}"


def test_state_is_numbered_by_its_order_and_not_by_nodes(build: Building) -> None:
    source = build.source()
    build.map(source)
    first, between = build.update(source), build.shuffle(source)
    second = build.update(source)
    for each in (first, between, second):
        build.output(each)
    [plan] = build.plans()
    numbers = {op.node: op.number for stage in plan.slot_stages for op in stage.ops}
    assert (numbers[first.id], numbers[second.id]) == (0, 1)


def test_the_graph_of_the_user_stays_as_it_was(build: Building) -> None:
    source = build.source()
    build.output(build.update(source))
    state = build.update(source)
    build.output(state)
    build.plans()
    assert isinstance(state, ShuffleNode)
    assert state.op.number == 0


def test_remembered_streams_leave_their_stages(build: Building) -> None:
    source = build.source()
    mapped = build.map(source)
    build.output(build.map(mapped))
    build.graph.remember = 5000
    [plan] = build.plans()
    [of_source, kept] = plan.source_stage._consumers[source.id]
    assert kept == ToOutput(source.id)
    assert isinstance(of_source, Narrow)
    assert ToOutput(mapped.id) in of_source.then


def test_snapshots_are_made_only_where_they_are_read(build: Building) -> None:
    source = build.source()
    made = [mapped_with_state(build, source) for _ in range(2)]
    read = SnapshotsNode(build.graph.next_id(), (made[1],), 1000, "stateSnapshots")
    build.output(made[0])
    build.output(read)
    [plan] = build.plans()
    [stage] = plan.slot_stages
    found: Any = {op.node: op for op in stage.ops}
    assert [found[each.id].snapshots for each in made] == [False, True]
    assert stage._consumers[made[1].id, SNAPSHOTS] == [ToOutput(read.id)]


def mapped_with_state(build: Building, above: Node) -> Node:
    number = build.graph.next_id()
    op = MapWithState(number, 2, 1000, 1000, print, True, None, hash)
    return ShuffleNode(number, (above,), 1000, "mapWithState", op)
