"""Blocks of batches on an engine that the test plays: numbers, labels and figures."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.harness.batches import (
    COLLECT,
    COUNT,
    BatchJob,
    BatchSession,
    Driver,
    Latencies,
    Output,
    Phase,
)
from benchmarks.harness.compare import digest
from benchmarks.harness.figures import LATENCY
from benchmarks.harness.job import Measure, Place, Scale

PLACE = Place("ours", Path("nowhere"), Scale(), {})


class FakeDriver(Driver):
    """Gives back the lines of a batch."""

    def __init__(self, job: BatchJob, lag: int = 0) -> None:
        super().__init__(job, PLACE)
        self.lag = lag
        self.staged: dict[int, list[str]] = {}
        self.events: list[str] = []

    def stage(self, number: int, lines: Sequence[str]) -> None:
        self.events.append(f"stage {number}")
        self.staged[number] = list(lines)

    def run(self, number: int) -> Any:
        self.events.append(f"run {number}")
        if number < self.lag:
            return []
        lines = self.staged[number - self.lag]
        counted = self.output.action == COUNT
        self.output.note(len(lines) if counted else lines)
        return self.output.wait()

    def latencies(self, batches: list[list[str]], warm: int, idle: int) -> Latencies:
        self.events.append(f"latencies {len(batches)} {warm} {idle}")
        return Latencies([0.5, 0.1, 0.3][: len(batches) - warm], list(batches), 0.02)


def lines(number: int) -> list[str]:
    return [f"line {number}", "other"]


def session(phases: list[Phase], action: str = COLLECT, lag: int = 0) -> tuple[Any, FakeDriver]:
    job = BatchJob("job", "", phases=lambda scale: phases, action=action)
    driver = FakeDriver(job, lag)
    return BatchSession(job, PLACE, driver), driver


def test_input_is_there_before_a_block_begins() -> None:
    one, driver = session([Phase(Measure("cycle", "", 1), lines, 1, 2)])

    one.step("cycle")

    assert driver.events == ["stage 0", "run 0", "stage 1", "stage 2", "run 1", "run 2"]


def test_every_batch_has_a_digest_and_rounds_continue() -> None:
    one, _driver = session([Phase(Measure("cycle", "", 2), lines, 1, 2)])

    first, second = one.step("cycle"), one.step("cycle")

    assert list(first.outputs) == ["cycle-0", "cycle-1", "cycle-2"]
    assert list(second.outputs) == ["cycle-3", "cycle-4"]
    assert second.outputs["cycle-4"] == digest(lines(4))
    assert first.rows == 2
    assert set(first.figures) == {"wall", "cpu"}
    assert first.first is not None and first.first <= time.monotonic()


def test_phases_begin_with_their_own_first_batch() -> None:
    phases = [Phase(Measure(name, "", 1), lines, 1, 1) for name in ("small", "large")]
    one, driver = session(phases)

    one.step("small")
    found = one.step("large")

    assert list(found.outputs) == ["large-2", "large-3"]
    assert driver.staged[2] == lines(0)


def test_outputs_that_come_later_belong_to_their_batches() -> None:
    one, _ = session([Phase(Measure("cycle", "", 1), lines, 2, 1)], lag=1)

    found = one.step("cycle")

    assert list(found.outputs) == ["cycle-0", "cycle-1"]
    assert found.outputs["cycle-1"] == digest(lines(1))


def test_an_output_that_counts_is_compared_once() -> None:
    one, driver = session([Phase(Measure("cycle", "", 2), lines, 1, 1)], COUNT)

    first, second = one.step("cycle"), one.step("cycle")

    assert list(first.outputs) == ["cycle-2"]
    assert second.outputs == {}
    assert driver.events[-2:] == ["stage 3", "run 3"]


def test_latency_is_the_median_of_what_was_not_warm_up() -> None:
    one, driver = session([Phase(Measure("latency", "", 1), lines, 1, 3, LATENCY, 2)])

    found = one.step("latency")

    assert driver.events == ["latencies 4 1 2"]
    assert found.figures == {"latency": 0.3, "idle_cpu": 0.02}
    assert list(found.outputs) == [f"latency-{number}" for number in range(4)]
    assert next(iter(one.step("latency").outputs)) == "latency-4"


def test_a_failing_output_is_raised() -> None:
    output = Output(COLLECT)
    output.note(ValueError("of the job"))

    with pytest.raises(ValueError, match="of the job"):
        output.wait()


@pytest.mark.slow
def test_an_engine_that_has_died_is_not_waited_for() -> None:
    def alive() -> None:
        raise RuntimeError("the query has failed")

    with pytest.raises(RuntimeError, match="the query has failed"):
        Output(COLLECT).wait(alive)
