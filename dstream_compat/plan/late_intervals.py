"""Whether the intervals of a micro-batch may see the same variables of the driver.

What a query's functions see is looked at at each batch time, and late intervals run together as
long as it is the same. That is not enough for accumulators, which count all intervals of a
micro-batch, and for what functions of ``transform`` change: DStreams call them at the batch time,
this package when the batch runs.

Decision 0102: Late batches see the variables of their batch time.
"""

from __future__ import annotations

from typing import NamedTuple

from ..graph.nodes import Graph, NarrowNode, QueryPlace, RDDNode, ShuffleNode, of_kind, place_of
from .changing_functions import ChangingFunctions
from .seen_variables import SeenVariables


class LateIntervals(NamedTuple):
    """How the late intervals of a context's first query run.

    Parameters
    ----------
    at_run : bool
        one by one, and they see variables as they are when they run, not as they were at their
        batch time
    text : str
        whether they run together, and why, for users to read
    """

    at_run: bool
    text: str


def late_intervals(graph: Graph) -> LateIntervals:
    """Return how late intervals run, and why.

    Parameters
    ----------
    graph : Graph
        what the user built
    """
    nodes, places, seen = graph.reachable(), dict[int, QueryPlace](), SeenVariables()
    here = [node for node in nodes if place_of(node, places) == QueryPlace(0, False)]
    functions = [node.fn for node in of_kind(here, NarrowNode)]
    functions += [node.op for node in of_kind(here, ShuffleNode)]
    try:
        for each in functions:
            seen.dump(each)  # type: ignore[no-untyped-call]
    except Exception as error:  # what is started says so, too
        reason = f"{type(error).__name__}: {error}"
        return LateIntervals(True, f"unknown, as functions cannot be pickled: {reason}")
    changed = ChangingFunctions(seen).changed_name(node.fn for node in of_kind(nodes, RDDNode))
    if changed is not None:
        why = f"a function that runs on RDDs may change what functions in workers see: {changed}"
        return LateIntervals(True, f"one by one, as {why}")
    if seen.accumulates:
        why = "functions in workers add to an accumulator, which outputs may read"
        return LateIntervals(False, f"one by one, as {why}")
    names = seen.names()
    if not names:
        return LateIntervals(False, "together, as functions in workers see no variables")
    text = f"together, as long as functions in workers see the same: {', '.join(names)}"
    return LateIntervals(False, text)
