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
from types import TracebackType
from typing import Self

from migrator.verify.process import Limits, Work, end_session, environment, make_folder

COMMAND = (sys.executable, "-m", "dstream_compat.testing.run_jobs")
_POLL_SECONDS = 0.5
_START_SECONDS = 120.0


class Session:
    """A process that runs jobs one after another, until it is closed.

    Parameters
    ----------
    folder
        For what it leaves.
    limits
        What each run may use.
    """

    def __init__(self, folder: Path, limits: Limits) -> None:
        self._folder = folder
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            end_session(self._process)

    def run(self, work: Work, progress: Callable[[Work], None] = lambda work: None) -> bool:
        """Runs a job over one input; False if that was not possible.

        Parameters
        ----------
        work
            The job; the file of its results tells how it ended.
        progress
            Told that it runs, several times a second.
        """
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
        }
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(asked).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            return False
        until = time.monotonic() + self._limits.seconds + _START_SECONDS
        while time.monotonic() < until:
            progress(work)
            answer = self._line(process)
            if answer is None:
                return False
            if answer:
                return bool(json.loads(answer)["code"] >= 0)
        return False

    def _start(self) -> subprocess.Popen[bytes]:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "session.log").open("wb") as log:
            self._process = subprocess.Popen(
                COMMAND,
                cwd=self._folder,
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        return self._process

    def _line(self, process: subprocess.Popen[bytes]) -> bytes | None:
        """The next line, empty if there is none yet; None if there will be none."""
        assert process.stdout is not None
        line, found, rest = self._rest.partition(b"\n")
        if found:
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
