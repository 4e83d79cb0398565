"""Engines take turns, rounds end when time does, outputs are compared in every round."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchmarks.harness import schedule
from benchmarks.harness.compare import OutputsDiffer, digest
from benchmarks.harness.figures import Measured
from benchmarks.harness.job import Job, Measure, Place, Scale, Session, Unavailable
from benchmarks.harness.schedule import Budget, LeftOut, run_job

ENGINES = ("dstreams", "ours")


class Log:
    """What happened to the processes of a test."""

    def __init__(self) -> None:
        self.events: list[str] = []
        self.now = 0.0
        self.outputs: dict[str, int] = {}


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    """Replace the processes of engines."""
    log = Log()

    class FakeRun:
        def __init__(self, job: str, place: Place) -> None:
            self._engine = place.engine
            log.events.append(f"start {self._engine} {place.resources.get('size', '')}".strip())

        def step(self, measure: str) -> Measured:
            log.events.append(f"{measure} {self._engine}")
            log.now += 10
            output = log.outputs.get(self._engine, 1)
            return Measured(1, {"wall": 1.0}, {"0": digest([output])})

        def pause(self) -> None:
            log.events.append(f"pause {self._engine}")

        def end(self) -> None:
            log.events.append(f"end {self._engine}")

    monkeypatch.setattr(schedule, "Run", FakeRun)
    monkeypatch.setattr(schedule.time, "monotonic", lambda: log.now)
    return log


@dataclass(frozen=True)
class FakeJob(Job):
    rows: list[Measure] = field(default_factory=list)
    missing: str = ""

    def measures(self, scale: Scale) -> list[Measure]:
        return self.rows

    def open(self, place: Place) -> Session:
        raise NotImplementedError

    @contextmanager
    def resources(self, folder: Path, scale: Scale) -> Iterator[dict[str, str]]:
        if self.missing:
            raise Unavailable(self.missing)
        yield {"size": "7"}


def job(*rounds: int, fresh: bool = False, missing: str = "") -> FakeJob:
    rows = [Measure(f"m{number}", "", count) for number, count in enumerate(rounds)]
    return FakeJob("job", "", ENGINES, fresh, 100.0, rows, missing)


def run(one: Job, budget: Budget, folder: Path, scale: Scale | None = None) -> list[int]:
    """Run a job; returns the complete rounds of each measure."""
    found = run_job(one, ENGINES, scale or Scale(), folder, budget, lambda text: None)
    return [row.complete for row in found]


def test_engines_take_turns_and_stand_still_between_them(log: Log, tmp_path: Path) -> None:
    assert run(job(2), Budget(None), tmp_path) == [2]

    assert log.events == [
        *("start dstreams 7", "m0 dstreams", "pause dstreams"),
        *("start ours 7", "m0 ours", "pause ours"),
        *("m0 ours", "pause ours", "m0 dstreams", "pause dstreams"),
        *("end dstreams", "end ours"),
    ]


@pytest.mark.parametrize("scale", ["default", "full"])
def test_fresh_processes_run_all_measures(log: Log, tmp_path: Path, scale: str) -> None:
    fresh = scale == "default"

    assert run(job(1, 2, fresh=fresh), Budget(None), tmp_path, Scale(scale)) == [1, 2]

    assert log.events == [
        *("start dstreams 7", "m0 dstreams", "m1 dstreams", "end dstreams"),
        *("start ours 7", "m0 ours", "m1 ours", "end ours"),
        *("start ours 7", "m1 ours", "end ours"),
        *("start dstreams 7", "m1 dstreams", "end dstreams"),
    ]


def test_rounds_end_when_time_does(log: Log, tmp_path: Path) -> None:
    budget = Budget(110, clock=lambda: log.now)

    # 20 seconds a round of two engines; the first round of a measure always runs
    assert run(job(3, 9), budget, tmp_path) == [3, 2]


def test_a_job_that_time_does_not_last_for_is_left_out(log: Log, tmp_path: Path) -> None:
    with pytest.raises(LeftOut, match="no time"):
        run(job(1), Budget(99, clock=lambda: log.now), tmp_path)

    assert log.events == []


def test_how_long_jobs_take_is_learnt_from_others(log: Log) -> None:
    budget = Budget(1000, clock=lambda: log.now)
    assert budget.lasts_for(job(1))

    with budget.spent_on(job(1)):
        log.now += 400  # four times what was expected

    assert budget.lasts(600)
    assert budget.lasts_for(job(1))
    log.now += 250
    assert not budget.lasts_for(job(1))


def test_a_job_that_cannot_run_is_left_out(log: Log, tmp_path: Path) -> None:
    with pytest.raises(LeftOut, match="no broker"):
        run(job(1, missing="no broker"), Budget(None), tmp_path)


def test_differing_outputs_end_the_processes(log: Log, tmp_path: Path) -> None:
    log.outputs["ours"] = 2

    with pytest.raises(OutputsDiffer, match="job, m0, batch 0"):
        run(job(2), Budget(None), tmp_path)

    assert log.events[-2:] == ["end dstreams", "end ours"]


def test_jobs_share_the_time(log: Log) -> None:
    budget = Budget(300, clock=lambda: log.now)
    share = budget.share(job(1), [job(1), job(1)])

    assert share.lasts(100)
    assert not share.lasts(101)
    assert budget.share(job(1), []).lasts(300)
    assert Budget(None).share(job(1), [job(1)]).lasts(1e9)


def test_a_job_has_fewer_rounds_if_others_wait(log: Log, tmp_path: Path) -> None:
    budget = Budget(200, clock=lambda: log.now)
    found = run_job(job(9), ENGINES, Scale(), tmp_path, budget, lambda text: None, [job(1)])

    assert [row.complete for row in found] == [5]
