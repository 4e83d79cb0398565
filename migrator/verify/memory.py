"""Tells how much memory processes use, and how much a run may use unless that is said."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection
from pathlib import Path

SHARE = 2
"""Of the machine's memory, a run may use one part of so many."""
# of the control group of a container: version 2, and version 1
_GROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def machine_bytes() -> int:
    """Return the memory of the machine, or of the container, if it has less."""
    found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in _GROUP_LIMITS:
        with contextlib.suppress(OSError, ValueError):
            # without a limit it is the word max, or a number larger than any memory
            found = min(found, int(path.read_text()))
    return found


def used_bytes(pids: Collection[int], limit: int) -> int:
    """Return the memory of processes.

    What they share counts once for each, as that is quick to read; if it is more than the limit, it
    is counted once for all.

    Parameters
    ----------
    limit : int
        The bytes that they may use.
    """
    used = sum(map(_resident, pids))
    return used if used <= limit else sum(map(_proportional, pids))


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    return 0


def _proportional(pid: int) -> int:
    """Return the memory of a process, shared one by its part; all if Linux does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return _resident(pid)
