"""Strategies for recipes of pipelines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from tests.support.streaming import pipeline_functions as f
from tests.support.streaming.pipelines import (
    ATOMS,
    BOTH,
    COUNTS,
    JOINS,
    MAPPED,
    MAPS,
    OTHER,
    PAIRS,
    REDUCERS,
    RESULTS,
    SNAPSHOTS,
    STATEFUL,
    STATES,
    VALUES,
    Pipeline,
    Shape,
    Step,
    add,
    shape_after,
    shape_of,
    sub,
)

# Few different values, so that keys meet; several of them are one key.
POOL: list[Any] = [None, 0, 1, 2, -1, True, False, 1.0, -0.0, 1.5, 2**70, "", "a", "b", "bad"]
POOL += ["żółć", "☃", "🎈", b"", b"a", (), (1, "a"), f.Point(1, "a"), (None,), (("b", 1.0), None)]
POOL += [f.Tag("a"), f.Tag("a", 1), f.Tag("b"), frozenset(), frozenset([1, "a"])]

wild = st.text(max_size=3) | st.binary(max_size=2) | st.integers() | st.floats(allow_nan=False)
atoms = st.integers(0, 9).flatmap(lambda n: st.sampled_from(POOL) if n else wild)
values = (
    atoms | st.lists(atoms, max_size=2) | st.dictionaries(st.text(max_size=1), atoms, max_size=2)
)
values |= st.just(float("nan"))
counts = st.integers(-3, 9) | st.booleans()


def records(kind: str, keys: list[Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for records of a kind with these keys only, so that keys meet."""
    key = st.sampled_from(keys)
    return {ATOMS: key, PAIRS: st.tuples(key, values), COUNTS: st.tuples(key, counts)}[kind]


@st.composite
def pipelines(
    draw: st.DrawFn,
    most: int = 5,
    kind: str | None = None,
    behind: bool = False,
    mapped: bool = False,
) -> Pipeline:
    """Draw a recipe of at most so many calls, on a queue of its own unless a kind is given.

    ``behind``: with state behind RDD functions, where there is some. ``mapped``: with mapWithState.
    """
    batches = None
    if kind is None:
        kind = draw(st.sampled_from([ATOMS, PAIRS, COUNTS][mapped:]))
        keys = draw(st.lists(atoms, min_size=1, max_size=6))
        batch = st.lists(records(kind, keys), max_size=6).map(tuple)
        batches = tuple(draw(st.lists(batch, min_size=1, max_size=5)))
    partitions = None if batches is None else draw(st.none() | st.integers(1, 3))
    made = Pipeline(kind, batches, (), partitions, behind, mapped)
    for _ in range(draw(st.integers(1 + behind, most))):
        shape = shape_of(made)
        assert shape is not None
        made = replace(made, steps=(*made.steps, draw(calls(shape, made.kind, most))))
    return made


@st.composite
def calls(draw: st.DrawFn, shape: Shape, kind: str, most: int) -> Step:
    """Draw a call that makes sense on a stream of this shape."""
    slide = shape.slide * draw(st.sampled_from([1, 1, 1, 2, 3]))
    length = draw(st.sampled_from([slide, 5 * slide, *(n * shape.slide for n in (1, 2, 3, 6))]))
    partitions = draw(st.none() | st.integers(1, 4))
    initial = tuple(draw(st.lists(st.tuples(atoms, st.just(1)), max_size=3, unique_by=_key)))
    steps = [
        step
        for step in _steps(length, slide, partitions, initial, shape.behind)
        if shape_after(shape, step, []) is not None
    ]
    if shape.mapped and shape.keyed and (shape.behind or not shape.driver):
        steps += draw(st.lists(states_by_record(partitions, initial), min_size=4, max_size=4))
    methods = sorted({step.method for step in steps})
    methods += [method for method in methods if "Window" in method or "State" in method]
    methods += [method for method in methods if method == "mapWithState"] * 7
    if shape.behind:
        likely = STATEFUL if shape.driver else ("transform",)
        methods += [method for method in methods if method in likely] * 5
    if most > 2:  # a recipe within a recipe has no further ones
        methods += ["transformWith", "ssc.transform"]
        methods += ["union", "ssc.union"] if shape.kind != OTHER else []
        methods += JOINS if shape.keyed else ()
    method = draw(st.sampled_from(methods))
    if method in (*JOINS, "union", "ssc.union", "transformWith", "ssc.transform"):
        return draw(calls_with_others(shape, kind, method, partitions))
    return draw(st.sampled_from([step for step in steps if step.method == method]))


def states_by_record(partitions: int | None, initial: tuple[Any, ...]) -> st.SearchStrategy[Step]:
    """Return a strategy for calls of mapWithState."""
    args = st.tuples(
        st.sampled_from(list(MAPPED)),
        st.just(partitions),
        st.none() | st.sampled_from([0.5, 1, 1.5, 2, 3]),
        st.sampled_from([(), initial]),
        st.sampled_from([RESULTS, RESULTS, SNAPSHOTS, BOTH]),
    )
    return args.map(lambda drawn: Step("mapWithState", drawn))


@st.composite
def calls_with_others(
    draw: st.DrawFn, shape: Shape, kind: str, method: str, partitions: int | None
) -> Step:
    """Draw a call that takes further streams."""
    first = draw(others(shape, kind))
    if method in JOINS:
        return Step(method, (first, partitions))
    if shape.keyed and "union" in method and draw(st.booleans()):
        # partitioned as the results of shuffles are by default
        first = replace(first, steps=(*first.steps, Step("partitionBy", (partitions or 2,))))
    if method == "union":
        return Step(method, (first,))
    if method == "transformWith":
        return Step(method, (draw(st.sampled_from([f.together, f.together_at])), first))
    more = (draw(others(shape, kind)),) if draw(st.booleans()) else ()
    if method == "ssc.union":
        return Step(method, (first, *more))
    return Step(method, (f.all_together, first, *more))


@st.composite
def others(draw: st.DrawFn, shape: Shape, kind: str) -> Pipeline:
    """Draw a stream of the same slide, and of a kind that fits for unions and joins."""
    made = draw(pipelines(2, draw(st.none() | st.just(kind)), shape.behind, shape.mapped))
    found = shape_of(made)
    assert found is not None
    if found.slide != shape.slide:
        same = Step("window", (shape.slide, shape.slide))
        made = replace(made, steps=(same,) if shape.slide > 1 else ())
        found = Shape(made.kind, behind=made.behind, mapped=made.mapped)
    if shape.keyed != found.keyed or found.kind == OTHER:
        last = f.by_size if shape.keyed else f.text
        made = replace(made, steps=(*made.steps, Step("map", (last,))))
    return made


def _key(pair: Any) -> str:
    return f.text(pair[0])


def _steps(
    length: int, slide: int, partitions: int | None, initial: tuple[Any, ...], behind: bool
) -> Iterator[Step]:
    """Yield every call that takes no further stream."""
    n, some = partitions, partitions or 3
    functions: dict[str, Any] = {
        "map": [*MAPS, f.bad],
        "flatMap": [f.twice, f.parts, f.nothing],
        "filter": [f.even],
        "mapValues": VALUES,
        "flatMapValues": [f.twice, f.letters],
        "mapPartitions": [f.passed, f.bagged],
        "mapPartitionsWithIndex": [f.indexed],
        "foreachRDD": [f.count_it],
        "reduce": [f.smaller],
        "transform": [f.distinct, f.texts, f.stamped, f.with_static, *[f.again] * 3 * behind],
    }
    for method, known in functions.items():
        yield from (Step(method, (function,)) for function in known)
    for reduce in REDUCERS:
        yield Step("reduceByKey", (reduce, n))
        yield Step("reduceByKeyAndWindow", (reduce, None, length, slide, n))
    for state in STATES:
        yield Step("updateStateByKey", (state, n))
    yield Step("updateStateByKey", (f.calls, n, initial))
    yield Step("reduceByKeyAndWindow", (add, sub, length, slide, n))
    yield Step("reduceByKeyAndWindow", (add, sub, length, slide, n, f.positive))
    yield Step("reduceByKeyAndWindow", (add, None, length, slide, n, f.positive))
    yield Step("combineByKey", (f.boxed, f.put, f.merged, n))
    yield Step("partitionBy", (some,))
    yield Step("partitionBy", (some, f.by_text))
    yield Step("checkpoint", (2 * slide,))
    yield Step("reduceByWindow", (f.smaller, None, length, slide))
    yield Step("groupByKeyAndWindow", (length, slide, n))
    yield Step("countByValueAndWindow", (length, slide, n))
    for method in ("window", "countByWindow"):
        yield Step(method, (length, slide))
    yield from (Step(method) for method in ("glom", "cache", "count", "countByValue"))
    yield Step("groupByKey", (n,))
    yield Step("repartition", (some,))
