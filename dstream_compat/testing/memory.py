"""Tells how much memory this process and those that it started have used at most."""

from __future__ import annotations

import contextlib
import os
import resource
import sys
from pathlib import Path


def peak_bytes() -> int:
    """Return the sum of the largest sizes of this process and its descendants, which live.

    Where there is no ``/proc``, it is that of this process.
    """
    if not Path("/proc/self/status").exists():
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return sum(map(_peak, _family(os.getpid())))


def _family(root: int) -> set[int]:
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # the name in parentheses may hold blanks; the parent is the second field after it
            parents[int(stat.parent.name)] = int(stat.read_text().rpartition(")")[2].split()[1])
    pids = {root}
    while more := {pid for pid, parent in parents.items() if parent in pids} - pids:
        pids |= more
    return pids


def _peak(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    return 0
