"""The fixture that runs a module's cases on every engine, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from pyspark import SparkContext

from tests.support.streaming.differential import (
    PACES,
    Case,
    Outcomes,
    comparable,
    run_both_ways,
    run_real,
)


@dataclass(frozen=True)
class Engines:
    """What all cases of a module gave on each engine."""

    real: Outcomes
    ours: dict[str, Outcomes]

    def check(self, case: Case) -> None:
        """Assert that ours gave what DStreams gave, in every batch."""
        expected = comparable(case, self.real[case.name])
        # one comparison for all, so that pytest shows what differs, and in which of them
        given = {way: comparable(case, outcomes[case.name]) for way, outcomes in self.ours.items()}
        assert given == dict.fromkeys(given, expected)


def engines_for(cases: Sequence[Case]) -> Any:
    """Return a module-scoped fixture with the outcomes of cases."""

    @pytest.fixture(scope="module")
    def engines(sc: SparkContext) -> Engines:
        found: dict[str, Outcomes] = {}
        for pace in PACES:
            found |= run_both_ways(sc, cases, pace)
        return Engines(run_real(sc, cases), found)

    return engines
