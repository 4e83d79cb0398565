"""The state of a rewrite to Structured Streaming is that of the job on DStreams, in each batch."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dstream_compat.testing.results import Results
from migrator.verify.comparison import Comparison, Rules, compare
from migrator.verify.obstacles import uncompared_outputs
from migrator.verify.pairing import STATE
from migrator.verify.process import DSTREAMS, STRUCTURED
from tests.support.migrator.proof_runs import Runs
from tests.support.structured.pairs import Golden, goldens
from tests.support.structured.recorded import recording

GOLDENS = {
    golden.name: golden
    for golden in goldens()
    if "updateStateByKey" in (golden.folder / "before.py").read_text(encoding="utf-8")
}
# what a job shows is right, and what it keeps is wrong
KEPT_TOO_LONG = (
    "state_reset",
    "        if total is None:\n            self.total.clear()\n            return\n",
    "        if total is None:\n            return\n",
)

pytestmark = [pytest.mark.slow, pytest.mark.full]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    made = Runs(tmp_path_factory.mktemp("states"))
    yield made
    made.close()


def both(runs: Runs, golden: Golden, name: str, after: Path) -> tuple[Comparison, Results]:
    arguments, given = recording(golden)
    before = golden.folder / "before.py"
    old = runs.outcome(golden.name, DSTREAMS, before, given, arguments, streams=False)
    new = runs.outcome(name, STRUCTURED, after, given, arguments, streams=False)
    found = compare(old, new, Rules(), len(given["batches"]))
    left_out = uncompared_outputs(old, new, found.pairs)
    assert [note for note in left_out if note.startswith("the state of ")] == []
    return found, old


@pytest.mark.parametrize("name", GOLDENS)
def test_state_is_the_same(runs: Runs, name: str) -> None:
    golden = GOLDENS[name]
    found, old = both(runs, golden, f"{name} rewritten", golden.folder / "after.py")
    # a running aggregate shows nothing in an interval without input
    assert [one for one in found.differences if one.pair.kind == STATE] == []
    states = [number for number, output in enumerate(old.outputs) if output.kind == STATE]
    assert states == [number for pair in found.pairs if pair.kind == STATE for number in pair.old]
    assert any(old.rows(old.last(), number) for number in states)


def test_a_state_that_is_not_removed(runs: Runs, tmp_path: Path) -> None:
    name, text, wrong = KEPT_TOO_LONG
    golden = GOLDENS[name]
    code = (golden.folder / "after.py").read_text(encoding="utf-8")
    assert text in code
    (tmp_path / "after.py").write_text(code.replace(text, wrong), encoding="utf-8")
    found, _ = both(runs, golden, "planted", tmp_path / "after.py")
    first = found.first()
    assert first is not None
    assert first.pair.kind == STATE
