"""The base classes of DStream's methods: they add nodes to the graph of a context."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pyspark import RDD, SparkContext

from ..graph.nodes import (
    Graph,
    InitialPairs,
    NarrowNode,
    Node,
    OutputNode,
    RDDNode,
    ShuffleNode,
    SourceNode,
)
from ..graph.placement import pieces_of
from ..source.base import Source
from ..spark.parallelism import default_parallelism
from ..worker.chain import PartitionFunction
from ..worker.operators.base import SlotOp
from ..worker.operators.whole_partition import Whole
from .private_names import PrivateStreamNames

if TYPE_CHECKING:
    import threading

    from ..job.job import Job

S = TypeVar("S", bound="StreamBase[Any]")
"""The class of streams: ``DStream``."""


class ContextBase(ABC, Generic[S]):
    """The part of a context that streams use."""

    _sc: SparkContext
    _graph: Graph
    _lock: threading.RLock
    _job: Job | None

    @abstractmethod
    def _define(self, make: Callable[[int], Node]) -> Node:
        """Add a node to the graph.

        Parameters
        ----------
        make : callable
            makes it of its id
        """

    @abstractmethod
    def _stream(self, node: Node) -> S:
        """Return the stream of a node."""

    @abstractmethod
    def _state_partitions(self) -> int:
        """Return how many partitions the state has, or will have."""

    def _source(self, source: Source) -> S:
        interval = self._graph.interval
        node = self._define(lambda i: SourceNode(i, (), interval, source.label, source))
        return self._stream(node)


class StreamBase(PrivateStreamNames, Generic[S]):
    """A node of the graph with its context.

    Methods that begin with an underscore make nodes; they go on from this stream's own node, or
    from the node ``of``.

    Parameters
    ----------
    node : Node
        what the stream is
    ssc : StreamingContext
        where it runs
    """

    def __init__(self, node: Node, ssc: ContextBase[S]) -> None:
        self._node = node
        self._ssc = ssc
        self._sc = ssc._sc
        self.is_cached = False
        self.is_checkpointed = False

    @property
    def _slideDuration(self) -> float:
        return self._node.slide / 1000

    def __reduce__(self) -> Any:
        return self._ssc.__reduce__()

    def _stream(self, node: Node) -> S:
        return self._ssc._stream(node)

    def _partitions(self, partitions: int | None) -> int:
        return default_parallelism(self._sc) if partitions is None else int(partitions)

    def _narrow(
        self, label: str, fn: PartitionFunction, *, keeps: bool = False, of: Node | None = None
    ) -> Node:
        node = of or self._node
        return self._ssc._define(lambda i: NarrowNode(i, (node,), node.slide, label, fn, keeps))

    def _whole(self) -> Node:
        """Return this stream with each partition in one piece."""
        if pieces_of(self._node) == 1:
            return self._node
        slide = self._node.slide
        return self._shuffle("merge", lambda i: Whole(i, 1, slide, slide))

    def _beside(self, other: StreamBase[Any]) -> Node:
        """Return the node of another stream, which must be of the same context."""
        return beside(self._ssc, other)

    def _rdd_function(
        self,
        label: str,
        fn: Callable[..., Any],
        others: tuple[Node, ...] = (),
        *,
        keeps: bool = False,
    ) -> Node:
        nodes = (self._node, *others)
        return self._ssc._define(
            lambda i: RDDNode(i, nodes, nodes[0].slide, label, with_early_shipping(fn), keeps)
        )

    def _shuffle(
        self,
        label: str,
        make_op: Callable[[int], SlotOp],
        *,
        needs_checkpoint: bool = False,
        initial: InitialPairs | None = None,
        of: Node | None = None,
    ) -> Node:
        node = of or self._node

        def make(number: int) -> Node:
            op = make_op(number)
            return ShuffleNode(number, (node,), op.slide, label, op, needs_checkpoint)

        shuffle = self._ssc._define(make)
        if initial is not None:
            self._ssc._graph.initial[shuffle.id] = initial
        return shuffle

    def _output(self, label: str, action: Callable[..., Any]) -> None:
        node = self._node
        output = self._ssc._define(lambda i: OutputNode(i, (node,), node.slide, label, action))
        assert isinstance(output, OutputNode)
        self._ssc._graph.outputs.append(output)


def beside(ssc: ContextBase[Any], stream: StreamBase[Any]) -> Node:
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


def with_early_shipping(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Return an RDD function that ships the functions of its result at once.

    As with DStreams they see the driver's variables as they are before the batch's outputs,
    one of which may change them.
    """

    def call(time: Any, *rdds: Any) -> Any:
        result = fn(time, *rdds)
        if isinstance(result, RDD):
            _ = result._jrdd
        return result

    return call
