"""Windows whose query may have batches between two slides."""

from __future__ import annotations

from ..builder.builder import Builder
from ..program.graph import Node, Output, mapped_state
from ..refusals import NotExpressible
from ..windows.durations import Duration, duration, is_multiple
from .map_with_state import spec_of, uses_time

KAFKA = ("createDirectStream", "createStream")
"""The sources whose records come in their order when a batch has those of several."""


def shows_more(builder: Builder, node: Node) -> Output | None:
    """Return an output of a window that gives something for a batch without windows."""
    for output in builder.job.outputs:
        path = [*output.node.path()]
        # the count of no rows is a record
        counts = any(each.operator == "count" for each in path)
        if node in path and (output.method != "pprint" or counts):
            return output
    return None


def each_interval(builder: Builder, node: Node, slide: Duration) -> Duration | None:
    """Return the interval if the query of a window has to have a batch for each one.

    `mapWithState` calls its function for the records of an interval. In a query with a batch for
    each slide these would be the records of several intervals together, in no certain order.

    Raises
    ------
    NotExpressible
        if an output would give more then, and the difference of longer batches is not accepted
    """
    mapped, interval = mapped_state(node.parents[0]), builder.job.interval
    assert interval is not None
    found = duration(builder.module, node.block, interval)
    if mapped is None or is_multiple(found, slide):
        return None
    spec = spec_of(builder, mapped)
    name = spec.function.name
    if shows_more(builder, node) is None:
        builder.note(
            f"the query of the window has a batch for each interval, as `{name}` is called for the "
            "records of each; those without a window show nothing"
        )
        builder.between.add(node)
        return found
    if spec.timeout is not None:
        raise NotExpressible(
            "TIMEOUT",
            "the query of a window has a batch for each slide, so that keys would time out at "
            "slides only",
            node.call,
        )
    if len(spec.function.args.args) == 4 and uses_time(spec.function):
        builder.differs(
            "BATCH_TIME",
            f"the query of the window calls `{name}` once for each slide, so that its batch time "
            "is that of the slide",
            node.call,
        )
    if not all(each.operator in KAFKA for each in mapped.path() if each.is_source):
        builder.differs(
            "ORDER",
            f"the query of the window calls `{name}` for the records of several batches together, "
            "and Spark keeps their order only for partitions of Kafka",
            node.call,
        )
    return None
