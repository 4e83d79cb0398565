"""Decides which batches of a source DStreams would compute: each takes a queue's next item.

DStreams compute a batch when an output first needs it. Where all outputs leave out some batches of
a stream, as windows do that are shorter than their slide, those are never computed. Ours computes
all of them; only a source that gives something else each time that it is asked can tell.
"""

from __future__ import annotations

from math import lcm

from ..worker.operators.reduce_window import ReduceByKeyAndWindow
from ..worker.operators.window import Window
from .nodes import Graph, Node, ShuffleNode, of_kind


class OutputDemand:
    """Follows the outputs of a graph from batch to batch.

    Times are in milliseconds since the zero time of the context. Mirrors
    ``org.apache.spark.streaming.dstream.DStream.getOrCompute`` and the ``compute`` of its classes.

    Parameters
    ----------
    graph : Graph
        whose outputs count
    source : Node
        the stream whose batches are counted
    """

    def __init__(self, graph: Graph, source: Node) -> None:
        self._source = source
        self._interval = graph.interval
        self._outputs = graph.outputs
        nodes = graph.reachable()
        self._behind: set[int] = {source.id}
        for node in nodes:
            if any(parent.id in self._behind for parent in node.parents):
                self._behind.add(node.id)
        ops = [node.op for node in of_kind(nodes, ShuffleNode)]
        windows = [op.length for op in ops if isinstance(op, (Window, ReduceByKeyAndWindow))]
        # outputs of different slides meet at their common multiples
        self._horizon = sum(windows) + lcm(*(node.slide for node in nodes))
        self._now = 0
        self._computed: set[tuple[int, int]] = set()
        self._places: dict[int, int] = {}

    def place(self, time: int, items: int) -> int | None:
        """Return which one a batch of the source is among those computed, from 0.

        Parameters
        ----------
        time : int
            of the batch
        items : int
            how many there are something for; ``items`` also stands for what comes behind them

        Returns
        -------
        int, optional
            None for a batch that no output needs
        """
        # one that is not needed at its time may be when the windows that it is in end
        while (
            len(self._places) < items
            and time not in self._places
            and self._now < time + self._horizon
        ):
            self._now += self._interval
            for output in self._outputs:
                self._compute(output, self._now)
        if len(self._places) < items:
            return self._places.get(time)
        self._computed.clear()  # outputs are followed no further
        return self._places.get(time, items)

    def _compute(self, node: Node, time: int) -> bool:
        """Compute a batch, unless it was; returns whether the stream has it."""
        if node.id not in self._behind or time <= 0 or time % node.slide:
            return False
        if (node.id, time) not in self._computed:
            self._computed.add((node.id, time))
            if node is self._source:
                self._places[time] = len(self._places)
            elif isinstance(node, ShuffleNode):
                self._shuffle(node, time)
            else:
                for parent in node.parents:
                    self._compute(parent, time)
        return True

    def _shuffle(self, node: ShuffleNode, time: int) -> None:
        op, (parent,) = node.op, node.parents
        since = time
        if isinstance(op, Window):
            since -= op.length - parent.slide
        elif isinstance(op, ReduceByKeyAndWindow):
            since -= op.length - parent.slide
            if op.inverse is not None and self._before(node, time) and op.uses_inverse:
                self._slice(parent, since - node.slide, time - op.length)
                since = time - node.slide + parent.slide
        elif op.stateful:
            self._before(node, time)
        self._slice(parent, since, time)

    def _before(self, node: Node, time: int) -> bool:
        """Compute all batches before a time; returns whether there are any."""
        missing = []
        before = time - node.slide
        while before > 0 and (node.id, before) not in self._computed:
            missing.append(before)
            before -= node.slide
        for earlier in reversed(missing):
            self._compute(node, earlier)
        return time > node.slide

    def _slice(self, node: Node, first: int, last: int) -> None:
        for time in range(first, last + 1, node.slide):
            self._compute(node, time)
