"""What the command line accepts, refuses and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import __main__ as command
from benchmarks.harness.compare import OutputsDiffer
from benchmarks.harness.figures import Measured
from benchmarks.harness.job import Measure, names
from benchmarks.harness.schedule import LeftOut, Rounds


def test_everything_by_default() -> None:
    given = command.options([])

    assert given.jobs == names()
    assert given.engines == ["dstreams", "ours", "structured"]
    assert (given.scale.name, given.scale.rounds, given.minutes) == ("default", None, 15.0)
    assert given.results == command.RESULTS
    assert given.picture == command.PICTURE


@pytest.mark.parametrize("arguments", [["--quick"], ["window"], ["--engine", "ours"]])
def test_part_of_it_does_not_replace_the_results(arguments: list[str]) -> None:
    given = command.options(arguments)

    assert given.results is given.picture is None
    assert command.options([*arguments, "--results", "x"]).results == Path("x")


def test_names_run_in_the_usual_order() -> None:
    assert command.options(["window", "small-stateless"]).jobs == ["small-stateless", "window"]


def test_full_has_no_time_limit() -> None:
    assert command.options(["--full"]).minutes is None
    assert command.options(["--full", "--minutes", "40"]).minutes == 40
    assert command.options(["--minutes", "0"]).minutes is None
    assert command.options(["--full"]).results == command.RESULTS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["windows"], "no such job: windows; there are small-stateless, "),
        (["window", "one", "two"], "no such job: one, two"),
        (["--engine", "real"], "invalid choice: 'real'"),
        (["--rounds", "0"], "argument --rounds: it must be a number above 0, not '0'"),
        (["--rounds", "many"], "argument --rounds: it must be a number above 0, not 'many'"),
        (["--minutes", "-1"], "--minutes -1: it must not be negative"),
        (["--quick", "--full"], "not allowed with argument"),
    ],
)
def test_mistakes_are_named(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        command.options(arguments)

    assert caught.value.code == 2
    assert message in capsys.readouterr().err


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """Return the jobs that ran, with their engines; each is twice as fast as the others."""
    found: list[tuple[str, list[str]]] = []

    def run_job(job: Any, engines: list[str], *_: Any) -> list[Rounds]:
        found.append((job.name, engines))
        rounds = Rounds(Measure("cycle", "", 1))
        for engine in engines:
            wall = 1.0 if engine == "ours" else 2.0
            rounds.add(engine, Measured(10, {"wall": wall, "memory": 1.0}))
        return [rounds]

    monkeypatch.setattr(command, "run_job", run_job)
    return found


def test_results_and_picture_are_written(
    ran: list[tuple[str, list[str]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "results.json", tmp_path / "chart.svg"]
    written = ["--results", str(files[0]), "--picture", str(files[1])]

    assert command.main(["small-stateless", *written]) == 0

    assert ran == [("small-stateless", ["dstreams", "ours", "structured"])]
    results = json.loads(files[0].read_text())
    cycle = results["jobs"]["small-stateless"]["measures"]["cycle"]
    assert cycle["ratios"]["dstreams"]["wall"]["median"] == 2.0
    assert files[1].read_text().startswith("<svg")
    assert "2.00 (2.00-2.00)" in capsys.readouterr().out


def test_an_engine_that_a_job_lacks_is_not_asked(
    ran: list[tuple[str, list[str]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results.json"
    chosen = ["--engine", "structured", "--results", str(path)]

    assert command.main(["window", "map-with-state", *chosen]) == 0

    assert ran == [("window", ["structured"])]
    assert "map-with-state: it runs on dstream_compat only" in capsys.readouterr().out
    assert set(json.loads(path.read_text())["left_out"]) == {"map-with-state"}


def test_what_is_left_out_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run_job(*_: Any) -> list[Rounds]:
        raise LeftOut("no broker")

    monkeypatch.setattr(command, "run_job", run_job)
    path = tmp_path / "results.json"

    assert command.main(["kafka-alert", "--results", str(path)]) == 0

    assert "kafka-alert: left out, no broker" in capsys.readouterr().out
    assert json.loads(path.read_text())["left_out"] == {"kafka-alert": "no broker"}


def test_a_chart_of_nothing_is_an_error(
    ran: list[tuple[str, list[str]]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "chart.svg"

    assert command.main(["window", "--engine", "ours", "--picture", str(path)]) == 1

    assert "error: the results have no ratio" in capsys.readouterr().err
    assert not path.exists()


def test_differing_outputs_end_it_without_results(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run_job(*_: Any) -> list[Rounds]:
        raise OutputsDiffer("window, batch 3: one, other")

    monkeypatch.setattr(command, "run_job", run_job)
    path = tmp_path / "results.json"

    assert command.main(["window", "--results", str(path)]) == 1

    assert "error: window, batch 3" in capsys.readouterr().err
    assert not path.exists()
