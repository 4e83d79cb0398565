"""Finds what a process has started, by session or by parent, and kills it."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

Processes = dict[int, int]
"""Ids of processes, with the times of their starts: an id may be another one's later."""


def process_stats(pid: str = "[0-9]*") -> Iterator[tuple[int, list[str]]]:
    """Yield the processes that there are, with what the system tells of each after its name: the
    parent is field 1, the session 3, the time of the start 19.

    Parameters
    ----------
    pid : str
        The pattern of their ids.
    """
    for stat in Path("/proc").glob(f"{pid}/stat"):
        with contextlib.suppress(OSError):
            # the name in parentheses may hold blanks
            fields = stat.read_text().rpartition(")")[2].split()
            if len(fields) > 19:
                yield int(stat.parent.name), fields


def members(leader: int) -> set[int]:
    """Return the processes of a session, whatever their group: Python workers make their own."""
    return {pid for pid, fields in process_stats() if int(fields[3]) == leader}


def descendants(pid: int) -> Processes:
    """Return a process and all that it has started, directly or not."""
    parents: dict[int, int] = {}
    starts: Processes = {}
    for child, fields in process_stats():
        parents[child], starts[child] = int(fields[1]), int(fields[19])
    tree = {pid}
    while more := {child for child, parent in parents.items() if parent in tree} - tree:
        tree |= more
    return {child: starts[child] for child in tree if child in starts}


def kill(processes: Processes) -> None:
    """Kill processes, but none that has got the id of one of them."""
    for pid, start in processes.items():
        with contextlib.suppress(OSError):
            if any(int(fields[19]) == start for _, fields in process_stats(str(pid))):
                os.kill(pid, signal.SIGKILL)
