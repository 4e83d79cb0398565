"""What Spark computes before a condition that is a UDF, or uses what one gives.

Spark joins neighbouring conditions, computes those without a UDF first, and all UDFs before any
condition that uses one. So what comes after such a condition and may raise could raise for records
that the condition leaves out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from dstream_compat.native.expressions import Column, Expression
from dstream_compat.native.raising import always_evaluated

from ..dataframes.frames import Frame
from ..program.graph import Node

if TYPE_CHECKING:
    from .builder import Builder

MOVED = frozenset(("filter", "join", "leftOuterJoin", "rightOuterJoin", "fullOuterJoin"))
MOVED |= {"subtract", "subtractByKey"}
"""Methods of which Spark makes conditions that it moves towards the source."""
TEXT = "Spark may compute this before the condition of a Python UDF above it, and it may raise"


def check_order(
    builder: Builder,
    node: Node,
    frame: Frame,
    expressions: tuple[Expression, ...],
    raises: bool = False,
) -> None:
    """Refuse what may raise where Spark may compute it for records that are left out before.

    Raises
    ------
    NotExpressible
        if that is not accepted
    """
    if node.operator not in MOVED:
        return
    before = [step for step in node.path() if step is not node and _is_condition(builder, step)]
    if before and (raises or any(map(frame.may_raise, expressions))):
        builder.differs("EVALUATION", TEXT, node.call)


def _is_condition(builder: Builder, node: Node) -> bool:
    """Return whether a node leaves out records by a UDF."""
    if node.operator not in MOVED:
        return False
    return any(step in builder.udfs for step in node.path())


def after_conditions(frame: Frame, *conditions: Expression) -> Frame:
    """Return a frame after a condition: what that has computed raises no more."""
    parts = {part for condition in conditions for part in always_evaluated(condition)}
    names = {part.name for part in parts if isinstance(part, Column)}
    return replace(frame, raising=frame.raising - frame.with_tied_columns(names))
