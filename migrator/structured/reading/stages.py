"""Where streams are computed: row by row, with state, or in the function of a batch."""

from __future__ import annotations

import ast

from ..program.graph import WINDOWS, Node, Stage, mapped_state
from ..refusals import NotExpressible


def stage_of(method: str, parents: list[Node], own: Stage, call: ast.Call) -> Stage:
    """Return where the stream of a method is computed.

    Parameters
    ----------
    method : str
        the method
    parents : list of Node
        the streams and static data that it is called with
    own : Stage
        where its operator is computed, if streams are computed row by row
    call : ast.Call
        its call

    Raises
    ------
    NotExpressible
        if it works on what was aggregated before, or on other data than Spark can join
    """
    _refuse_static_sides(parents, method, call)
    stage = max(parent.stage for parent in parents)
    if len(parents) > 1 and method != "union":
        stage = max(stage, _batch_stage(parents, call))
    if all(parent.stage is Stage.STATIC for parent in parents):
        return stage
    if method in WINDOWS and mapped_state(parents[0]) is not None:
        return Stage.STATE
    if own is Stage.STATE and any(parent.stage >= Stage.STATE for parent in parents):
        raise NotExpressible("STATE", f"`{method}` works on what was aggregated before", call)
    if any(parent.stage is Stage.STATE for parent in parents):
        return Stage.BATCH
    return max(stage, own)


def _batch_stage(parents: list[Node], call: ast.Call) -> Stage:
    """Return where RDDs of a batch are put together: not in the query, which joins all batches.

    Raises
    ------
    NotExpressible
        if the batches are those of several sources
    """
    streams = [parent for parent in parents if parent.stage is not Stage.STATIC]
    if len(streams) < 2:
        return Stage.STATIC
    sources = {
        node
        for stream in streams
        for node in stream.path()
        if node.is_source and node.stage is not Stage.STATIC
    }
    if len(sources) > 1:
        raise NotExpressible(
            "TWO_SOURCES",
            "DStreams join the batches of one interval; Spark joins the streams of two sources "
            "across all batches",
            call,
        )
    return Stage.BATCH


def _refuse_static_sides(parents: list[Node], method: str, call: ast.Call) -> None:
    """Refuse what Spark has no streaming plan for: all static rows in every batch.

    Raises
    ------
    NotExpressible
        if static data is on a side all of whose rows are given
    """
    if len(parents) != 2 or all(parent.stage is Stage.STATIC for parent in parents):
        return
    left, right = (parent.stage is Stage.STATIC for parent in parents)
    whole = {"union": left or right, "fullOuterJoin": left or right}
    whole |= {"rightOuterJoin": right, "leftOuterJoin": left}
    whole |= {"subtract": left, "subtractByKey": left}
    if whole.get(method, False):
        raise NotExpressible(
            "STATIC_SIDE", f"`{method}` gives all rows of the static data in every batch", call
        )
