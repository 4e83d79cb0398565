"""Jobs whose process ends in an unusual way: exit code, messages, and no process left behind."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.streaming.processes import (
    DEADLINE,
    JOBS,
    our_frames,
    run_job,
    run_python,
    started_job,
    started_python,
    wait_until_gone,
)

pytestmark = pytest.mark.slow

Process = subprocess.Popen[str]


@contextmanager
def running(mode: str) -> Iterator[Process]:
    """Start the job and wait until its first batch is being processed."""
    with started_job("ends", mode) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        yield process


def test_interrupt_in_the_middle_of_a_batch() -> None:
    with running("interrupt") as process:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=DEADLINE)
        assert process.returncode in (130, -signal.SIGINT), err
        # PySpark cancels all jobs on Ctrl-C, so the batch that was running says why it failed
        assert "KeyboardInterrupt" in err
        frames = [line for line in our_frames(err) if "ends.py" in line]
        assert len(frames) <= 2, "one for the interrupt and one for the batch"
        assert not [line for line in our_frames(err) if "callback.py" in line], err
        wait_until_gone(process.pid)


def test_interrupt_while_spark_computes_a_batch() -> None:
    """Its jobs are cancelled before the context is stopped; neither is an error of the query."""
    with running("interrupt-stage") as process:
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=DEADLINE)
        assert process.returncode in (130, -signal.SIGINT), err
        assert err.count("\nKeyboardInterrupt") == 1, err
        # besides, only what PySpark's workers and Spark's threads say as they are stopped, which
        # may be cut off after its first line
        tracebacks = re.split(r"^Traceback", err, flags=re.MULTILINE)[1:]
        told = [one for one in tracebacks if '  File "' in one]
        assert len([one for one in told if "/pyspark/daemon.py" not in one]) == 1, err
        query = (
            "ERROR dstream_compat",
            "FailedError",
            "BatchExecution",
            "StreamExecution",
            "py4j.",
        )
        assert not [text for text in query if text in err], err
        files = {Path(frame.split('"')[1]).name for frame in our_frames(err)}
        assert files <= {"ends.py", "start_and_stop.py", "job.py", "lifecycle.py"}, err
        wait_until_gone(process.pid)


def until(process: Process, line: str) -> None:
    assert process.stdout is not None
    while (said := process.stdout.readline()) != line + "\n":
        assert said, f"the job ended before it said {line!r}"


def test_second_interrupt_during_a_graceful_stop(tmp_path: Path) -> None:
    """It cuts the stop short; what was not processed is when the job starts again."""
    command = ("-m", "dstream_compat", "run", str(JOBS / "interrupted.py"), str(tmp_path / "run"))
    with started_python(*command) as process:
        until(process, "running")
        process.send_signal(signal.SIGINT)
        until(process, "stopping")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 130, err
        assert "interrupted during the stop: no further batch is processed" in err
        assert err.splitlines()[-1] == "dstream-compat: interrupted"
        assert "Traceback" not in err, err
        assert not out
        wait_until_gone(process.pid)

    done = run_python(*command)
    assert done.code == 0, done.err
    assert done.out.splitlines() == ["('a', 2)", "('a', 3)"]


@pytest.mark.full
@pytest.mark.parametrize("command", ["run", "submit"])
def test_second_interrupt_while_the_process_ends(command: str) -> None:
    with started_python("-m", "dstream_compat", command, str(JOBS / "ends.py"), "interrupt") as job:
        until(job, "running")
        os.killpg(job.pid, signal.SIGINT)
        os.killpg(job.pid, signal.SIGINT)
        _, err = job.communicate(timeout=DEADLINE)
        assert job.returncode in (130, -signal.SIGINT), err
        assert "Traceback" not in err, err
        wait_until_gone(job.pid)


@pytest.mark.full
def test_spark_context_is_stopped_under_a_running_batch() -> None:
    with running("spark-stops") as process:
        _, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 1
        assert "BatchFailedError" in err, "awaitTermination tells of the batch that was cut off"
        assert "SparkContext" in err
        wait_until_gone(process.pid)


@pytest.mark.full
def test_two_jobs_one_after_another(tmp_path: Path) -> None:
    """``stop()`` ends the SparkContext, too; the next one is a fresh start."""
    done = run_job("again", str(tmp_path))
    assert done.code == 0, done.err[-3000:]
    assert done.out.splitlines() == [
        "job 1 1.0 [('a', 2)]",
        "job 1 2.0 [('a', 3)]",
        "job 2 1.0 [('a', 4)]",
        "job 2 2.0 [('a', 6)]",
    ]


@pytest.mark.full
def test_a_second_signal_during_a_graceful_stop() -> None:
    with running("signals") as process:
        assert process.stdout is not None
        process.send_signal(signal.SIGTERM)
        while process.stdout.readline() != "stopping\n":
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=DEADLINE)
        assert process.returncode == 0, err
        assert out.splitlines()[-1] == "the end"
        assert "stopped" in out
        assert not our_frames(err), err
        wait_until_gone(process.pid)
