"""Spark jobs that say in Spark's UI to which output and batch they belong."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from pyspark import SparkContext

from .call_sites import CallSite, call_site
from .nodes import Graph, Node, OutputNode, SourceNode

_DESCRIPTION: Final = "spark.job.description"
_INTERNAL: Final = "spark.streaming"  # no settings of the user: Spark names jobs so
_BATCH_TIME: Final = f"{_INTERNAL}.internal.batchTime"
_OUTPUT: Final = f"{_INTERNAL}.internal.outputOpId"


def register(graph: Graph, node: Node) -> None:
    """Note what listeners and Spark's UI say about a node that the user has just defined."""
    if isinstance(node, OutputNode):
        graph.sites[node.id] = call_site().lines
    elif isinstance(node, SourceNode):
        graph.inputs[node.id] = len(graph.inputs)


def site_of(graph: Graph, output: OutputNode) -> CallSite:
    """Return where an output was defined."""
    return CallSite(graph.sites.get(output.id, ()))


def batch_time_text(tick: int, interval: int) -> str:
    """Return a batch time as Spark's UI shows it: ``12:00:00``, with milliseconds below 1 s."""
    text = f"{datetime.fromtimestamp(tick / 1000):%H:%M:%S}"
    return text if interval >= 1000 else f"{text}.{tick % 1000:03d}"


@contextmanager
def named_jobs(
    sc: SparkContext, name: str, number: int, tick: int, interval: int
) -> Iterator[None]:
    """Let the Spark jobs of this thread show to which output and batch they belong.

    The properties of the thread are afterwards what they were before, whatever the user's code
    sets meanwhile: the query's job group, by which a hard stop cancels jobs, is one of them.

    Parameters
    ----------
    sc : SparkContext
        the user's context
    name : str
        of the output, such as ``foreachRDD at job.py:12``
    number : int
        position of the output in its batch
    tick, interval : int
        batch time and batch interval in milliseconds
    """
    if sc._jsc is None:  # the user has stopped Spark: what runs fails by itself
        yield
        return
    scala: Any = sc._jsc.sc()
    saved = scala.getLocalProperties().clone()
    at = batch_time_text(tick, interval)
    text = f"Streaming job from [output operation {number}, batch time {at}]: {name}"
    scala.setLocalProperty(_DESCRIPTION, text)
    scala.setLocalProperty(_BATCH_TIME, str(tick))
    scala.setLocalProperty(_OUTPUT, str(number))
    try:
        yield
    finally:
        scala.setLocalProperties(saved)
