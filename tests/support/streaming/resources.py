"""What a process and its children use, from Linux's ``/proc``."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Process:
    """One process; memory in MiB, CPU time in seconds, that of ended children included."""

    pid: int
    parent: int
    name: str
    cpu: float
    resident: float
    open_files: int


def _read(pid: int) -> Process:
    place = Path("/proc", str(pid))
    head, _, tail = place.joinpath("stat").read_text().rpartition(")")
    fields = tail.split()
    return Process(
        pid,
        int(fields[1]),
        head.partition("(")[2],
        sum(map(int, fields[11:15])) / _TICKS,
        int(fields[21]) * _PAGE / 2**20,
        len(list(place.joinpath("fd").iterdir())),
    )


class Tree:
    """A process with all its descendants, at one moment."""

    def __init__(self, processes: list[Process]) -> None:
        self._processes = processes

    @classmethod
    def of(cls, root: int) -> Tree:
        """Return a process with its descendants."""
        found: dict[int, Process] = {}
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                with contextlib.suppress(OSError):  # it has ended
                    found[int(entry.name)] = _read(int(entry.name))
        members = {root}
        while True:
            more = {p.pid for p in found.values() if p.parent in members} - members
            if not more:
                return cls([found[pid] for pid in sorted(members)])
            members |= more

    @property
    def cpu(self) -> float:
        """CPU time of all, in seconds."""
        return sum(process.cpu for process in self._processes)

    @property
    def count(self) -> int:
        """Number of processes."""
        return len(self._processes)

    @property
    def open_files(self) -> int:
        """Number of open files, sockets and pipes."""
        return sum(process.open_files for process in self._processes)

    def resident(self, pid: int) -> float:
        """Return a process's memory in MiB."""
        return next(process.resident for process in self._processes if process.pid == pid)

    def resident_of(self, name: str) -> float:
        """Return the memory of all processes whose name begins so, in MiB."""
        return sum(p.resident for p in self._processes if p.name.startswith(name))


def folder_size(folder: Path) -> float:
    """Return the size of all files in a folder, in MiB."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size
    return total / 2**20
