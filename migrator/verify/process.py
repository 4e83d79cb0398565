"""Runs jobs over recorded batches, each in a process of its own, bounded in time and memory.

Decision 0096: `migrate verify` runs each job in a process of its own.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from dstream_compat.testing.parent import STARTED_BY
from migrator.errors import MigrateError
from migrator.verify.processes import members
from migrator.verify.programs import copy_files

SHARE = 2
"""Of the machine's memory, a run may use one part of so many."""
# of the control group of a container: version 2, and version 1
_GROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
DSTREAMS = "dstreams"
COMPAT = "compat"
STRUCTURED = "structured"
COMMAND = (sys.executable, "-m", "dstream_compat.testing.run_job")
_POLL_SECONDS = 0.1
# the process ends by itself when the time is up, and says so; it is killed if it does not
_GRACE_SECONDS = 20.0
_MIB = 2**20
# of a JVM: the least that Spark runs with, and what a run has if nothing is said
_HEAP_MIB = 512, 1024


def machine_bytes() -> int:
    """Return the memory of the machine, or of the container, if it has less."""
    size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in _GROUP_LIMITS:
        with contextlib.suppress(OSError, ValueError):
            # without a limit it is the word max, or a number larger than any memory
            size = min(size, int(path.read_text()))
    return size


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


class RunFailed(MigrateError):
    """A job could not be run over an input, for a reason that is not the job's."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use.

    Parameters
    ----------
    seconds : float
        For all its inputs.
    memory : int
        Bytes; 0 for the usual share.
    at_once : int
        How many runs there are at once; 0 for one on each pair of cores.
    """

    seconds: float = 600.0
    memory: int = 0
    at_once: int = 0

    def bytes(self) -> int:
        """Return the memory of all processes of a run."""
        return self.memory or machine_bytes() // SHARE

    def heap(self) -> str:
        """Return the memory of its JVM, the largest of them; Python's workers need the rest."""
        least, usual = _HEAP_MIB
        size = max(self.bytes() * 6 // 10 // _MIB, least)
        return f"{size if self.memory else min(size, usual)}m"

    def excess(self, used: int) -> str:
        """Return what is said of a run that uses too much; nothing if it does not."""
        allowed = self.bytes()
        if used <= allowed:
            return ""
        return f"it took {used // _MIB} MiB of memory, more than {allowed // _MIB} MiB"


@dataclass(frozen=True, slots=True)
class Work:
    """A job to run on one engine over recorded batches.

    Parameters
    ----------
    label : str
        What it is called in messages.
    engine : str
        ``dstreams``, ``compat`` or ``structured``.
    job : Path
        The file of the job.
    results : Path
        The file that gets what it gives.
    log : Path
        The file that gets what the process prints.
    streams : bool
        Whether intermediate streams and state are recorded, too.
    begin : int, optional
        When the first batch of a query begins, in milliseconds.
    real : tuple of str
        The clients that the job uses itself.
    """

    label: str
    engine: str
    job: Path
    arguments: tuple[str, ...]
    recording: Path
    results: Path
    log: Path
    streams: bool = False
    begin: int | None = None
    real: tuple[str, ...] = ()

    def command(self, limits: Limits) -> list[str]:
        """Return the command line of its process."""
        arguments = [
            *COMMAND,
            "--engine",
            self.engine,
            "--timeout",
            f"{limits.seconds:g}",
            "--state",
        ]
        arguments += ["--input", str(self.recording), "--output", str(self.results)]
        arguments += ["--memory", limits.heap()]
        if self.streams:
            arguments.append("--streams")
        if self.begin is not None:
            arguments += ["--begin", str(self.begin)]
        for client in self.real:
            arguments += ["--real", client]
        return [*arguments, str(self.job), *self.arguments]


@dataclass(slots=True)
class Ended:
    """How a process ended: its exit code, and why it was killed, if it was."""

    work: Work
    code: int
    killed: str = ""
    seconds: float = 0.0
    peak_bytes: int = 0

    def last_lines(self, count: int = 15) -> str:
        """Return the end of what it printed."""
        try:
            text = self.work.log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-count:])


@dataclass(slots=True)
class _Running:
    work: Work
    process: subprocess.Popen[bytes]
    begun: float
    peak: int = 0


def run_all(
    works: Sequence[Work],
    limits: Limits,
    progress: Callable[[Work], None] = lambda work: None,
) -> list[Ended]:
    """Run jobs, several at once; none outlives the call.

    Parameters
    ----------
    progress : callable
        Told of each job that runs, several times a second.
    """
    at_once = limits.at_once or pairs_of_cores()
    waiting = list(works)
    running: list[_Running] = []
    ended: dict[int, Ended] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                running.append(_start(waiting.pop(0), limits))
            for work_process in list(running):
                progress(work_process.work)
                if (end := _check_end(work_process, limits)) is not None:
                    running.remove(work_process)
                    ended[id(work_process.work)] = end
            if running:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    running[0].process.wait(_POLL_SECONDS)
    finally:
        for work_process in running:
            end_session(work_process.process)
    return [ended[id(work)] for work in works]


def pairs_of_cores() -> int:
    """Return how many pairs of cores the machine has, one at least."""
    return max(1, (os.cpu_count() or 1) // 2)


def _start(work: Work, limits: Limits) -> _Running:
    folder = make_folder(work)
    with work.log.open("wb") as log:
        try:
            process = subprocess.Popen(
                work.command(limits),
                cwd=folder,
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # the JVM and its workers are found and ended by their session
                start_new_session=True,
            )
        except OSError as error:
            raise MigrateError(f"{work.label} cannot be started: {error}") from error
    return _Running(work, process, time.monotonic())


def _check_end(work_process: _Running, limits: Limits) -> Ended | None:
    code = work_process.process.poll()
    seconds = time.monotonic() - work_process.begun
    killed = ""
    if code is None:
        work_process.peak = max(
            work_process.peak, used_bytes(members(work_process.process.pid), limits.bytes())
        )
        if seconds > limits.seconds + _GRACE_SECONDS:
            killed = f"it took longer than {limits.seconds:g} s"
        elif not (killed := limits.excess(work_process.peak)):
            return None
    end_session(work_process.process)
    return Ended(work_process.work, work_process.process.wait(), killed, seconds, work_process.peak)


def make_folder(work: Work) -> Path:
    """Return the folder where a job runs, with copies of files that it reads by relative paths."""
    folder = work.log.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    copy_files(work.job, work.arguments, folder)
    return folder


def environment() -> dict[str, str]:
    """Return the environment of processes of jobs: they import this package, print at once, and end
    with this process.
    """
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    own = {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1", STARTED_BY: str(os.getpid())}
    return {**os.environ, **own}


def end_session(leader: subprocess.Popen[bytes]) -> None:
    """End a process and all that it started, which is in its session."""
    for pid in members(leader.pid):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader.pid, signal.SIGKILL)
    leader.wait(30)
