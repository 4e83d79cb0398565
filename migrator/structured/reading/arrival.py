"""The order in which records arrive: where it is kept, and where it is nothing to rely on."""

from __future__ import annotations

import ast

from ..program.bindings import uses
from ..program.graph import EITHER, ROW_BY_ROW, Node, Output, Stage, batch_function
from ..program.modules import SourceModule
from ..registry import OPERATORS

KEEPING = ROW_BY_ROW | {"cache", "checkpoint", "keys", "persist", "rdd", "transform", "union"}
KEEPING |= {"values", EITHER}
CALLED = frozenset(("mapWithState", "updateStateByKey"))
"""Methods that hand the values of a key to a function in their order."""

UNORDERED = frozenset(("count", "countByKey", "isEmpty", "max", "min", "sum"))
"""Actions of RDDs that give the same in any order of their records."""


def is_shuffled(node: Node) -> bool:
    """Return whether records have no promised order before this; those of a window have one, as
    DStreams make it of batches in the order of time.
    """
    return any(
        step.operator in OPERATORS
        and step.operator != "window"
        and OPERATORS[step.operator].stage >= Stage.STATE
        for step in node.path()
    )


def is_in_order(node: Node) -> bool:
    """Return whether records come in the order in which they arrived, as those of a socket do."""
    return all(
        step.operator == "socketTextStream" if step.is_source else step.operator in KEEPING
        for step in node.path()
    )


def mixing_step(node: Node) -> Node | None:
    """Return a step that leaves the records of this in an order of its own."""
    steps = (step for step in node.path() if not step.is_source and step.stage is not Stage.STATIC)
    return next((step for step in steps if step.operator not in KEEPING), None)


def needs_order(module: SourceModule, source: Node, outputs: list[Output]) -> bool:
    """Return whether an output shows records of a source, or
    a function is given them, in their order.
    """
    nodes = {
        node.parents[0]
        for output in outputs
        for node in output.node.path()
        if node.operator in CALLED
    }
    shown = {output.node for output in outputs if _shows_order(module, output)}
    return any(source in each.path() and mixing_step(each) is None for each in (*shown, *nodes))


def _shows_order(module: SourceModule, output: Output) -> bool:
    if output.method != "foreachRDD":
        return True
    function = batch_function(module, output)
    return not all(_is_unordered(module, use) for use in uses(function.node, function.rdd))


def _is_unordered(module: SourceModule, rdd: ast.AST) -> bool:
    """Return whether a use of an RDD is the same in any order of its records."""
    attribute = module.parents[rdd]
    call = module.parents[attribute]
    if not (isinstance(attribute, ast.Attribute) and isinstance(call, ast.Call)):
        return False
    method = attribute.attr
    if method in UNORDERED or (method in OPERATORS and OPERATORS[method].stage >= Stage.STATE):
        return call.func is attribute
    return method in ROW_BY_ROW and call.func is attribute and _is_unordered(module, call)
