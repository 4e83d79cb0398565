"""The order in which records arrive: where it is kept, and where it is nothing to rely on."""

from __future__ import annotations

from ..program.graph import ROW_BY_ROW, Node, Output, Stage
from ..registry import OPERATORS

KEEPING = ROW_BY_ROW | {"cache", "checkpoint", "persist", "rdd", "transform", "union"}
CALLED = frozenset(("mapWithState", "updateStateByKey"))
"""Methods that hand the values of a key to a function in their order."""


def is_shuffled(node: Node) -> bool:
    """Return whether records have no promised order before this."""
    return any(
        each.operator in OPERATORS and OPERATORS[each.operator].stage >= Stage.STATE
        for each in node.path()
    )


def is_in_order(node: Node) -> bool:
    """Return whether records come in the order in which they arrived, as those of a socket do."""
    return all(
        each.operator == "socketTextStream" if each.is_source else each.operator in KEEPING
        for each in node.path()
    )


def needs_order(source: Node, outputs: list[Output]) -> bool:
    """Return whether an output shows records of a source, or
    a function is given them, in their order.
    """
    paths = [each for output in outputs if source in (each := [*output.node.path()])]
    return any(
        not is_shuffled(path[0]) or any(node.operator in CALLED for node in path) for path in paths
    )
