"""Functions that run for many arguments, each in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from migrator.run.processes import ProcessDiedError, run_in_processes, usable_cpus

ROOT = Path(__file__).parents[3]
DEADLINE_SECONDS = 60


def double(number: int) -> tuple[int, int]:
    return 2 * number, os.getpid()


def double_or_die(number: int) -> int:
    if number == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    if number == 3:
        os._exit(7)
    return 2 * number


def wait_and_write(folder: str) -> None:
    """Wait for the end, and say that it has come."""
    place = Path(folder, f"{os.getpid()}")
    try:
        place.with_suffix(".started").touch()
        signal.pause()
    finally:
        place.with_suffix(".ended").touch()


def test_each_argument_has_a_process() -> None:
    found = dict(run_in_processes(double, range(5), 2))

    results = [value for value in found.values() if not isinstance(value, ProcessDiedError)]
    assert sorted(found) == [0, 1, 2, 3, 4]
    assert sorted(number for number, _ in results) == [0, 2, 4, 6, 8]
    assert len({process for _, process in results} | {os.getpid()}) == 6


def test_one_that_dies_takes_no_other_with_it() -> None:
    found = dict(run_in_processes(double_or_die, range(5), 2))

    assert [found[number] for number in (0, 1, 4)] == [0, 2, 8]
    assert "signal 9" in str(found[2])
    assert "exit code 7" in str(found[3])


def test_nothing_to_do() -> None:
    assert list(run_in_processes(double, [], 2)) == []
    assert usable_cpus() >= 1


def stems(folder: Path, suffix: str) -> set[str]:
    return {path.stem for path in folder.glob(f"*{suffix}")}


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_end_of_the_first_one_ends_all(tmp_path: Path, number: signal.Signals) -> None:
    program = (
        "import sys\n"
        "from migrator.run.processes import run_in_processes\n"
        "from tests.migrator.run.test_processes import wait_and_write\n"
        "import signal\n"
        "signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))\n"
        f"list(run_in_processes(wait_and_write, [{str(tmp_path)!r}] * 2, 2))\n"
    )
    started = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        start_new_session=True,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + DEADLINE_SECONDS
    try:
        while len(stems(tmp_path, ".started")) < 2:
            assert time.monotonic() < deadline
            with pytest.raises(subprocess.TimeoutExpired):
                started.wait(0.05)
        # Ctrl-C goes to all processes of a terminal
        os.killpg(started.pid, number) if number is signal.SIGINT else started.send_signal(number)
        assert started.wait(DEADLINE_SECONDS) != 0
    finally:
        started.kill()
        started.wait()

    assert stems(tmp_path, ".ended") == stems(tmp_path, ".started")
