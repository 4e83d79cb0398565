"""The process of an engine: failures are shown, nothing of it stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.harness.figures import Digest, Measured
from benchmarks.harness.job import Place, Scale
from benchmarks.harness.run import Run, RunFailed


def test_a_failure_comes_with_its_traceback(tmp_path: Path) -> None:
    place = Place("ours", tmp_path / "run", Scale("quick"), {})
    run = Run("no-such-job", place)

    with pytest.raises(RunFailed, match=r"no-such-job on ours failed: Traceback[\s\S]*no_such_job"):
        run.step("cycle")
    run.end()

    assert not (tmp_path / "run").exists()


def test_a_process_that_ends_without_an_answer_is_a_failure(tmp_path: Path) -> None:
    run = Run("window", Place("ours", tmp_path / "run", Scale("unknown"), {}))
    run._process.kill()
    run._process.wait()

    with pytest.raises(RunFailed, match="it ended"):
        run.step("cycle")
    run.end()


def test_what_was_measured_passes_through_json() -> None:
    measured = Measured(10, {"wall": 0.5}, {"cycle-0": Digest(1, "ab", ["('a', 1)"])}, 3.5)

    assert Measured.from_json(measured.to_json()) == measured
