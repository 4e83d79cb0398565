"""Finds and kills what a process has started, whatever its sessions."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

Processes = dict[int, int]
"""Ids of processes, with the times of their starts: an id may be another one's later."""


def descendants(pid: int) -> Processes:
    """Return a process and all that it has started, directly or not."""
    parents: dict[int, int] = {}
    starts: Processes = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            # the name in parentheses may hold blanks
            fields = stat.read_text().rpartition(")")[2].split()
            child = int(stat.parent.name)
            parents[child], starts[child] = int(fields[1]), int(fields[19])
    tree = {pid}
    while more := {child for child, parent in parents.items() if parent in tree} - tree:
        tree |= more
    return {child: starts[child] for child in tree if child in starts}


def kill(processes: Processes) -> None:
    """Kill processes, but none that has got the id of one of them."""
    for pid, start in processes.items():
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            if int(fields[19]) == start:
                os.kill(pid, signal.SIGKILL)
