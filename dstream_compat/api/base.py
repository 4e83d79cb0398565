"""What every family of DStream methods builds on."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyspark import RDD

from ..graph.nodes import NarrowNode, Node, OutputNode, RDDNode, ShuffleNode
from ..graph.placement import pieces_of
from ..worker.chain import PartitionFunction
from ..worker.operators.base import SlotOp
from ..worker.operators.whole_partition import Whole
from .private_names import PrivateStreamNames

if TYPE_CHECKING:
    from pyspark import SparkContext

    from ..context import StreamingContext
    from ..dstream import DStream


class StreamBase(PrivateStreamNames):
    """A node of the graph with its context.

    Parameters
    ----------
    node : Node
        what the stream is
    ssc : StreamingContext
        where it runs
    """

    def __init__(self, node: Node, ssc: StreamingContext) -> None:
        self._node = node
        self._ssc = ssc
        self._sc: SparkContext = ssc._sc
        self.is_cached = False
        self.is_checkpointed = False

    @property
    def _slideDuration(self) -> float:
        return self._node.slide / 1000

    def __reduce__(self) -> Any:
        return self._ssc.__reduce__()

    def _partitions(self, wanted: int | None) -> int:
        return self._sc.defaultParallelism if wanted is None else int(wanted)

    def _stream(self, make: Callable[[int], Node]) -> DStream:
        from ..dstream import DStream

        return DStream(self._ssc._define(make), self._ssc)

    def _narrow(self, label: str, fn: PartitionFunction, *, keeps: bool = False) -> DStream:
        node = self._node
        return self._stream(lambda i: NarrowNode(i, (node,), node.slide, label, fn, keeps))

    def _whole(self) -> DStream:
        """Return this stream with each partition in one piece."""
        from ..dstream import DStream

        if pieces_of(self._node) == 1:
            return DStream(self._node, self._ssc)
        slide = self._node.slide
        return self._shuffle("merge", lambda i: Whole(i, 1, slide, slide))

    def _beside(self, other: DStream) -> Node:
        """Return the node of another stream, which must be of the same context."""
        return beside(self._ssc, other)

    def _rdd_function(
        self,
        label: str,
        fn: Callable[..., Any],
        others: tuple[Node, ...] = (),
        *,
        keeps: bool = False,
    ) -> DStream:
        nodes = (self._node, *others)
        return self._stream(lambda i: RDDNode(i, nodes, nodes[0].slide, label, shipped(fn), keeps))

    def _shuffle(
        self,
        label: str,
        make_op: Callable[[int], SlotOp],
        *,
        needs_checkpoint: bool = False,
        initial: Any = None,
    ) -> DStream:
        node = self._node

        def make(number: int) -> Node:
            op = make_op(number)
            return ShuffleNode(number, (node,), op.slide, label, op, needs_checkpoint, initial)

        return self._stream(make)

    def _output(self, label: str, action: Callable[..., Any]) -> None:
        node = self._node
        made = self._ssc._define(lambda i: OutputNode(i, (node,), node.slide, label, action))
        assert isinstance(made, OutputNode)
        self._ssc._graph.outputs.append(made)


def beside(ssc: StreamingContext, stream: DStream) -> Node:
    """Return the node of a stream, which must be of this context.

    Raises
    ------
    ValueError
        if it is of another one
    """
    if stream._ssc is not ssc:
        raise ValueError(
            "Some of the DStreams have different contexts: streams of one StreamingContext cannot "
            "be combined with those of another one"
        )
    return stream._node


def shipped(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Return an RDD function that ships the functions of its result at once.

    As on the real engine they see the driver's variables as they are before the batch's outputs,
    one of which may change them.
    """

    def call(time: Any, *rdds: Any) -> Any:
        result = fn(time, *rdds)
        if isinstance(result, RDD):
            _ = result._jrdd
        return result

    return call
