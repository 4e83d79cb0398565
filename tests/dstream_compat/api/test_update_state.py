"""updateStateByKey, against DStreams."""

from __future__ import annotations

import errno
import operator
from pathlib import Path
from typing import Any

import pytest
from pyspark import SparkContext

from tests.support.streaming.differential import Case, all_but
from tests.support.streaming.engines import Engines, engines_for
from tests.support.streaming.partitions import with_other_partitions
from tests.support.streaming.stepwise import Run

PAIRS: list[list[Any]] = [
    [("a", 1), ("b", 2), ("a", 3)],
    [("a", 10), (None, 4)],
    [],
    [("c", 5), ("b", -2), (1, 1), (1.0, 2), (True, 3)],
    [],
    [("a", 7)],
]


def running_sum(values: list[int], state: int | None) -> int:
    return sum(values) + (state or 0)


def sum_or_zero(values: list[Any], state: Any) -> Any:
    if not state:
        state = 0
    return sum(values) + state


class Vanishing:
    """Sums to None, which removes the key."""

    def __radd__(self, other: object) -> None:
        return None


def vanishing(pair: tuple[str, int]) -> tuple[str, Any]:
    return (pair[0], Vanishing()) if pair[1] == 3 else pair


def count_calls(values: list[int], state: int | None) -> int:
    return (state or 0) + 1


def drop_idle(values: list[int], state: int | None) -> int | None:
    return sum(values) + (state or 0) if values else None


def append_in_place(values: list[int], state: list[int] | None) -> list[int]:
    state = [] if state is None else state
    state.extend(sorted(values))
    return state


def boom_on_five(values: list[int], state: int | None) -> int:
    if 5 in values:
        raise ValueError("five")
    return running_sum(values, state)


def shout(pair: Any) -> Any:
    pair[1].append("changed downstream")
    return pair


def falsy(values: list[int], state: Any) -> Any:
    return {None: 0, 0: "", "": [], (): False}.get(state if state != [] else (), 0)


def argument_types(values: list[int], state: Any) -> Any:
    return type(values).__name__, type(state).__name__


# A running sum is not called for ints without new values, for these it is.
NUMBERS: list[list[Any]] = [
    [("a", 1), ("b", 2.5), ("t", True), ("z", -0.0), ("n", float("nan")), ("c", 1j)],
    [("a", 1)],
    [("a", 2**70), ("b", 1), (1, 1), (True, 1), (float("nan"), 1)],
    [],
    [("a", 3), (float("nan"), 1)],
    [("a", 1), ("b", "text")],
    [("a", 1)],
]
INTS: list[list[Any]] = [
    [("a", 1), ("b", 2), (1, 1)],
    [("a", 0), (True, 5), (1.0, 2)],
    [],
    [("b", 3)],
    [("c", 2**80)],
    [("a", 1), ("a", True), ("b", 1)],
]

INITIAL = [("a", 100), ("z", 26), (None, 1)]

CASES = [
    Case("running-sum", lambda s, _: s.updateStateByKey(running_sum), PAIRS),
    Case("sum-numbers", lambda s, _: s.updateStateByKey(sum_or_zero), NUMBERS),
    Case("sum-numbers-2", lambda s, _: s.updateStateByKey(running_sum), NUMBERS),
    Case("sum-ints", lambda s, _: s.updateStateByKey(lambda a, b: sum(a, b or 0)), INTS),
    Case(
        "sum-gone",
        lambda s, _: s.map(vanishing).updateStateByKey(lambda a, b: sum(a, b or 0)),
        INTS,
    ),
    Case("sum-fails", lambda s, _: s.map(vanishing).updateStateByKey(running_sum), INTS),
    Case("sum-then", lambda s, _: s.updateStateByKey(running_sum).map(repr), INTS),
    Case("calls", lambda s, _: s.updateStateByKey(count_calls), PAIRS),
    Case("drop-idle", lambda s, _: s.updateStateByKey(drop_idle), PAIRS),
    Case("mutable", lambda s, _: s.updateStateByKey(append_in_place), PAIRS),
    Case("mutated", lambda s, _: s.updateStateByKey(append_in_place).map(shout), PAIRS),
    Case("falsy", lambda s, _: s.updateStateByKey(falsy), PAIRS),
    Case("types", lambda s, _: s.updateStateByKey(argument_types), PAIRS),
    Case("one-partition", lambda s, _: s.updateStateByKey(running_sum, 1), PAIRS),
    Case("initial-empty", lambda s, _: s.updateStateByKey(running_sum, None, []), PAIRS),
    Case(
        "initial-twice",
        lambda s, _: s.updateStateByKey(running_sum, 2, [("z", 1), ("z", 20), ("a", 5)]),
        PAIRS,
    ),
    Case(
        "initial-dropped",
        lambda s, _: s.updateStateByKey(drop_idle, initialRDD=[("z", 1), ("a", 5)]),
        PAIRS,
    ),
    Case("partitions", lambda s, _: s.updateStateByKey(running_sum, 5), PAIRS),
    Case("initial-list", lambda s, _: s.updateStateByKey(running_sum, 2, INITIAL), PAIRS),
    Case(
        "initial-rdd",
        lambda s, ssc: s.updateStateByKey(
            running_sum, initialRDD=ssc.sparkContext.parallelize(INITIAL, 3)
        ),
        PAIRS,
    ),
    Case("map-after", lambda s, _: s.updateStateByKey(running_sum).map(lambda kv: kv[1]), PAIRS),
    Case("count-after", lambda s, _: s.updateStateByKey(running_sum).count(), PAIRS),
    Case(
        "two-in-a-row",
        lambda s, _: (
            s.updateStateByKey(running_sum)
            .map(lambda kv: (kv[1] % 2, 1))
            .updateStateByKey(running_sum)
        ),
        PAIRS,
    ),
    Case(
        "after-reduce",
        lambda s, _: s.reduceByKey(operator.add).updateStateByKey(running_sum),
        PAIRS,
    ),
    Case("after-window", lambda s, _: s.window(2, 1).updateStateByKey(running_sum), PAIRS),
    Case("after-slide", lambda s, _: s.window(2, 2).updateStateByKey(running_sum), PAIRS),
    Case(
        "window-after",
        lambda s, _: s.updateStateByKey(running_sum).window(2, 1),
        PAIRS,
    ),
    Case(
        "union-of-two",
        lambda s, _: s.updateStateByKey(running_sum).union(s.updateStateByKey(count_calls)),
        PAIRS,
    ),
    Case("fails-for-good", lambda s, _: s.updateStateByKey(boom_on_five), PAIRS),
    Case(
        "input-fails",
        lambda s, _: s.map(lambda kv: (kv[0], 1 // (kv[1] - 5))).updateStateByKey(running_sum),
        PAIRS,
    ),
]

RARE = """
sum-numbers-2 sum-ints sum-gone sum-then mutated falsy types one-partition initial-empty
initial-dropped partitions initial-rdd map-after count-after after-reduce after-slide
window-after input-fails
"""
CASES = all_but(RARE, CASES)
engines = engines_for(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=str)
def test_same_as_dstreams(case: Case, engines: Engines) -> None:
    engines.check(case)


test_same_with_other_numbers_of_partitions = with_other_partitions(CASES)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["memory", pytest.param("disk", marks=pytest.mark.full)])
@pytest.mark.parametrize("operator", ["state", "window", "reduced"])
def test_what_a_worker_lacks_is_not_kept(
    sc: SparkContext, tmp_path: Path, what: str, operator: str
) -> None:
    """The micro-batch runs again; state with that error in it would fail for ever."""
    marker = tmp_path / "lacked"

    def lacking(pair: tuple[str, int]) -> tuple[str, int]:
        if pair[0] == "b" and not marker.exists():
            marker.touch()
            raise MemoryError if what == "memory" else OSError(errno.ENOSPC, "No space left")
        return pair

    with Run(sc) as run:
        pairs = run.ssc.queueStream([[("a", 1)], [("b", 1)], [("a", 1)], []]).map(lacking)
        run.keep(
            "found",
            {
                "state": lambda: pairs.updateStateByKey(lambda new, old: sum(new) + (old or 0)),
                "window": lambda: pairs.window(2, 1),
                "reduced": lambda: pairs.reduceByKeyAndWindow(lambda a, b: a + b, None, 2, 1),
            }[operator](),
        )
        run.start()
        for _ in range(4):
            run.advance()
        found = run.batches("found")
    assert marker.exists()
    both = [("a", 1), ("b", 1)]
    expected = {
        "state": [[("a", 1)], both, [("a", 2), ("b", 1)], [("a", 2), ("b", 1)]],
        "window": [[("a", 1)], both, both, [("a", 1)]],
        "reduced": [[("a", 1)], both, both, [("a", 1)]],
    }
    assert found == expected[operator]
