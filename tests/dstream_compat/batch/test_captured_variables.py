"""Broadcast variables and accumulators that a function has captured, after a recovery."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.streaming.processes import Finished, run_job

pytestmark = [pytest.mark.slow, pytest.mark.full]


def lives(engine: str, place: Path, captured: str) -> tuple[Finished, Finished]:
    """Run a job for two batches, and let another process recover it."""
    folder = place / "checkpoint-in"
    folder.mkdir(parents=True)
    for second in range(1, 5):
        (folder / f"part-{second}").write_text("a\n")
        os.utime(folder / f"part-{second}", (second, second))
    first, second_life = (
        run_job("captured", engine, str(place / "checkpoint"), captured, last)
        for last in ("2", "4")
    )
    assert first.code == 0, first.err[-3000:]
    assert "setup was called" in first.out
    assert "setup was called" not in second_life.out
    return first, second_life


@pytest.mark.parametrize("engine", ["real", "ours"])
def test_a_broadcast_variable_is_not_restored(tmp_path: Path, engine: str) -> None:
    first, again = lives(engine, tmp_path, "broadcast")
    assert first.out.splitlines()[-3:] == ["batch 1: [1]", "batch 2: [1]", "stopped"]
    assert again.code == 1
    assert again.out == ""  # getOrCreate raises
    assert "Broadcast variable `0` not loaded" in again.err
    if engine == "ours":
        last = again.err.strip().splitlines()[-1]
        assert "CheckpointError" in last
        assert "broadcast variables are not restored" in last.lower()
        assert str(tmp_path / "checkpoint") in last


@pytest.mark.parametrize("engine", ["real", "ours"])
def test_an_accumulator_has_no_value_in_the_driver(tmp_path: Path, engine: str) -> None:
    """Functions of workers go on, but the driver cannot read it any more."""
    first, again = lives(engine, tmp_path, "accumulator")
    assert "counted 2" in first.out
    assert again.code == 1
    assert "recovered" in again.out
    assert "batch" in again.out, again.err
    assert "counted" not in again.out
    assert "Value `Accumulator.value` cannot be accessed inside tasks" in again.err
