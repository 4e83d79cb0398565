"""CPU time and memory of real processes, and those that stand still."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.harness.processes import (
    PeakMemory,
    in_memory_of,
    send,
    tree,
    tree_cpu,
    tree_memory,
)
from tests.support.waiting import wait_for

pytestmark = pytest.mark.slow

DEADLINE = 60.0
CHILD = """
import subprocess, sys
block = bytearray(100 * 2**20)
child = subprocess.Popen([sys.executable, "-c", {grandchild!r}], stdout=sys.stdout)
child.wait()
"""
GRANDCHILD = """
import sys, time
while time.process_time() < 0.5: pass
print("ready", flush=True)
time.sleep(600)
"""

# As the JVM starts programs; here the new process never gets as far as its program.
VFORK = """
import ctypes
libc = ctypes.PyDLL(None)
block = bytearray(100 * 2**20)
print("ready", flush=True)
if libc.vfork() == 0:
    libc.pause()
"""


def states(pids: set[int]) -> set[str]:
    return {
        Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()[0] for pid in pids
    }


@pytest.fixture
def process() -> Iterator[subprocess.Popen[str]]:
    """Run a process of 100 MiB whose child has used half a second of CPU time."""
    command = [sys.executable, "-c", CHILD.format(grandchild=GRANDCHILD)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            send(process.pid, signal.SIGKILL)


def test_descendants_belong_to_it(process: subprocess.Popen[str]) -> None:
    assert len(tree(process.pid)) == 2
    assert process.pid in tree(os.getpid())
    assert tree_cpu(process.pid) >= 0.5
    assert tree_memory(process.pid) >= 100
    assert tree_cpu() >= tree_cpu(process.pid)


def test_the_tree_stands_still_and_goes_on(process: subprocess.Popen[str]) -> None:
    members = tree(process.pid)

    send(process.pid, signal.SIGSTOP)
    wait_for(lambda: states(members) == {"T"})

    send(process.pid, signal.SIGCONT)
    wait_for(lambda: "T" not in states(members))


def test_a_process_that_has_ended_holds_nothing(process: subprocess.Popen[str]) -> None:
    send(process.pid, signal.SIGKILL)
    process.wait(DEADLINE)

    assert tree_memory(process.pid) == 0
    assert tree_cpu(process.pid) == 0


def test_memory_that_a_new_process_borrows_counts_once() -> None:
    with subprocess.Popen([sys.executable, "-c", VFORK], stdout=subprocess.PIPE) as process:
        try:
            wait_for(lambda: len(tree(process.pid)) == 2)
            (child,) = tree(process.pid) - {process.pid}
            alone = tree_memory(child)

            assert in_memory_of(child, process.pid)
            assert not in_memory_of(process.pid, os.getpid())
            assert 100 <= tree_memory(process.pid) < alone + 50
        finally:
            send(process.pid, signal.SIGKILL)


def test_peak_memory_is_the_largest_sample() -> None:
    samples = [30.0, 700.0, 200.0]
    seen: list[int] = []

    def sample(root: int) -> float:
        seen.append(root)
        return samples[min(len(seen) - 1, 2)]

    with PeakMemory(17, sample) as memory:
        wait_for(lambda: len(seen) >= 3)

    assert memory.peak == 700.0
    assert set(seen) == {17}
