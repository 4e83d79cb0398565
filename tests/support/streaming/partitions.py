"""Results do not depend on the number of partitions of the query that computes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from pyspark import SparkContext

from tests.support.streaming.differential import (
    MIXED,
    Case,
    Outcomes,
    comparable,
    run_ours,
    run_real,
)
from tests.support.streaming.settings import setting


def with_other_partitions(cases: Sequence[Case]) -> Callable[..., None]:
    """A test that runs all cases with other numbers of partitions."""
    real: Outcomes = {}

    @pytest.mark.slow
    @pytest.mark.full
    @pytest.mark.parametrize("partitions", ["1", "5"])
    def test(sc: SparkContext, partitions: str) -> None:
        if not real:
            real.update(run_real(sc, cases))
        with setting(sc, "spark.streaming.compat.partitions", partitions):
            ours = run_ours(sc, cases, MIXED)
        for case in cases:
            assert comparable(case, ours[case.name]) == comparable(case, real[case.name]), case.name

    return test
