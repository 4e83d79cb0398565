"""Runs many small inputs in one process with one JVM, for the search for the smallest one."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

from migrator.verify.process import (
    Limits,
    RunFailed,
    Work,
    end_session,
    environment,
    make_folder,
    used_bytes,
)
from migrator.verify.processes import members

COMMAND = (sys.executable, "-m", "dstream_compat.testing.run_jobs")
_POLL_SECONDS = 0.5
_START_SECONDS = 120.0
LOG = "session.log"


class _Died(RunFailed):
    """The process ended, or had to be ended; a new one may do better."""


class JobProcess:
    """A process that runs jobs one after another, until it is closed; a new one if it dies.

    Parameters
    ----------
    folder : Path
        For what it leaves.
    limits : Limits
        What each run may use.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def run(self, work: Work, progress: Callable[[Work], None] = lambda work: None) -> None:
        """Run a job over one input.

        Parameters
        ----------
        work : Work
            The job; the file of its results tells how it ended.
        progress : callable
            Told that it runs, several times a second.

        Raises
        ------
        RunFailed
            If that was not possible, with a process that had run nothing before.
        """
        used = self._process is not None
        try:
            self._run(work, progress)
        except _Died:
            # what ran before may be to blame, as all runs share one JVM
            if not used:
                raise
            self._run(work, progress)

    def _run(self, work: Work, progress: Callable[[Work], None]) -> None:
        try:
            self._ask(work, progress)
        except BaseException:
            self._end()
            raise

    def _ask(self, work: Work, progress: Callable[[Work], None]) -> None:
        process = self._process or self._start()
        folder = make_folder(work)
        asked = {
            "engine": work.engine,
            "job": str(work.job),
            "args": list(work.arguments),
            "input": str(work.recording),
            "output": str(work.results),
            "folder": str(folder),
            "log": str(work.log),
            "timeout": self._limits.seconds,
            "state": True,
            "streams": work.streams,
            "begin": work.begin,
            "real": [*work.real],
        }
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
        except OSError as error:
            raise self._death(process, work) from error
        until = time.monotonic() + self._limits.seconds + _START_SECONDS
        while time.monotonic() < until:
            progress(work)
            answer = self._line(process)
            if answer is None:
                raise self._death(process, work)
            if answer:
                code = int(json.loads(answer)["code"])
                if code < 0:
                    raise RunFailed(
                        f"the {work.label} was ended by signal {-code}, after "
                        f"{self._limits.seconds:g} s or by the system"
                    )
                return
            used = used_bytes(members(process.pid), self._limits.bytes())
            if excess := self._limits.excess(used):
                raise _Died(f"the {work.label} was ended: {excess}; allow more with --memory")
        raise RunFailed(
            f"the {work.label} gave no answer in {self._limits.seconds + _START_SECONDS:g} s"
        )

    def _death(self, process: subprocess.Popen[bytes], work: Work) -> _Died:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_POLL_SECONDS)
        code = process.poll()
        how = "closed its output" if code is None else f"ended with exit code {code}"
        return _Died(
            f"the process that runs the {work.label} {how}; {self._folder / LOG} has what it "
            "printed"
        )

    def _start(self) -> subprocess.Popen[bytes]:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._rest = b""
        with (self._folder / LOG).open("ab") as log:
            self._process = subprocess.Popen(
                [*COMMAND, "--memory", self._limits.heap()],
                cwd=self._folder,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            end_session(process)
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        # it may have what was not written
                        stream.close()

    def _line(self, process: subprocess.Popen[bytes]) -> bytes | None:
        """Return the next line, empty if there is none yet; None if there will be none."""
        assert process.stdout is not None
        line, line_break, rest = self._rest.partition(b"\n")
        if line_break:
            self._rest = rest
            return line
        ready, _, _ = select.select([process.stdout], [], [], _POLL_SECONDS)
        if ready:
            data = b""
            with contextlib.suppress(OSError):
                data = os.read(process.stdout.fileno(), 65536)
            if not data:
                return None
            self._rest += data
        return b""
