"""Streams have names that an edit of other code does not change."""

from __future__ import annotations

from typing import Any

from dstream_compat.graph.nodes import Graph, Node, OutputNode, RDDNode, stream_names


def graph_of(first: int, *labels: str) -> Graph:
    """Return a chain of streams that an output reads."""
    graph, above = Graph(1000), ()
    node: Any = None
    for number, label in enumerate(labels, first):
        node = RDDNode(number, above, 1000, label, print)
        above = (node,)  # type: ignore[assignment]
    graph.outputs.append(OutputNode(first + len(labels), above, 1000, "foreachRDD", print))
    return graph


def test_names_do_not_depend_on_numbers() -> None:
    one, two = stream_names(graph_of(0, "a", "b")), stream_names(graph_of(5, "a", "b"))
    assert list(one.values()) == list(two.values())
    assert len(set(one.values())) == 3
    assert one != two


def test_names_depend_on_what_is_above() -> None:
    one, two = stream_names(graph_of(0, "a", "b")), stream_names(graph_of(0, "x", "b"))
    assert not set(one.values()) & set(two.values())


def test_streams_that_are_alike_have_names_of_their_own() -> None:
    graph = Graph(1000)
    same: list[Node] = [RDDNode(number, (), 1000, "map", print) for number in range(2)]
    for number, node in enumerate(same, 2):
        graph.outputs.append(OutputNode(number, (node,), 1000, "foreachRDD", print))
    assert len(set(stream_names(graph).values())) == 4
