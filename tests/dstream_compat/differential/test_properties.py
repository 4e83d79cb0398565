"""Random pipelines over random batches give the same on both engines, batch by batch."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from pyspark import SparkContext

from tests.support.steady import steady_draws
from tests.support.streaming.collecting import Outcome
from tests.support.streaming.differential import LATE, MIXED, PROMPT
from tests.support.streaming.generate import pipelines
from tests.support.streaming.pipeline_functions import text
from tests.support.streaming.pipelines import Pipeline, shape_of
from tests.support.streaming.processes import run_python
from tests.support.streaming.running import INTERVALS, Outcomes, run_ours, run_real
from tests.support.streaming.shrinking import smaller_than, weight

FULL = bool(os.environ.get("DSTREAM_COMPAT_FULL"))
GROUP = 50 if FULL else 25
GROUPS = 200 if FULL else 1
BEHIND = 20
MAPPED = 20
LONG = 6
ROUNDS = 6


def drawn(
    group: int, size: int = GROUP, behind: bool = False, mapped: bool = False
) -> list[Pipeline]:
    """Return the recipes of a group; always the same ones."""
    return [recipe(size * group + number, behind, mapped) for number in range(size)]


def recipe(number: int, behind: bool = False, mapped: bool = False) -> Pipeline:
    """Return a recipe; always the same one."""
    found: list[Pipeline] = []

    # The first example is the smallest there is, the second is the first random one; what follows
    # would be variations of it.
    @seed(number)
    @settings(
        max_examples=2,
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(pipelines(behind=behind, mapped=mapped))
    def draw(pipeline: Pipeline) -> None:
        found.append(pipeline)

    with steady_draws():
        draw()
    return found[-1]


def seen(pipeline: Pipeline, outcome: Outcome) -> dict[float, Any]:
    """Return an outcome as text, with the order that nobody promises taken out."""
    shape = shape_of(pipeline)
    assert shape is not None

    def bag(records: Sequence[Any]) -> Any:
        return sorted(Counter(map(text, records)).items())

    result: dict[float, Any] = {}
    for time, found in outcome.batches.items():
        if isinstance(found, str):
            result[time] = found
        elif shape.fixed:
            result[time] = [bag(part) for part in found]
        else:
            result[time] = bag([record for part in found for record in part])
    return result


def failures(
    sc: SparkContext, recipes: Sequence[Pipeline], pace: str, intervals: int = INTERVALS
) -> dict[int, str]:
    """Run recipes on both engines; returns the numbers of those that differ, and how."""
    real, ours = run_real(sc, recipes, intervals), run_ours(sc, recipes, pace, intervals)
    return compared(recipes, real, ours)


def compared(recipes: Sequence[Pipeline], real: Outcomes, ours: Outcomes) -> dict[int, str]:
    """Return the numbers of the recipes whose outcomes differ, and how."""
    found: dict[int, str] = {}
    for number, recipe in enumerate(recipes):
        expected, got = seen(recipe, real[number]), seen(recipe, ours[number])
        for time in sorted({*expected, *got}):
            if expected.get(time) != got.get(time):
                found[number] = (
                    f"batch {time:.0f}\n  real: {expected.get(time)}\n  ours: {got.get(time)}"
                )
                break
    return found


def shrunk(
    sc: SparkContext, recipe: Pipeline, how: str, pace: str, intervals: int
) -> tuple[Pipeline, str]:
    """Return the smallest recipe found that differs, and how it does."""
    for _ in range(ROUNDS):
        candidates = [p for p in smaller_than(recipe) if weight(p) < weight(recipe)][:GROUP]
        found = failures(sc, candidates, pace, intervals) if candidates else {}
        if not found:
            break
        smallest = min(found, key=lambda number: weight(candidates[number]))
        recipe, how = candidates[smallest], found[smallest]
    return recipe, how


@pytest.mark.slow
@pytest.mark.parametrize("group", range(GROUPS))
def test_random_pipelines(sc: SparkContext, group: int) -> None:
    check(sc, drawn(group), (MIXED, LATE, PROMPT)[group % 3])


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("group", range(BEHIND))
def test_random_state_behind_functions_of_the_driver(sc: SparkContext, group: int) -> None:
    check(sc, drawn(group, GROUP // 2, behind=True), (MIXED, LATE, PROMPT)[group % 3])


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("group", range(MAPPED))
def test_random_state_by_record(sc: SparkContext, group: int) -> None:
    recipes = drawn(group, GROUP // 2, behind=group % 4 == 3, mapped=True)
    check(sc, recipes, (MIXED, LATE, PROMPT)[group % 3])


def subtracts(pipeline: Pipeline) -> bool:
    """Return whether a window of a recipe is so long that Spark uses its inverse function."""
    at = {"reduceByKeyAndWindow": 2, "countByWindow": 0, "countByValueAndWindow": 0}
    for method, args in ((step.method, step.args) for step in pipeline.steps):
        inverse = method in at and (method != "reduceByKeyAndWindow" or args[1] is not None)
        if inverse and args[at[method]] >= 5 * args[at[method] + 1]:
            return True
    return False


@pytest.mark.slow
@pytest.mark.full
@pytest.mark.parametrize("group", range(LONG))
def test_random_windows_that_subtract(sc: SparkContext, group: int) -> None:
    """Many more intervals, most of which have left each window when the last one comes."""
    numbers = range(10**6 + group * 10**4, 10**6 + (group + 1) * 10**4)
    found = (made for made in map(recipe, numbers) if subtracts(made))
    recipes = [
        replace(made, batches=(made.batches or ()) * 3) for made in islice(found, GROUP // 2)
    ]
    assert len(recipes) == GROUP // 2
    check(sc, recipes, (MIXED, LATE, PROMPT)[group % 3], 18)


def check(
    sc: SparkContext, recipes: Sequence[Pipeline], pace: str, intervals: int = INTERVALS
) -> None:
    """Fail with the smallest recipe that differs between the engines, made smaller still."""
    found = failures(sc, recipes, pace, intervals)
    if found:
        number = min(found, key=lambda n: weight(recipes[n]))
        small, how = shrunk(sc, recipes[number], found[number], pace, intervals)
        pytest.fail(
            f"{len(found)} of {len(recipes)} pipelines differ, the smallest one is\n"
            f"{recipes[number]}\nin {found[number]}\n\nshrunk to\n{small}\nin {how}"
        )


def in_order(recipes: str) -> str:
    """Return recipes with the elements of their sets in the same order for all hashes."""
    return re.sub(
        r"frozenset\(\{([^{}]*)\}\)", lambda found: str(sorted(found[1].split(", "))), recipes
    )


@pytest.mark.slow
def test_the_same_pipelines_every_time() -> None:
    once = drawn(0)
    # a process that has imported something else before, with other hashes
    code = f"import migrator.cli.main, migrator.rules; from {__name__} import drawn; "
    again = run_python("-c", code + "print(*drawn(0), sep='\\n')")
    assert in_order(again.out).splitlines() == in_order("\n".join(map(str, once))).splitlines()
    assert len(once) == GROUP
    assert len({step.method for recipe in once for step in recipe.steps}) > 20
