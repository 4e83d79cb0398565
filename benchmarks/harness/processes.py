"""CPU time and memory of a process with its descendants, from Linux's ``/proc``."""

from __future__ import annotations

import contextlib
import ctypes
import os
import platform
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Final

_TICKS: Final = os.sysconf("SC_CLK_TCK")
_SAMPLE_SECONDS: Final = 0.5
_KCMP: Final = {"x86_64": 312, "aarch64": 272}.get(platform.machine())
"""Linux's number of the call ``kcmp``, which the C library has no function for."""
_KCMP_VM: Final = 1
_libc: Final = ctypes.CDLL(None)


def _stats() -> dict[int, tuple[int, float]]:
    """Return parent and CPU seconds (those of ended children included) of all processes."""
    found: dict[int, tuple[int, float]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # it has ended
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                found[int(entry.name)] = (int(fields[1]), sum(map(int, fields[11:15])) / _TICKS)
    return found


def _members(root: int, stats: dict[int, tuple[int, float]]) -> set[int]:
    members = {root}
    while more := {pid for pid, (parent, _) in stats.items() if parent in members} - members:
        members |= more
    return members


def tree(root: int) -> set[int]:
    """Return the ids of a process and its descendants."""
    return _members(root, _stats())


def tree_cpu(root: int | None = None) -> float:
    """Return the CPU seconds that a process (this one by default) and its descendants have used."""
    stats = _stats()
    members = _members(os.getpid() if root is None else root, stats)
    return sum(stats[pid][1] for pid in members if pid in stats)


def in_memory_of(pid: int, other: int) -> bool:
    """Return whether a process runs in the memory of another one.

    That is how the JVM starts programs: until the new process runs its program, Linux shows all
    memory of the JVM as its own, too.
    """
    return _KCMP is not None and _libc.syscall(_KCMP, pid, other, _KCMP_VM, 0, 0) == 0


def tree_memory(root: int) -> float:
    """Return the MiB that a process and its descendants hold; shared pages count once."""
    kib = 0
    stats = _stats()
    for pid in _members(root, stats):
        if pid != root and pid in stats and in_memory_of(pid, stats[pid][0]):
            continue
        with contextlib.suppress(OSError):  # it has ended
            for line in Path("/proc", str(pid), "smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    kib += int(line.split()[1])
    return kib / 1024


def send(root: int, number: signal.Signals) -> None:
    """Send a signal to a process and its descendants."""
    for pid in tree(root):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)


class PeakMemory:
    """Samples the memory of a process tree while a block of code runs.

    Parameters
    ----------
    root : int
        the process
    sample : callable
        gives MiB of it
    """

    def __init__(self, root: int, sample: Callable[[int], float] = tree_memory) -> None:
        self._root = root
        self._sample = sample
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.peak = 0.0

    def __enter__(self) -> PeakMemory:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stop.set()
        self._thread.join()
        self._look()

    def _watch(self) -> None:
        while not self._stop.wait(_SAMPLE_SECONDS):
            self._look()

    def _look(self) -> None:
        self.peak = max(self.peak, self._sample(self._root))
