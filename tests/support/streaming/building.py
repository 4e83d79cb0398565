"""Builds recipes of pipelines on either engine."""

from __future__ import annotations

from typing import Any

from tests.support.streaming import pipeline_functions as f
from tests.support.streaming.emulated import map_with_state
from tests.support.streaming.pipelines import Pipeline


def build(pipeline: Pipeline, source: Any, ssc: Any) -> Any:
    """Call the methods of a recipe on either engine's streams; returns the stream."""
    stream = source
    if pipeline.batches is not None and pipeline.partitions is not None:
        sc = ssc.sparkContext
        rdds = [sc.parallelize(batch, pipeline.partitions) for batch in pipeline.batches]
        stream = source = ssc.queueStream(rdds)
    elif source is None:
        stream = source = ssc.queueStream([list(batch) for batch in pipeline.batches or ()])
    # DStreams take an item of a queue only when somebody wants it.
    stream.foreachRDD(lambda rdd: None)
    for step in pipeline.steps:
        args = [
            build(arg, source if arg.batches is None else None, ssc)
            if isinstance(arg, Pipeline)
            else list(arg)
            if isinstance(arg, tuple)
            else arg
            for arg in step.args
        ]
        if step.method == "ssc.union":
            # DStreams unite only what is serialised alike, as results of functions are.
            stream = ssc.union(*(one.mapPartitions(f.passed, True) for one in (stream, *args)))
        elif step.method == "ssc.transform":
            stream = ssc.transform([stream, *args[1:]], args[0])
        elif step.method == "checkpoint":
            # DStreams cannot checkpoint what window() returns.
            stream = stream.mapPartitions(f.passed).checkpoint(*args)
        elif step.method == "mapWithState":
            stream = map_with_state(stream, ssc, *args)
        elif step.method == "foreachRDD":
            stream.foreachRDD(*args)
        else:
            stream = getattr(stream, step.method)(*args)
    return stream
