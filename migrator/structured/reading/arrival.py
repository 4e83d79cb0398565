"""The order in which records arrive: where it is kept, and where it is nothing to rely on."""

from __future__ import annotations

from ..program.graph import ROW_BY_ROW, Node, Output, Stage
from ..registry import OPERATORS

KEEPING = ROW_BY_ROW | {"cache", "checkpoint", "keys", "persist", "rdd", "transform", "union"}
KEEPING |= {"values"}
CALLED = frozenset(("mapWithState", "updateStateByKey"))
"""Methods that hand the values of a key to a function in their order."""


def is_shuffled(node: Node) -> bool:
    """Return whether records have no promised order before this; those of a window have one, as
    DStreams make it of batches in the order of time.
    """
    return any(
        each.operator in OPERATORS
        and each.operator != "window"
        and OPERATORS[each.operator].stage >= Stage.STATE
        for each in node.path()
    )


def is_in_order(node: Node) -> bool:
    """Return whether records come in the order in which they arrived, as those of a socket do."""
    return all(
        each.operator == "socketTextStream" if each.is_source else each.operator in KEEPING
        for each in node.path()
    )


def mixing(node: Node) -> Node | None:
    """Return a step that leaves the records of this in an order of its own."""
    steps = (each for each in node.path() if not each.is_source and each.stage is not Stage.STATIC)
    return next((each for each in steps if each.operator not in KEEPING), None)


def needs_order(source: Node, outputs: list[Output]) -> bool:
    """Return whether an output shows records of a source, or
    a function is given them, in their order.
    """
    shown = [each.node for each in outputs]
    given = {node.parents[0] for each in shown for node in each.path() if node.operator in CALLED}
    return any(source in each.path() and mixing(each) is None for each in (*shown, *given))
