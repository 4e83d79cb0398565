"""Checks a graph at ``start()``, in the order and with the messages of DStreams."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pyspark import SparkContext, StorageLevel

from ..exceptions import StreamingStateError
from ..graph.nodes import Graph, Node, ShuffleNode, SourceNode
from ..settings import CONCURRENT_JOBS, OWN, STOPS_GRACEFULLY, WRITE_AHEAD_LOG
from ..spark.conf import conf_of
from ..worker.operators.window import Window

_UNSET: Final = "has been marked for checkpointing but the storage level has not been set to enable"


def check_graph(sc: SparkContext, graph: Graph, folder: str | None) -> None:
    """Check that a graph can be started.

    Parameters
    ----------
    sc : SparkContext
        whose own checkpoint directory suffices for state
    graph : Graph
        what is to run
    folder : str, optional
        checkpoint folder of the context

    Raises
    ------
    StreamingStateError
        without an output, or without a checkpoint directory that a stream or the receivers'
        write-ahead log needs
    ValueError
        if a stream cannot have its checkpoint interval or storage level, or can never be read, or
        a setting has a value that it cannot have
    """
    if not graph.outputs:
        raise StreamingStateError("No output operations registered, so nothing to execute")
    for setting in (*OWN, CONCURRENT_JOBS, STOPS_GRACEFULLY):
        # some are read only once the job runs, whose checkpoint would keep a wrong value
        setting.read(conf_of(sc))
    receivers = (n for n in graph.reachable() if isinstance(n, SourceNode) and n.source.receiver)
    if folder is None and WRITE_AHEAD_LOG.read(conf_of(sc)) and any(receivers):
        raise StreamingStateError(
            "Cannot enable receiver write-ahead log without checkpoint directory set. Please use "
            "streamingContext.checkpoint() to set the checkpoint directory, or unset "
            f"{WRITE_AHEAD_LOG}"
        )
    for node in graph.reachable():
        if isinstance(node, SourceNode):
            node.source.check(sc)
    durable = folder is not None or sc._jsc.sc().getCheckpointDir().isDefined()
    for node in _from_outputs(graph):
        _check_checkpointing(graph, node, durable)


def _from_outputs(graph: Graph) -> Iterator[Node]:
    """Yield the streams that outputs need, each before its parents."""
    seen: set[int] = set()
    todo: list[Node] = list(reversed(graph.outputs))
    while todo:
        node = todo.pop()
        if node.id not in seen:
            seen.add(node.id)
            yield node
            todo.extend(reversed(node.parents))


def _check_checkpointing(graph: Graph, node: Node, durable: bool) -> None:
    interval = graph.checkpointed.get(node.id)
    needed = isinstance(node, ShuffleNode) and node.needs_checkpoint
    if interval is None and not needed:
        return
    name, slide = node.label, node.slide
    if not durable:
        raise StreamingStateError(
            "The checkpoint directory has not been set. Please set it by "
            f"StreamingContext.checkpoint(). It is needed by {name}"
        )
    if interval is not None:
        said = f"The checkpoint interval for {name} has been set to {interval} ms which"
        # Spark's words, as they are, so that who looks for them finds them.
        if interval < slide:
            raise ValueError(
                f"{said} is lower than its slide time ({slide} ms). "
                f"Please set it to at least {slide} ms."
            )
        if interval % slide:
            raise ValueError(
                f"{said} not a multiple of its slide time ({slide} ms). "
                f"Please set it to a multiple of {slide} ms."
            )
        if isinstance(node, ShuffleNode) and isinstance(node.op, Window):
            raise ValueError(
                f"{name} {_UNSET} persisting, and a window persists the stream before it instead. "
                "Please set the interval for the stream before or behind it"
            )
    if graph.persisted.get(node.id) == StorageLevel.NONE:
        raise ValueError(
            f"{name} {_UNSET} persisting. Please use DStream.persist() to set the storage level to "
            "use memory for better checkpointing performance."
        )
