"""Runs a job of ``tests/support/streaming/jobs`` as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
JOBS = Path(__file__).resolve().parent / "jobs"
DEADLINE = 300.0


@dataclass(frozen=True)
class Finished:
    """How a process ended."""

    code: int
    out: str
    err: str


def run_python(*args: str, deadline: float = DEADLINE, cwd: Path | None = None) -> Finished:
    """Run Python with these arguments; see :func:`run_command`."""
    return run_command(sys.executable, *args, deadline=deadline, cwd=cwd)


def run_command(*command: str, deadline: float = DEADLINE, cwd: Path | None = None) -> Finished:
    """Run a command; kills the whole process group afterwards."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT))
    others = () if command[0] == sys.executable else ("SPARK_HOME", "SPARK_SUBMIT_OPTS")
    for name in ("PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON", *others):  # of other environments
        environment.pop(name, None)
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=environment,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=deadline)
    finally:
        kill_group(process.pid)
    return Finished(process.returncode, out, err)


def run_job(name: str, *args: str, deadline: float = DEADLINE) -> Finished:
    """Run one of the jobs; see :func:`run_python`."""
    return run_python(str(JOBS / f"{name}.py"), *args, deadline=deadline)


@contextmanager
def started_job(name: str, *args: str) -> Iterator[subprocess.Popen[str]]:
    """Start a job in a session of its own; whatever is left of it is killed afterwards."""
    with started_python(str(JOBS / f"{name}.py"), *args) as process:
        yield process


@contextmanager
def started_python(*args: str) -> Iterator[subprocess.Popen[str]]:
    """Start Python with these arguments; see :func:`started_job`."""
    process = subprocess.Popen(
        [sys.executable, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, PYTHONPATH=str(ROOT)),
        start_new_session=True,
    )
    try:
        yield process
    finally:
        kill_group(process.pid)


def our_frames(err: str) -> list[str]:
    """Return the lines of tracebacks that are in our code, in a test or in a job.

    Tracebacks of PySpark's own workers have none: these print some now and then as their JVM goes,
    cut off or mixed with each other.
    """
    ours = re.compile(rf'File "(?!{ROOT}/\.venv).*(?:/dstream_compat/|/tests/|{ROOT})')
    return [line for line in err.splitlines() if ours.search(line)]


def java_of(process: subprocess.Popen[str]) -> int:
    """Return the JVM of a job."""
    for pid in session_members(process.pid):
        with suppress(OSError):  # it has ended
            if Path(f"/proc/{pid}/comm").read_text() == "java\n":
                return pid
    raise AssertionError("the job has no JVM")


def kill_group(leader: int) -> None:
    """Kill what is left of a process group, such as a JVM whose driver was killed."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        return


def wait_until_gone(session: int) -> None:
    """Wait until no process of a session is left: the JVM ends shortly after its driver."""
    deadline = time.monotonic() + DEADLINE
    while True:
        left = session_members(session)
        if not left:
            return
        assert time.monotonic() < deadline, f"processes are left: {left}"
        time.sleep(0.02)


def session_members(leader: int) -> list[int]:
    """Return the processes of a session, whatever group they moved to, as Python workers do."""
    members = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            # the name in parentheses may hold blanks; the session is the fourth field after it
            if int(stat.read_text().rpartition(")")[2].split()[3]) == leader:
                members.append(int(stat.parent.name))
    return sorted(members)
