"""Smaller versions of a recipe that fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.support.streaming.pipelines import Pipeline, Step, shape_of


def smaller_than(pipeline: Pipeline) -> list[Pipeline]:
    """Return recipes with less in them that still make sense, the smallest first."""
    found = [p for p in _candidates(pipeline) if shape_of(p) is not None]
    return sorted({str(p): p for p in found}.values(), key=weight)


def weight(pipeline: Pipeline) -> tuple[int, int, int]:
    """Return what makes a recipe hard to read: its calls, its records, its length."""
    return pipeline.calls(), pipeline.records(), len(str(pipeline))


def _candidates(pipeline: Pipeline) -> Iterator[Pipeline]:
    steps = pipeline.steps
    for i, step in enumerate(steps):
        yield replace(pipeline, steps=steps[:i] + steps[i + 1 :])
        yield replace(pipeline, steps=steps[: i + 1])
        yield replace(pipeline, steps=steps[:i] + steps[i + 2 :])
        for args in _smaller_args(step):
            yield replace(pipeline, steps=(*steps[:i], replace(step, args=args), *steps[i + 1 :]))
    batches = pipeline.batches
    if batches is None:
        return
    if pipeline.partitions is not None:
        yield replace(pipeline, partitions=None)
    for i, batch in enumerate(batches):
        before, after = batches[:i], batches[i + 1 :]
        if len(batches) > 1:
            yield replace(pipeline, batches=before + after)
        if batch:
            yield replace(pipeline, batches=(*before, (), *after))
        for j in range(len(batch)):
            yield replace(pipeline, batches=(*before, batch[:j] + batch[j + 1 :], *after))


def _smaller_args(step: Step) -> Iterator[tuple[Any, ...]]:
    args = step.args
    for i, arg in enumerate(args):
        if isinstance(arg, Pipeline):
            for other in _candidates(arg):
                yield (*args[:i], other, *args[i + 1 :])
            yield (*args[:i], replace(arg, steps=()), *args[i + 1 :])
        elif isinstance(arg, tuple) and arg:
            yield (*args[:i], (), *args[i + 1 :])
