"""What is refused when it is defined or started, against DStreams."""

from __future__ import annotations

import functools
import operator
import pickle
import re
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyspark.streaming as real
import pytest
from pyspark import SparkContext, StorageLevel

import dstream_compat as ours
from dstream_compat.exceptions import StreamingStateError
from tests.support.streaming.contexts import without_checkpoint_directory
from tests.support.streaming.refusals import Refusals, check_refusals, refusal

pytestmark = pytest.mark.slow

CONTEXTS = (real.StreamingContext, ours.StreamingContext)
add, sub = operator.add, operator.sub

DEFINITIONS: dict[str, Callable[[Any, Any], Any]] = {
    "window": lambda s, _: s.window(1.5),
    "window-slide": lambda s, _: s.window(2, 0.5),
    "window-of-window": lambda s, _: s.window(2, 2).window(3),
    "window-slide-of-window": lambda s, _: s.window(2, 2).window(4, 3),
    "window-right": lambda s, _: s.window(2, 2).window(4, 6),
    "reduceByKeyAndWindow": lambda s, _: s.reduceByKeyAndWindow(add, None, 1.5),
    "reduceByKeyAndWindow-slide": lambda s, _: s.reduceByKeyAndWindow(add, sub, 2, 1.5),
    "countByWindow": lambda s, _: s.countByWindow(1.5, 1),
    "reduceByWindow": lambda s, _: s.reduceByWindow(add, None, 2, 0.5),
    "union": lambda s, _: s.union(s.window(2, 2)),
    "ssc-union": lambda s, ssc: ssc.union(s, s.window(2, 2)),
    "ssc-union-none": lambda s, ssc: ssc.union(),
    "ssc-union-one": lambda s, ssc: ssc.union(s),
    "join": lambda s, _: s.join(s.window(2, 2)),
    "transformWith": lambda s, _: s.transformWith(lambda a, b: a, s.window(2, 2)),
    "ssc-transform": lambda s, ssc: ssc.transform([s, s.window(2, 2)], lambda rdds: rdds[0]),
    "ssc-transform-none": lambda s, ssc: ssc.transform([], len),
    "queue-empty": lambda s, ssc: ssc.queueStream([]),
    "transform-none": lambda s, _: s.transform(lambda: None),
    "transform-three": lambda s, _: s.transform(lambda a, b, c: a),
    "transform-star": lambda s, _: s.transform(lambda *a: a),
    "transformWith-one": lambda s, _: s.transformWith(lambda a: a, s),
    "transformWith-four": lambda s, _: s.transformWith(lambda a, b, c, d: a, s),
    "getActiveOrCreate": lambda s, ssc: type(ssc).getActiveOrCreate(None, 5),
    "persist": lambda s, _: s.persist(),
    "persist-level": lambda s, _: s.persist(5),
    "checkpoint-interval": lambda s, _: s.checkpoint(None),
    "slice": lambda s, _: s.slice(1, 1),
    "remember": lambda s, ssc: [ssc.remember(2) for _ in range(2)],
    "slide": lambda s, _: s.window(4, 2)._slideDuration == 2.0 or pytest.fail("not 2 s"),
}

# Spark has no words of its own for these, or some that only its source explains.
DIFFERENT = {
    "ssc-transform-none": "should have at least one DStream to transform",
}


def test_definitions(sc: SparkContext) -> None:
    found: list[Refusals] = []
    for make in CONTEXTS:
        ssc = make(sc, 1)
        stream = ssc.queueStream([[("a", 1)]])
        found.append(
            {
                name: refusal(functools.partial(define, stream, ssc))
                for name, define in DEFINITIONS.items()
            }
        )
        ssc.stop(stopSparkContext=False)
    check_refusals(*found, DIFFERENT)
    allowed = {name for name, error in found[0].items() if error is None}
    assert allowed == {"window-right", "ssc-union-one", "join", "transformWith", "slide"}


COMBINED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "union": lambda a, b, ssc: a.union(b),
    "ssc-union": lambda a, b, ssc: ssc.union(a, b),
    "ssc-transform": lambda a, b, ssc: ssc.transform([a, b], lambda rdds: rdds[0]),
    "transformWith": lambda a, b, ssc: a.transformWith(lambda x, y: x, b),
    "cogroup": lambda a, b, ssc: a.cogroup(b),
    "join": lambda a, b, ssc: a.join(b),
    "fullOuterJoin": lambda a, b, ssc: a.fullOuterJoin(b),
}


@pytest.mark.parametrize("case", COMBINED)
def test_streams_of_two_contexts(sc: SparkContext, case: str) -> None:
    """Spark refuses some of them only when a context starts."""

    def combine(make: Any) -> Any:
        contexts = [make(sc, 1) for _ in range(2)]
        streams = [ssc.queueStream([[("a", 1)]]) for ssc in contexts]
        try:
            COMBINED[case](*streams, contexts[0]).pprint()
            return refusal(contexts[0].start)
        finally:
            for ssc in contexts:
                ssc.stop(stopSparkContext=False)

    error = refusal(lambda: combine(real.StreamingContext)) or combine(real.StreamingContext)
    assert re.search(r"different contexts|must not be set", str(error)), error
    with pytest.raises(ValueError, match="different contexts"):
        combine(ours.StreamingContext)


Define = Callable[[Any], Any]

NEED_FOLDER: dict[str, Define] = {
    "updateStateByKey": lambda s: s.updateStateByKey(lambda new, old: 1),
    "reduceByKeyAndWindow": lambda s: s.reduceByKeyAndWindow(add, sub, 5, 1),
    "reduceByKeyAndWindow-unused": lambda s: s.reduceByKeyAndWindow(add, sub, 2, 1),
    "reduceByWindow": lambda s: s.reduceByWindow(add, sub, 2, 1),
    "countByWindow": lambda s: s.countByWindow(2, 1),
    "countByValueAndWindow": lambda s: s.countByValueAndWindow(2, 1),
    "groupByKeyAndWindow": lambda s: s.groupByKeyAndWindow(2, 1),
    "checkpoint": lambda s: s.map(str).checkpoint(2),
    "checkpoint-bad": lambda s: s.map(str).checkpoint(1.5),
    "checkpoint-of-window": lambda s: s.window(2).checkpoint(2),
    "state-before-checkpoint": lambda s: s.updateStateByKey(lambda new, old: 1).map(str),
}

INTERVALS: dict[str, Define] = {
    "not a multiple": lambda s: s.map(str).checkpoint(1.5),
    "too short": lambda s: s.map(str).checkpoint(0.5),
    "none": lambda s: s.map(str).checkpoint(0),
    "the last one counts": lambda s: s.map(str).checkpoint(2).checkpoint(1.5),
    "of a slide": lambda s: s.window(2, 2).map(str).checkpoint(3),
    "less than a slide": lambda s: s.window(2, 2).map(str).checkpoint(1),
    "of a source": lambda s: s.checkpoint(1.5),
    "of state": lambda s: s.updateStateByKey(lambda new, old: 1).checkpoint(1.5),
    "of an inverse window": lambda s: s.reduceByKeyAndWindow(add, sub, 5, 1).checkpoint(1.5),
    "in the middle": lambda s: s.map(str).checkpoint(1.5).map(str),
    "the last stream comes first": lambda s: s.map(str).checkpoint(1.5).map(str).checkpoint(0.5),
    "of a window": lambda s: s.window(2, 2).checkpoint(4),
    "no level": lambda s: s.map(str).checkpoint(2).persist(StorageLevel.NONE),
    "no level of state": lambda s: s.updateStateByKey(len).persist(StorageLevel.NONE),
    "no output": lambda s: None,
}

INTERVALS_DIFFERENT = {
    # A level does not help, as a window gives it to the stream before it.
    "of a window": "window has been marked for checkpointing but the storage level has not been "
    "set to enable persisting, and a window persists the stream before it instead",
}


def starts(make: Any, sc: SparkContext, definitions: dict[str, Define]) -> Refusals:
    """Return why contexts do not start; none of them is active then."""
    found: Refusals = {}
    for name, define in definitions.items():
        ssc = make(sc, 1)
        stream = define(ssc.queueStream([[("a", 1)]]))
        if stream is not None:
            stream.pprint()
        found[name] = refusal(ssc.start)
        assert make.getActive() is None
        ssc.stop(stopSparkContext=False)
    return found


def test_starts_that_need_a_folder(sc: SparkContext) -> None:
    with without_checkpoint_directory(sc):
        found = [starts(make, sc, NEED_FOLDER) for make in CONTEXTS]
    check_refusals(*found, {})
    assert None not in found[0].values()


def test_map_with_state_needs_a_folder(sc: SparkContext) -> None:
    spec = ours.StateSpec.function(lambda key, value, state: value)
    stateful: dict[str, Define] = {
        "mapWithState": lambda s: s.mapWithState(spec),
        "stateSnapshots": lambda s: s.mapWithState(spec).stateSnapshots(),
    }
    with without_checkpoint_directory(sc):
        expected = starts(real.StreamingContext, sc, dict.fromkeys(stateful, NEED_STATE))
        found = starts(ours.StreamingContext, sc, stateful)
    check_refusals(expected, found, {})
    assert "mapWithState" in str(found["stateSnapshots"])


NEED_STATE = NEED_FOLDER["updateStateByKey"]


def test_starts_with_checkpoint_intervals(sc: SparkContext) -> None:
    found = [starts(make, sc, INTERVALS) for make in CONTEXTS]
    check_refusals(*found, INTERVALS_DIFFERENT)
    assert None not in found[0].values()


AFTERWARDS: dict[str, Callable[[Any, Any], Any]] = {
    "persist": lambda s, _: s.persist(StorageLevel.MEMORY_ONLY),
    "persist-level": lambda s, _: s.persist(5),
    "cache": lambda s, _: s.cache(),
    "checkpoint": lambda s, _: s.checkpoint(2),
    "checkpoint-bad": lambda s, _: s.checkpoint(1.5),
    "remember": lambda s, ssc: ssc.remember(2),
    "remember-again": lambda s, ssc: ssc.remember(2),
    "state": lambda s, _: s.updateStateByKey(len),
    "union": lambda s, _: s.union(s).pprint(),
}


def test_what_is_refused_after_the_start(sc: SparkContext) -> None:
    found: list[Refusals] = []
    for make in CONTEXTS:
        ssc = make(sc, 1)
        source = ssc.queueStream([[("a", 1)]])
        stream = source.map(str).checkpoint(2).cache()  # two intervals that fit
        stream.pprint()
        unused = source.map(str).checkpoint(1.5)  # no output needs it
        ssc.start()
        refusals: Refusals = {}
        for when in ("started", "stopped"):
            for name, call in AFTERWARDS.items():
                refusals[f"{name} {when}"] = refusal(functools.partial(call, stream, ssc))
            ssc.stop(stopSparkContext=False)
        assert stream.is_cached and stream.is_checkpointed and unused.is_checkpointed
        found.append(refusals)
    check_refusals(*found, {})
    assert [name for name, error in found[0].items() if error is None] == ["remember started"]


HELD: dict[str, Callable[[Any, Any], Any]] = {
    "context": lambda s, ssc: ssc.sparkContext,
    "streaming context": lambda s, ssc: ssc,
    "stream": lambda s, ssc: s.map(str),
    "rdd": lambda s, ssc: ssc.sparkContext.parallelize([1]),
    "lock": lambda s, ssc: threading.Lock(),
}


@pytest.mark.parametrize("driver", [True, False], ids=["driver", "workers"])
def test_functions_that_cannot_be_saved(sc: SparkContext, tmp_path: Path, driver: bool) -> None:
    found: list[Refusals] = []
    for make, place in zip(CONTEXTS, ("real", "ours"), strict=True):
        refusals: Refusals = {}
        for name, hold in HELD.items():
            ssc = make(sc, 1)
            ssc.checkpoint(str(tmp_path / place / name))
            stream = ssc.textFileStream(str(tmp_path))
            use = functools.partial(lambda held, _: held, hold(stream, ssc))
            if driver:
                stream.foreachRDD(lambda rdd, use=use: use(rdd))
            else:
                stream.map(use).pprint()
            refusals[name] = refusal(ssc.start)
            ssc.stop(stopSparkContext=False)
        found.append(refusals)
    check_refusals(*found, {})
    assert "attempting to reference SparkContext" in str(found[1]["context"])
    assert all(found[0].values())


def test_functions_that_cannot_be_shipped(sc: SparkContext) -> None:
    """Without a folder DStreams cancel each batch; ours does not start, with the same words."""
    for name in ("stream", "lock"):
        refused = refusal(functools.partial(make_and_start, sc, HELD[name]))
        assert isinstance(refused, pickle.PicklingError)
        said = "SparkContext from a broadcast" if name == "stream" else "cannot pickle '_thread"
        assert str(refused).startswith("Could not serialize object: ")
        assert said in str(refused)
        assert ours.StreamingContext.getActive() is None


def make_and_start(sc: SparkContext, hold: Callable[[Any, Any], Any]) -> None:
    ssc = ours.StreamingContext(sc, 1)
    stream = ssc.queueStream([[1]])
    held = hold(stream, ssc)
    stream.map(lambda _: held).pprint()
    try:
        ssc.start()
    finally:
        ssc.stop(stopSparkContext=False)


def test_a_stopped_context_says_so(sc: SparkContext) -> None:
    found: list[Refusals] = []
    for make in CONTEXTS:
        ssc = make(sc, 1)
        stream = ssc.queueStream([[1]])
        ssc.stop(stopSparkContext=False)
        found.append(
            {
                "start": refusal(ssc.start),
                "persist": refusal(stream.cache),
                "map": refusal(lambda stream=stream: stream.map(str).pprint()),  # type: ignore[misc]
            }
        )
    check_refusals(*found, {})
    assert isinstance(found[1]["start"], StreamingStateError)
