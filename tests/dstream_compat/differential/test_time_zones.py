"""Batch times are naive local times: in other zones, and where clocks are put back or forward."""

from __future__ import annotations

import ast
import shlex
import sys
from pathlib import Path

import pytest

from tests.support.streaming.processes import JOBS, run_command

pytestmark = pytest.mark.slow

WINTER, SPRING, AUTUMN = 1420470000, 1425798000, 1446357600
"""2015-01-05 10:00 in New York, and where its clocks are put forward and back."""


def run(zone: str, engine: str, folder: Path, moments: list[int]) -> list[list[str]]:
    """Return the lines that a job shows of each moment."""
    job = [sys.executable, JOBS / "zones.py", engine, folder, *moments]
    done = run_command("sh", "-c", f"TZ={zone} exec {shlex.join(map(str, job))}")
    assert done.code == 0, done.out + done.err[-3000:]
    shown: list[list[str]] = [[]]
    for line in done.out.splitlines():
        shown[-1].append(line)
        if line.startswith("saved "):
            shown.append([])
    assert shown.pop() == []
    assert len(shown) == len(moments)
    return shown


def both(zone: str, place: Path, moments: list[int]) -> list[tuple[list[str], list[str]]]:
    """Return what both engines show of each moment, DStreams first."""
    expected = run(zone, "real", place / "real", moments)
    found = run(zone, "ours", place / "ours", moments)
    for lines in found:
        assert [line for line in lines if line.startswith("worker")] == ["worker True"] * 4
        lines[:] = [line for line in lines if not line.startswith("worker")]
    return list(zip(expected, found, strict=True))


def value(lines: list[str], name: str) -> object:
    (line,) = (line for line in lines if line.startswith(name))
    return ast.literal_eval(line.removeprefix(name).replace("]] [", "]], ["))


def folders(moment: int) -> list[tuple[str, str]]:
    return [(f"out-{moment + (n - 1) * 1800}000", f"{n}\n") for n in range(4)]


@pytest.mark.full
def test_the_hour_that_there_is_twice(tmp_path: Path) -> None:
    """DStreams take it for one, so later folders replace earlier ones; ours does not."""
    ((expected, found),) = both("America/New_York", tmp_path, [AUTUMN])
    assert found[:-3] == expected[:-3]
    times = [line.removeprefix("Time: ") for line in found if line.startswith("Time: ")]
    assert times == [f"2015-11-01 {time}:00" for time in ("01:30", "01:00", "01:30", "02:00")]
    assert len(value(expected, "saved ")) < 4  # type: ignore[arg-type]
    assert value(found, "saved ") == folders(AUTUMN)
    assert value(found, "slices ") == ([[[0]], [[1]], [[2]], [[3]]], [[0], [1], [2], [3]])
    # a time that the job has made up is the first of both
    assert value(found, "without fold ") == ([[[0]], [], [[0]], [[3]]], [[0], [1], [2], [3]])


@pytest.mark.full
@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kolkata"])
def test_other_days(tmp_path: Path, zone: str) -> None:
    moments = [WINTER, SPRING] if zone == "America/New_York" else [WINTER, SPRING, AUTUMN]
    for moment, (expected, found) in zip(moments, both(zone, tmp_path, moments), strict=True):
        assert found == expected
        assert value(found, "saved ") == folders(moment)
        first = "2015-01-05 09:30:00" if zone == "America/New_York" else "2015-01-05 20:00:00"
        assert (f"Time: {first}" in found) == (moment == WINTER)
