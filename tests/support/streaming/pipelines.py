"""Recipes of pipelines: method calls as data, so that they can be printed, built and shrunk.

A recipe that cannot run for reasons of its own (a shuffle of records that are no pairs, say) has no
shape; neither has one whose result nobody promises, such as ``glom`` behind ``repartition``.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tests.support.streaming import pipeline_functions as f

ATOMS, PAIRS, COUNTS, OTHER = "atoms", "pairs", "counts", "other"
"""What records are: hashable, (hashable, anything), (hashable, int), or anything."""

add, sub = operator.add, operator.sub

MAPS = {
    f.text: ({ATOMS, PAIRS, COUNTS, OTHER}, ATOMS),
    f.wrapped: ({ATOMS}, ATOMS),
    f.keyed: ({ATOMS}, PAIRS),
    f.counted: ({ATOMS}, COUNTS),
    f.by_size: ({ATOMS, PAIRS, COUNTS, OTHER}, PAIRS),
    f.swapped: ({PAIRS, COUNTS}, PAIRS),
}
VALUES = {f.text: PAIRS, f.boxed: PAIRS, f.named: PAIRS, f.size: COUNTS}
REDUCERS = {f.smaller: {PAIRS, COUNTS}, f.larger: {PAIRS, COUNTS}, add: {COUNTS}, max: {COUNTS}}
STATES = {
    f.calls: COUNTS,
    f.total: COUNTS,
    f.recent: COUNTS,
    f.thrice: COUNTS,
    f.gathered: PAIRS,
}
# What a function given to mapWithState emits; all states are numbers.
MAPPED = {
    f.times_seen: COUNTS,
    f.summed: PAIRS,
    f.until_three: COUNTS,
    f.set_once: COUNTS,
    f.only_looks: COUNTS,
    f.refuses_bad: PAIRS,
    f.silent: ATOMS,
    f.at_evens: COUNTS,
    f.quiet_in_the_end: PAIRS,
}
RESULTS, SNAPSHOTS, BOTH = "results", "snapshots", "both"
"""What is taken of mapWithState."""

JOINS = ("join", "leftOuterJoin", "rightOuterJoin", "fullOuterJoin", "cogroup")


@dataclass(frozen=True)
class Shape:
    """What is known of a stream.

    Parameters
    ----------
    kind : str
        what its records are
    slide : int
        seconds between its batches
    fixed : bool
        which records share a partition is the same on both engines
    numbered : bool
        ours knows a partition's number in the worker
    driver : bool
        ours computes it by RDD functions of the driver
    behind : bool
        state may stand behind RDD functions, which takes ours a further query
    mapped : bool
        mapWithState may be among the calls
    fails : bool
        a function of the workers may have raised
    """

    kind: str
    slide: int = 1
    fixed: bool = True
    numbered: bool = True
    driver: bool = False
    behind: bool = False
    mapped: bool = False
    fails: bool = False

    @property
    def keyed(self) -> bool:
        """Whether its records are pairs."""
        return self.kind in (PAIRS, COUNTS)


@dataclass(frozen=True)
class Step:
    """One method call; arguments are functions, numbers, lists of pairs, or other recipes."""

    method: str
    args: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f".{self.method}({', '.join(map(show, self.args))})"


@dataclass(frozen=True)
class Pipeline:
    """A queue of batches and what is called on its stream.

    Parameters
    ----------
    kind : str
        what the records of the batches are
    batches : tuple of tuple, optional
        None stands for the stream of the recipe that this one is an argument of
    steps : tuple of Step
        the calls, in order
    partitions : int, optional
        of each batch
    behind : bool
        state may stand behind RDD functions
    mapped : bool
        mapWithState may be among the calls
    """

    kind: str
    batches: tuple[tuple[Any, ...], ...] | None
    steps: tuple[Step, ...] = ()
    partitions: int | None = None
    behind: bool = False
    mapped: bool = False

    def __str__(self) -> str:
        calls = "".join(map(str, self.steps))
        if self.batches is None:
            return f"source{calls}"
        more = "" if self.partitions is None else f", partitions={self.partitions}"
        return f"queue({[list(batch) for batch in self.batches]!r}{more}){calls}"

    def others(self) -> Iterator[Pipeline]:
        """Yield the recipes that are arguments of a call."""
        for step in self.steps:
            for arg in step.args:
                if isinstance(arg, Pipeline):
                    yield arg
                    yield from arg.others()

    def records(self) -> int:
        """Return the number of records, of other recipes too."""
        own = (self, *self.others())
        return sum(len(batch) for pipeline in own for batch in pipeline.batches or ())

    def calls(self) -> int:
        """Return the number of calls, those of other recipes too."""
        return sum(len(pipeline.steps) for pipeline in (self, *self.others()))


def show(arg: Any) -> str:
    """Return an argument as one would write it."""
    name = getattr(arg, "__name__", None)
    return str(arg) if isinstance(arg, Pipeline) else name or repr(arg)


def shape_of(pipeline: Pipeline) -> Shape | None:
    """Return the shape of a recipe's result, or None if the recipe makes no sense."""
    shape: Shape | None = Shape(pipeline.kind, behind=pipeline.behind, mapped=pipeline.mapped)
    for step in pipeline.steps:
        if shape is None:
            return None
        others = [a for a in step.args if isinstance(a, Pipeline)]
        shapes = [shape_of(other) for other in others]
        known = [s for s in shapes if s is not None]
        shape = shape_after(shape, step, known) if len(known) == len(shapes) else None
    return shape


def shape_after(shape: Shape, step: Step, others: list[Shape]) -> Shape | None:
    """Return the shape behind a call, or None if the call makes no sense."""
    method, args = step.method, step.args
    if method in _NARROW:
        return _narrow(shape, method, args)
    if method in _SHUFFLES:
        return _shuffle(shape, method, args)
    if method in STATEFUL:
        if shape.driver and not shape.behind:
            return None
        return _stateful(replace(shape, driver=False), method, args)
    return _several(shape, method, args, others)


_NARROW = ("map", "flatMap", "filter", "mapValues", "flatMapValues", "mapPartitions", "glom")
_NARROW += ("mapPartitionsWithIndex", "cache", "checkpoint", "foreachRDD")


def _narrow(shape: Shape, method: str, args: tuple[Any, ...]) -> Shape | None:
    match method:
        case "map" if args[0] is f.bad:
            return replace(shape, fails=True)
        case "map":
            kinds, kind = MAPS[args[0]]
            return replace(shape, kind=kind) if shape.kind in kinds else None
        case "flatMap":
            return shape if args[0] is not f.parts or shape.kind == ATOMS else None
        case "mapValues":
            return replace(shape, kind=VALUES[args[0]]) if shape.keyed else None
        case "flatMapValues":
            kind = shape.kind if args[0] is f.twice else PAIRS
            return replace(shape, kind=kind) if shape.keyed else None
        case "mapPartitions" if args[0] is f.passed:
            return shape
        case "mapPartitions":
            return replace(shape, kind=ATOMS) if shape.fixed else None
        case "glom":
            return replace(shape, kind=OTHER) if shape.fixed else None
        case "mapPartitionsWithIndex":
            driver = shape.driver or not shape.numbered
            return replace(shape, kind=PAIRS, driver=driver) if shape.fixed else None
        case "checkpoint":
            return shape if args[0] % shape.slide == 0 else None
    return shape  # filter, cache and an output of its own


_SHUFFLES = ("reduceByKey", "groupByKey", "combineByKey", "partitionBy", "countByValue")
_SHUFFLES += ("repartition", "count", "reduce")


def _shuffle(shape: Shape, method: str, args: tuple[Any, ...]) -> Shape | None:
    at = replace(shape, fixed=True, numbered=True)
    match method:
        case "repartition":
            return replace(at, fixed=False)
        case "count":
            return replace(at, kind=ATOMS)
        case "reduce":
            return at
        case "countByValue":
            return replace(at, kind=COUNTS) if shape.kind == ATOMS else None
        case "reduceByKey":
            return at if shape.kind in REDUCERS[args[0]] else None
        case "partitionBy":
            return at if shape.keyed else None
    return replace(at, kind=PAIRS) if shape.keyed else None


STATEFUL = ("window", "reduceByKeyAndWindow", "groupByKeyAndWindow", "countByWindow")
STATEFUL += ("countByValueAndWindow", "reduceByWindow", "updateStateByKey", "mapWithState")


def _stateful(shape: Shape, method: str, args: tuple[Any, ...]) -> Shape | None:
    at = replace(shape, fixed=True, numbered=True)
    if method == "updateStateByKey":
        return replace(at, kind=STATES[args[0]]) if shape.keyed else None
    if method == "mapWithState":
        return _mapped(at, *args) if shape.keyed else None
    numbers = [arg for arg in args if isinstance(arg, int)]
    length, slide = numbers[0], numbers[1]
    if length % shape.slide or slide % shape.slide:
        return None
    at = replace(at, slide=slide)
    match method:
        case "window":
            return replace(shape, slide=slide, numbered=False)
        case "countByWindow":
            return replace(at, kind=ATOMS)
        case "reduceByWindow":
            return at
        case "countByValueAndWindow":
            return replace(at, kind=COUNTS) if shape.kind == ATOMS else None
        case "groupByKeyAndWindow":
            return replace(at, kind=PAIRS) if shape.keyed else None
    return at if shape.kind in REDUCERS[args[0]] else None


def _mapped(at: Shape, function: Any, *rest: Any) -> Shape:
    at = replace(at, fails=at.fails or function is f.refuses_bad)
    what, results = rest[-1], MAPPED[function]
    if what == RESULTS:
        return replace(at, kind=results)
    kind = COUNTS if what == SNAPSHOTS else results  # keys with numbers are of all these kinds
    return replace(at, kind=kind, numbered=False)


def _several(shape: Shape, method: str, args: tuple[Any, ...], others: list[Shape]) -> Shape | None:
    if any(other.slide != shape.slide for other in others):
        return None
    driver = shape.driver or any(other.driver for other in others)
    shape = replace(shape, fails=shape.fails or any(other.fails for other in others))
    if method in JOINS:
        keyed = shape.keyed and all(other.keyed for other in others)
        at = replace(shape, kind=PAIRS, fixed=True, numbered=True, driver=driver)
        return at if keyed else None
    if method in ("union", "ssc.union"):
        kinds = {shape.kind, *(other.kind for other in others)}
        kind = PAIRS if kinds == {PAIRS, COUNTS} else shape.kind
        if kinds - {PAIRS, COUNTS} and len(kinds) > 1:
            return None
        fixed = shape.fixed and all(other.fixed for other in others)
        return replace(shape, kind=kind, fixed=fixed, numbered=False, driver=driver)
    if args[0] is f.distinct and shape.kind != ATOMS:
        return None
    if args[0] is f.texts and shape.fails:
        return None  # it runs a job, and if that fails DStreams run no output of the batch
    kind = shape.kind if args[0] is f.again else ATOMS
    return replace(shape, kind=kind, fixed=False, numbered=True, driver=True)  # transform(With)
