"""Wrong migrations are caught at their batch and operator, and harmless changes pass.

All runs share one JVM. Four of each kind are part of `make test`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from migrator.verify.comparison import Comparison
from migrator.verify.process import COMPAT, DSTREAMS
from tests.support.migrator.planted import HARMLESS, INPUTS, WRONG, Change, migrated, recording
from tests.support.migrator.proof_runs import Runs, compared

HERE = Path(__file__).parent / "planted"
ALWAYS = {
    *("lost key", "sort removed", "float", "missed None"),
    *("renamed variable", "more partitions", "groups instead of a reduction"),
    "other order in a batch",
}

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    made = Runs(tmp_path_factory.mktemp("planted"))
    yield made
    made.close()


def cases(changes: list[Change]) -> list[object]:
    return [
        pytest.param(one, id=one.name, marks=() if one.name in ALWAYS else pytest.mark.full)
        for one in changes
    ]


def both(runs: Runs, change: Change, folder: Path) -> tuple[Comparison, str]:
    job = HERE / f"{change.job}.py"
    new = folder / "new.py"
    new.write_text(migrated(job.read_text(encoding="utf-8"), change), encoding="utf-8")
    given = recording(change.job)
    old = runs.outcome(change.job, DSTREAMS, job, given)
    return compared(old, runs.outcome(change.name, COMPAT, new, given), len(given["batches"]))


def test_enough_is_planted() -> None:
    assert len({one.name for one in WRONG}) == len(WRONG) >= 16
    assert len({one.name for one in HARMLESS}) == len(HARMLESS) >= 16
    assert {one.name for one in [*WRONG, *HARMLESS]} >= ALWAYS
    for one in [*WRONG, *HARMLESS]:
        text = (HERE / f"{one.job}.py").read_text(encoding="utf-8")
        assert migrated(text, one) != text
        compile(migrated(text, one), one.name, "exec")
        assert one.job in INPUTS


@pytest.mark.parametrize("change", cases(WRONG))
def test_a_wrong_migration_is_caught(runs: Runs, change: Change, tmp_path: Path) -> None:
    found, operator = both(runs, change, tmp_path)
    first = found.first()
    assert first is not None
    assert first.batch == change.batch
    assert first.pair.name.startswith(change.output)
    assert operator.startswith(f"{change.operator} at ")


@pytest.mark.parametrize("change", cases(HARMLESS))
def test_a_harmless_change_passes(runs: Runs, change: Change, tmp_path: Path) -> None:
    found, _ = both(runs, change, tmp_path)
    assert found.first() is None
    assert found.rows_both == found.rows_old == found.rows_new > 0
    assert len(found.pairs) >= 1
