"""The fixture that runs a module's cases on every engine, once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from pyspark import SparkContext

from .differential import PACES, Case, Outcomes, comparable, run_ours, run_real


@dataclass(frozen=True)
class Engines:
    """What all cases of a module gave on each engine."""

    real: Outcomes
    ours: dict[str, Outcomes]

    def check(self, case: Case) -> None:
        """Assert that ours gave what the real engine gave, in every batch."""
        expected = comparable(case, self.real[case.name])
        for pace, outcomes in self.ours.items():
            assert comparable(case, outcomes[case.name]) == expected, pace


def engines_for(cases: Sequence[Case]) -> Any:
    """Return a module-scoped fixture with the outcomes of cases."""

    @pytest.fixture(scope="module")
    def engines(sc: SparkContext) -> Engines:
        return Engines(run_real(sc, cases), {pace: run_ours(sc, cases, pace) for pace in PACES})

    return engines
