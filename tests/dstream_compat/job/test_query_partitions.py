"""Results do not depend on the number of partitions of the query that computes them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pyspark import SparkContext

from tests.dstream_compat.api import (
    test_joins,
    test_keyed,
    test_state_behind_transform,
    test_update_state,
    test_windows,
)
from tests.support.streaming.differential import (
    MIXED,
    Case,
    Outcomes,
    comparable,
    run_ours,
    run_real,
)
from tests.support.streaming.settings import setting

MODULES = (test_joins, test_keyed, test_state_behind_transform, test_update_state, test_windows)
NAMES = [module.__name__.rpartition(".test_")[2] for module in MODULES]

pytestmark = [pytest.mark.slow, pytest.mark.full]


@pytest.fixture(scope="module", params=MODULES, ids=NAMES)
def expected(sc: SparkContext, request: pytest.FixtureRequest) -> tuple[list[Case], Outcomes]:
    cases: list[Case] = request.param.CASES
    return cases, run_real(sc, cases)


@pytest.fixture(params=["1", "5"])
def partitions(sc: SparkContext, request: pytest.FixtureRequest) -> Iterator[str]:
    with setting(sc, "spark.streaming.compat.partitions", request.param):
        yield request.param


def test_same_as_dstreams(
    sc: SparkContext, expected: tuple[list[Case], Outcomes], partitions: str
) -> None:
    cases, real = expected
    ours = run_ours(sc, cases, MIXED)
    for case in cases:
        assert comparable(case, ours[case.name]) == comparable(case, real[case.name]), case.name
