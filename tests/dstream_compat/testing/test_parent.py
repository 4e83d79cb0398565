"""Processes that run jobs end with the one that started them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from dstream_compat.testing.parent import STARTED_BY
from tests.support.fenced import ROOT
from tests.support.migrator.assistant import processes_in
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

# starts the last argument as a program of its own, as `migrate verify` does, and waits
VERIFIER = (
    "import os, subprocess, sys\n"
    f"environment = {{**os.environ, {STARTED_BY!r}: str(os.getpid())}}\n"
    "started = subprocess.Popen(sys.argv[1:], env=environment, start_new_session=True)\n"
    "started.wait()\n"
)
FORKS = (
    "import os, signal, sys, threading\n"
    "from dstream_compat.testing.parent import end_with_parent\n"
    "if HANDLES:\n"
    "    def end(*about):\n"
    "        open('ended', 'w').close()\n"
    "        os._exit(0)\n"
    "    signal.signal(signal.SIGTERM, end)\n"
    "end_with_parent()\n"
    f"assert {STARTED_BY!r} not in os.environ\n"
    "HANDLES or os.fork()\n"
    "open(f'begun-{os.getpid()}', 'w').close()\n"
    "signal.pause()\n"
)


def start(folder: Path, *command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", VERIFIER, sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        # it does not end with the verifier
        stdin=subprocess.PIPE,
    )


@pytest.mark.parametrize("handles", [False, True])
def test_a_process_and_what_it_has_forked_end_with_a_killed_one(
    tmp_path: Path, handles: bool
) -> None:
    verifier = start(tmp_path, "-c", FORKS.replace("HANDLES", str(handles)))
    count = 1 if handles else 2
    wait_for(lambda: len([*tmp_path.glob("begun-*")]) == count, "the processes have begun")

    verifier.send_signal(signal.SIGKILL)
    verifier.wait(60)

    wait_for(lambda: not processes_in(tmp_path), "no process is left")
    assert (tmp_path / "ended").exists() == handles


def test_a_job_ends_with_a_killed_verifier(tmp_path: Path) -> None:
    (tmp_path / "job.py").write_text(
        "import signal\nopen('begun', 'w').close()\nwhile True:\n    signal.pause()\n"
    )
    (tmp_path / "batches.jsonl").write_text(
        '{"format": 1, "interval": 1, "sources": {"socket:9999": {}}, "batches": 1}\n'
    )
    module = ("-m", "dstream_compat.testing.run_job", "--engine", "compat")
    files = ("--input", "batches.jsonl", "--output", "results.jsonl", "job.py")
    verifier = start(tmp_path, *module, *files)
    wait_for((tmp_path / "begun").exists, "the job has begun")

    verifier.send_signal(signal.SIGKILL)
    verifier.wait(60)

    wait_for(lambda: not processes_in(tmp_path), "no process is left")


def test_the_process_of_many_runs_ends_with_a_killed_verifier(tmp_path: Path) -> None:
    verifier = start(tmp_path, "-m", "dstream_compat.testing.run_jobs")
    wait_for(lambda: "java" in programs(tmp_path), "the JVM has begun", 120)

    verifier.send_signal(signal.SIGKILL)
    verifier.wait(60)

    wait_for(lambda: not processes_in(tmp_path), "no process is left")


def programs(folder: Path) -> set[str]:
    """The names of the programs that run in a folder."""
    found = set()
    for process in processes_in(folder):
        with suppress(OSError):
            found.add(Path(f"/proc/{process}/comm").read_text().strip())
    return found
